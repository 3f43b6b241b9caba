// Fovea - from the sums of a tile to codes or floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_EPILOGUE_BODY_H
#define FOV_INT8_EPILOGUE_BODY_H

#include "kernels/int8/fov_int8_vectors.h"

// The function for panels whose pairs do not fit, if there is one of its own.
#if PAIRS_SATURATE
#define EXACT(function) function##_exact
#else
#define EXACT(function) function
#endif

// A header of vectors may define it to keep the order in which values are computed.
#ifndef KEEP_ORDER
#define KEEP_ORDER(value) (void)0
#endif

// Where the results of a tile are stored: `channels` channels from `channel` on. Distances in
// elements.
typedef struct tile_place {
  const fov_int8_epilogue *epilogue;
  void *output;
  ptrdiff_t row, pixel;
  size_t channel, channels;
} tile_place;

// The forms that most layers have are compiled on their own.
typedef enum finish_kind {
  finish_kind_plain,
  finish_kind_slope,
  finish_kind_residual,
  finish_kind_values,  // int16 or float results of int16 products
  // int16 or float results of int8; a residual with a slope; a slope with bounds; a zero point that
  // is added after rounding
  finish_kind_rare,
} finish_kind;

// The epilogue of one row of tiles. It is a copy in registers, since stored bytes could change
// anything in memory: the original would be read again after every store.
typedef struct row_finish {
  const tile_place *place;
  finish_kind kind;
  const float *scale, *bias, *negative_scale, *negative_bias;  // from the first channel on
  const uint8_t *residual;                                     // of the row's first pixel
  ptrdiff_t residual_pixel;
  float residual_scale;
  uint8_t *out;     // the row's first pixel
  ptrdiff_t pixel;  // bytes
  size_t channels;
  code_range range;
  float zero;
  fov_int8_result result;
  float lowest, highest;  // of 16-bit integers and floats
} row_finish;

// The form of `channels` channels of a tile. Few results of int16 products are codes. Layers with
// and without a slope share one form there, in which those without have the same factors twice.
INLINE finish_kind finish_kind_of(const fov_int8_epilogue *e, size_t channels) {
  if (e->zero != 0.0f) return finish_kind_rare;
#if INT16_PRODUCTS
  const bool codes = e->result == fov_int8_result_codes;
  const bool whole = PARTS_ARE_MASKED || channels % VECTOR_LANES == 0;
  if (e->residual != NULL || !(codes || whole)) return finish_kind_rare;
  return codes ? finish_kind_slope : finish_kind_values;
#else
  (void)channels;
  if (e->result != fov_int8_result_codes) return finish_kind_rare;
  if (e->negative_scale == NULL) return e->residual ? finish_kind_residual : finish_kind_plain;
  const bool bounded = e->lowest > 0 || e->highest < 255;
  return e->residual != NULL || bounded ? finish_kind_rare : finish_kind_slope;
#endif
}

INLINE row_finish finish_row(const tile_place *place, size_t y) {
  const fov_int8_epilogue *e = place->epilogue;
  const size_t c = place->channel;
  const ptrdiff_t residual = (ptrdiff_t)y * e->residual_row + (ptrdiff_t)c;
  const ptrdiff_t element = e->result;
  const bool slope = e->negative_scale != NULL;
  const float *other_scale = slope ? e->negative_scale : INT16_PRODUCTS ? e->scale : NULL;
  const float *other_bias = slope ? e->negative_bias : INT16_PRODUCTS ? e->bias : NULL;
  return (row_finish){
      .place = place,
      .kind = finish_kind_of(e, place->channels),
      .scale = e->scale + c,
      .bias = e->bias + c,
      .negative_scale = other_scale ? other_scale + c : NULL,
      .negative_bias = other_bias ? other_bias + c : NULL,
      .residual = e->residual ? e->residual + residual : NULL,
      .residual_pixel = e->residual_pixel,
      .residual_scale = e->residual_scale,
      .out = (uint8_t *)place->output + ((ptrdiff_t)y * place->row + (ptrdiff_t)c) * element,
      .pixel = place->pixel * element,
      .channels = place->channels,
      .range = {e->lowest, e->highest},
      .zero = e->zero,
      .result = e->result,
      .lowest = e->lowest_value,
      .highest = e->highest_value,
  };
}

// Computes values[pixels][vectors] from sums[pixels][vectors], vector by vector, so that the
// factors of a vector are read once for all pixels.
INLINE void requantize(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                       bool slope, vector_floats *values) {
  UNROLLED for (int v = 0; v < vectors; v++) {
    const size_t c = (size_t)v * VECTOR_LANES;
    const vector_floats scale = floats_load(finish->scale + c);
    const vector_floats bias = floats_load(finish->bias + c);
    const vector_floats negative_scale = slope ? floats_load(finish->negative_scale + c) : scale;
    const vector_floats negative_bias = slope ? floats_load(finish->negative_bias + c) : bias;
    UNROLLED for (int i = v; i < pixels * vectors; i += vectors) {
      const vector_floats f = floats_from_sums(sums[i]);
      values[i] = floats_fma(f, scale, bias);
      if (slope) {
        values[i] = floats_greater(values[i], floats_fma(f, negative_scale, negative_bias));
      }
      KEEP_ORDER(values[i]);
    }
  }
}

INLINE void add_residual(const row_finish *finish, const uint8_t *residual, int pixels, int vectors,
                         vector_floats *values) {
  const vector_floats scale = floats_of(finish->residual_scale);
  UNROLLED for (int i = 0; i < pixels * vectors; i++) {
    const uint8_t *codes = residual + i / vectors * finish->residual_pixel;
    values[i] = floats_fma(floats_from_codes(codes + i % vectors * VECTOR_LANES), scale, values[i]);
  }
}

// Takes STORED_PIXELS pixels at a time, so that all values are registers.
INLINE void finish_codes(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                         size_t x, bool slope, bool residual) {
  const ptrdiff_t pixel = finish->pixel;
  const code_range range = slope && !INT16_PRODUCTS ? (code_range){0, 255} : finish->range;
  uint8_t *out = finish->out + (ptrdiff_t)x * pixel;
  UNROLLED for (int p = 0; p < pixels; p += STORED_PIXELS(vectors)) {
    vector_floats values[TILE_VECTORS];
    const int rest = pixels - p;
    const int together = rest < STORED_PIXELS(vectors) ? rest : STORED_PIXELS(vectors);
    requantize(finish, sums + p * vectors, together, vectors, slope, values);
    if (residual) {
      const ptrdiff_t first = ((ptrdiff_t)x + p) * finish->residual_pixel;
      add_residual(finish, finish->residual + first, together, vectors, values);
    }
    store_codes(values, together, vectors, out + p * pixel, pixel, finish->channels, range);
  }
}

// The channels of a pixel from vector v on.
INLINE size_t channels_from(size_t channels, int v) {
  const size_t before = (size_t)v * VECTOR_LANES;
  return channels > before ? channels - before : 0;
}

// Stores floats of one pixel, four at a time, since a copy of variable length is a call.
INLINE void store_floats(const vector_floats *values, int vectors, size_t channels, float *out) {
#if PARTS_ARE_MASKED
  UNROLLED for (int i = 0; i < vectors; i++) {
    floats_store_some(out + i * VECTOR_LANES, values[i], channels_from(channels, i));
  }
#else
  if (channels == (size_t)vectors * VECTOR_LANES) {
    UNROLLED for (int i = 0; i < vectors; i++) floats_store(out + i * VECTOR_LANES, values[i]);
    return;
  }
  float some[TILE_VECTORS_ACROSS * VECTOR_LANES];
  UNROLLED for (int i = 0; i < vectors; i++) floats_store(some + i * VECTOR_LANES, values[i]);
  size_t i = 0;
  for (; i + 4 <= channels; i += 4) memcpy(out + i, some + i, 4 * sizeof(float));
  for (; i < channels; i++) out[i] = some[i];
#endif
}

// Clamps values that may be too large to be rounded to integers.
INLINE void bound_codes(int count, vector_floats *values) {
  const vector_floats lowest = floats_of(0.0f), highest = floats_of(255.0f);
  UNROLLED for (int i = 0; i < count; i++) {
    values[i] = floats_lesser(floats_greater(values[i], lowest), highest);
  }
}

// Clamps values that become 16-bit integers or floats.
INLINE vector_floats bounded(const row_finish *finish, vector_floats value) {
  const vector_floats lowest = floats_of(finish->lowest), highest = floats_of(finish->highest);
  return floats_lesser(floats_greater(value, lowest), highest);
}

// Stores 16-bit integers or floats of one pixel.
INLINE void store_values(vector_floats *values, int vectors, const row_finish *finish,
                         size_t channels, uint8_t *out) {
  UNROLLED for (int i = 0; i < vectors; i++) values[i] = bounded(finish, values[i]);
  if (finish->result == fov_int8_result_floats) {
    store_floats(values, vectors, channels, (float *)(void *)out);
    return;
  }
  UNROLLED for (int i = 0; i < vectors; i++) {
    int16_t *to = (int16_t *)(void *)out + i * VECTOR_LANES;
    int16_store_some(to, values[i], channels_from(channels, i));
  }
}

// The form for results of int16 products.
INLINE void finish_values(const row_finish *finish, const vector_sums *sums, int pixels,
                          int vectors, size_t x) {
  const size_t channels = PARTS_ARE_MASKED ? finish->channels : (size_t)vectors * VECTOR_LANES;
  uint8_t *out = finish->out + (ptrdiff_t)x * finish->pixel;
  vector_floats values[TILE_VECTORS];
  requantize(finish, sums, pixels, vectors, true, values);
  UNROLLED for (int p = 0; p < pixels; p++) {
    store_values(values + p * vectors, vectors, finish, channels, out + p * finish->pixel);
  }
}

// MARK: A tile whose sums are in memory

// Rounds, halves to even, and adds the zero point. A number below 2^22 plus 1.5 * 2^23 is rounded
// to an integer.
INLINE void add_zero(float zero, int count, vector_floats *values) {
  const vector_floats lowest = floats_of(-512.0f), highest = floats_of(512.0f);
  const vector_floats one = floats_of(1.0f), rounder = floats_of(12582912.0f);
  const vector_floats back = floats_of(zero - 12582912.0f);
  UNROLLED for (int i = 0; i < count; i++) {
    const vector_floats v = floats_lesser(floats_greater(values[i], lowest), highest);
    values[i] = floats_fma(floats_fma(v, one, rounder), one, back);
  }
}

// All forms.
INLINE void kept_values(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                        size_t x, vector_floats *values) {
  if (finish->negative_scale != NULL) {
    requantize(finish, sums, pixels, vectors, true, values);
  } else {
    requantize(finish, sums, pixels, vectors, false, values);
  }
  if (finish->residual != NULL) {
    const uint8_t *residual = finish->residual + (ptrdiff_t)x * finish->residual_pixel;
    add_residual(finish, residual, pixels, vectors, values);
  }
}

// Takes `together` pixels at a time, at most `pixels`. If the last pixels are fewer, some are
// computed twice.
INLINE void kept_codes(const row_finish *finish, const vector_sums *sums, int pixels, int together,
                       int vectors, size_t x) {
  for (int i = 0; i < pixels; i += together) {
    const int p = i + together <= pixels ? i : pixels - together;
    vector_floats values[TILE_VECTORS];
    kept_values(finish, sums + p * vectors, together, vectors, x + (size_t)p, values);
    if (finish->zero != 0.0f) add_zero(finish->zero, together * vectors, values);
    uint8_t *out = finish->out + ((ptrdiff_t)x + p) * finish->pixel;
    store_codes(values, together, vectors, out, finish->pixel, finish->channels, finish->range);
  }
}

INLINE void kept_pixels(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                        size_t x) {
  uint8_t *out = finish->out + (ptrdiff_t)x * finish->pixel;
  for (int p = 0; p < pixels; p++, out += finish->pixel) {
    vector_floats values[TILE_VECTORS_ACROSS];
    kept_values(finish, sums + p * vectors, 1, vectors, x + (size_t)p, values);
    store_values(values, vectors, finish, finish->channels, out);
  }
}

INLINE void finish_kept(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                        size_t x) {
  if (finish->result != fov_int8_result_codes) {
    kept_pixels(finish, sums, pixels, vectors, x);
  } else if (!INT16_PRODUCTS && pixels >= KEPT_PIXELS(vectors)) {
    kept_codes(finish, sums, pixels, KEPT_PIXELS(vectors), vectors, x);
  } else {
    kept_codes(finish, sums, pixels, 1, vectors, x);
  }
}

// One function for all tiles. The call takes some 20 cycles, which is little beside many products.
SEPARATE void finish_in_memory(const tile_place *place, const vector_sums *sums, int pixels,
                               int vectors, size_t y, size_t x) {
  const row_finish own = finish_row(place, y), *finish = &own;
  switch (vectors) {
    case 1: finish_kept(finish, sums, pixels, 1, x); break;
    case 2: finish_kept(finish, sums, pixels, 2, x); break;
#if TILE_VECTORS_ACROSS == 4
    case 3: finish_kept(finish, sums, pixels, 3, x); break;
    case 4: finish_kept(finish, sums, pixels, 4, x); break;
#endif
    default: break;
  }
}

INLINE void finish_heavy_tile(const tile_place *place, const vector_sums *sums, int pixels,
                              int vectors, size_t y, size_t x) {
  vector_sums kept[TILE_VECTORS];
  UNROLLED for (int i = 0; i < pixels * vectors; i++) kept[i] = sums[i];
  finish_in_memory(place, kept, pixels, vectors, y, x);
}

// MARK: A tile

// sums[pixels][vectors] of neighboring pixels from (y, x) on. `finish` is that of row y. The forms
// of most layers are compiled into every tile.
INLINE void finish_tile(const row_finish *finish, const vector_sums *sums, int pixels, int vectors,
                        size_t y, size_t x) {
  switch (finish->kind) {
#if INT16_PRODUCTS
    case finish_kind_values: finish_values(finish, sums, pixels, vectors, x); return;
#else
    case finish_kind_plain: finish_codes(finish, sums, pixels, vectors, x, false, false); break;
    case finish_kind_residual: finish_codes(finish, sums, pixels, vectors, x, false, true); break;
#endif
    case finish_kind_slope: finish_codes(finish, sums, pixels, vectors, x, true, false); break;
    default: finish_heavy_tile(finish->place, sums, pixels, vectors, y, x); return;
  }
}

#endif

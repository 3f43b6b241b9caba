// Fovea - from the sums of a tile to codes or floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_EPILOGUE_BODY_H
#define FOV_INT8_EPILOGUE_BODY_H

#include "kernels/fov_int8_vectors.h"

// A function for panels whose pairs do not fit, or the only one there is.
#if PAIRS_SATURATE
#define EXACT(function) function##_exact
#else
#define EXACT(function) function
#endif

// Where the sums of a tile go: `channels` channels from `channel` on. Distances in elements.
typedef struct tile_place {
  const fov_int8_epilogue *epilogue;
  void *output;
  ptrdiff_t row, pixel;
  size_t channel, channels;
} tile_place;

// From the first channel of the tile on. A copy, because bytes that are stored might be anything:
// what it is copied from would be read again after every store.
typedef struct tile_factors {
  const float *scale, *bias, *negative_scale, *negative_bias;
} tile_factors;

INLINE tile_factors factors_of(const tile_place *place, bool slope) {
  const fov_int8_epilogue *e = place->epilogue;
  const size_t c = place->channel;
  return (tile_factors){e->scale + c, e->bias + c, slope ? e->negative_scale + c : NULL,
                        slope ? e->negative_bias + c : NULL};
}

// values[pixels][vectors] from sums[pixels][vectors]
INLINE void requantize(const tile_factors *factors, const vector_sums *sums, int pixels,
                       int vectors, bool slope, vector_floats *values) {
  UNROLLED for (int i = 0; i < pixels * vectors; i++) {
    const size_t c = (size_t)(i % vectors) * VECTOR_LANES;
    const vector_floats f = floats_from_sums(sums[i]);
    values[i] = floats_fma(f, floats_load(factors->scale + c), floats_load(factors->bias + c));
    if (!slope) continue;
    const vector_floats scale = floats_load(factors->negative_scale + c);
    const vector_floats bias = floats_load(factors->negative_bias + c);
    values[i] = floats_greater(values[i], floats_fma(f, scale, bias));
  }
}

// As many pixels at a time as are stored together, so that values do not outnumber registers.
INLINE void finish_codes(const tile_place *place, const vector_sums *sums, int pixels, int vectors,
                         bool slope, uint8_t *out) {
  const fov_int8_epilogue *e = place->epilogue;
  const code_range range = {e->lowest, e->highest};
  const tile_factors factors = factors_of(place, slope);
  const ptrdiff_t pixel = place->pixel;
  const size_t channels = place->channels;
  UNROLLED for (int p = 0; p < pixels; p += STORED_PIXELS(vectors)) {
    vector_floats values[TILE_VECTORS];
    const int rest = pixels - p;
    const int together = rest < STORED_PIXELS(vectors) ? rest : STORED_PIXELS(vectors);
    requantize(&factors, sums + p * vectors, together, vectors, slope, values);
    store_codes(values, together, vectors, out + p * pixel, pixel, channels, range);
  }
}

// MARK: What few layers need

INLINE void store_floats(const tile_place *place, float *out, int vectors,
                         const vector_floats *values) {
  const vector_floats lowest = floats_of(place->epilogue->lowest_value);
  const vector_floats highest = floats_of(place->epilogue->highest_value);
  for (int i = 0; i < vectors; i++) {
    const vector_floats v = floats_lesser(floats_greater(values[i], lowest), highest);
    const size_t before = (size_t)i * VECTOR_LANES;
    if (place->channels >= before + VECTOR_LANES) {
      floats_store(out + before, v);
    } else if (place->channels > before) {
      float some[VECTOR_LANES];
      floats_store(some, v);
      memcpy(out + before, some, (place->channels - before) * sizeof(float));
    }
  }
}

INLINE void add_residual(const fov_int8_epilogue *e, const uint8_t *residual, int vectors,
                         vector_floats *values) {
  const vector_floats scale = floats_of(e->residual_scale);
  for (int i = 0; i < vectors; i++) {
    const vector_floats codes = floats_from_codes(residual + i * VECTOR_LANES);
    values[i] = floats_fma(codes, scale, values[i]);
  }
}

// Residuals and floats, one pixel after another.
INLINE void finish_pixels(const tile_place *place, const vector_sums *sums, int pixels,
                          int vectors, size_t y, size_t x, ptrdiff_t element) {
  const fov_int8_epilogue *e = place->epilogue;
  const code_range range = {e->lowest, e->highest};
  const bool slope = e->negative_scale != NULL;
  const tile_factors factors = factors_of(place, slope);
  const uint8_t *residual = e->residual;
  if (residual != NULL) {
    residual += (ptrdiff_t)y * e->residual_row + (ptrdiff_t)x * e->residual_pixel +
                (ptrdiff_t)place->channel;
  }
  for (int p = 0; p < pixels; p++, element += place->pixel) {
    vector_floats values[TILE_VECTORS_ACROSS];
    if (slope) {
      requantize(&factors, sums + p * vectors, 1, vectors, true, values);
    } else {
      requantize(&factors, sums + p * vectors, 1, vectors, false, values);
    }
    if (residual != NULL) add_residual(e, residual + p * e->residual_pixel, vectors, values);
    if (e->to_float) {
      store_floats(place, (float *)place->output + element, vectors, values);
    } else {
      uint8_t *out = (uint8_t *)place->output + element;
      store_codes(values, 1, vectors, out, 0, place->channels, range);
    }
  }
}

SEPARATE void finish_rarely(const tile_place *place, const vector_sums *sums, int pixels,
                            int vectors, size_t y, size_t x, ptrdiff_t element) {
  switch (vectors) {
    case 1: finish_pixels(place, sums, pixels, 1, y, x, element); break;
    case 2: finish_pixels(place, sums, pixels, 2, y, x, element); break;
#if TILE_VECTORS_ACROSS == 4
    case 3: finish_pixels(place, sums, pixels, 3, y, x, element); break;
    case 4: finish_pixels(place, sums, pixels, 4, y, x, element); break;
#endif
    default: break;
  }
}

SEPARATE void look_up_pixels(const tile_place *place, uint8_t *out, int pixels) {
  const uint8_t *table = place->epilogue->table;
  for (int p = 0; p < pixels; p++, out += place->pixel) {
    for (size_t c = 0; c < place->channels; c++) out[c] = table[out[c]];
  }
}

// MARK: A tile

// sums[pixels][vectors] of neighbouring pixels from (y, x) on.
INLINE void finish_tile(const tile_place *place, const vector_sums *sums, int pixels, int vectors,
                        size_t y, size_t x) {
  const fov_int8_epilogue *e = place->epilogue;
  const ptrdiff_t element = (ptrdiff_t)y * place->row + (ptrdiff_t)x * place->pixel +
                            (ptrdiff_t)place->channel;
  uint8_t *out = (uint8_t *)place->output + element;
  if (e->residual != NULL || e->to_float) {
    vector_sums kept[TILE_VECTORS];
    UNROLLED for (int i = 0; i < pixels * vectors; i++) kept[i] = sums[i];
    finish_rarely(place, kept, pixels, vectors, y, x, element);
  } else if (e->negative_scale != NULL) {
    finish_codes(place, sums, pixels, vectors, true, out);
  } else {
    finish_codes(place, sums, pixels, vectors, false, out);
  }
  if (e->table != NULL && !e->to_float) look_up_pixels(place, out, pixels);
}

#endif

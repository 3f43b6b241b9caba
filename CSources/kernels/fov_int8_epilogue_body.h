// Fovea - from the sums of a tile to codes or floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_EPILOGUE_BODY_H
#define FOV_INT8_EPILOGUE_BODY_H

#include "kernels/fov_int8_vectors.h"

// Where the sums of a tile go: `channels` channels from `channel` on, at pixel (y, x).
typedef struct tile_place {
  const fov_int8_epilogue *epilogue;
  void *output;
  ptrdiff_t row, pixel;
  size_t channel, channels;
} tile_place;

INLINE void requantize(const fov_int8_epilogue *e, size_t channel, const vector_sums *sums,
                       int pixels, int vectors, vector_floats *values) {
  UNROLLED for (int v = 0; v < vectors; v++) {
    const size_t c = channel + (size_t)v * VECTOR_LANES;
    const vector_floats scale = floats_load(e->scale + c), bias = floats_load(e->bias + c);
    UNROLLED for (int p = 0; p < pixels; p++) {
      values[p * vectors + v] =
          floats_fma(floats_from_sums(sums[p * vectors + v]), scale, bias);
    }
  }
}

// The same and the slope of negative values.
INLINE void requantize_sloped(const fov_int8_epilogue *e, size_t channel, const vector_sums *sums,
                              int pixels, int vectors, vector_floats *values) {
  UNROLLED for (int v = 0; v < vectors; v++) {
    const size_t c = channel + (size_t)v * VECTOR_LANES;
    const vector_floats scale = floats_load(e->scale + c), bias = floats_load(e->bias + c);
    const vector_floats negative_scale = floats_load(e->negative_scale + c);
    const vector_floats negative_bias = floats_load(e->negative_bias + c);
    UNROLLED for (int p = 0; p < pixels; p++) {
      const vector_floats f = floats_from_sums(sums[p * vectors + v]);
      values[p * vectors + v] = floats_greater(floats_fma(f, scale, bias),
                                               floats_fma(f, negative_scale, negative_bias));
    }
  }
}

INLINE void add_residual(const tile_place *place, size_t y, size_t x, int pixels, int vectors,
                         vector_floats *values) {
  const fov_int8_epilogue *e = place->epilogue;
  const uint8_t *residual = e->residual + (ptrdiff_t)y * e->residual_row +
                            (ptrdiff_t)x * e->residual_pixel + (ptrdiff_t)place->channel;
  const vector_floats scale = floats_of(e->residual_scale);
  UNROLLED for (int i = 0; i < pixels * vectors; i++) {
    const uint8_t *codes = residual + i / vectors * e->residual_pixel + i % vectors * VECTOR_LANES;
    values[i] = floats_fma(floats_from_codes(codes), scale, values[i]);
  }
}

INLINE void store_floats(const tile_place *place, float *out, int pixels, int vectors,
                         const vector_floats *values) {
  const vector_floats lowest = floats_of(place->epilogue->lowest_value);
  const vector_floats highest = floats_of(place->epilogue->highest_value);
  UNROLLED for (int i = 0; i < pixels * vectors; i++) {
    const vector_floats v = floats_lesser(floats_greater(values[i], lowest), highest);
    float *to = out + i / vectors * place->pixel + i % vectors * VECTOR_LANES;
    const size_t before = (size_t)(i % vectors) * VECTOR_LANES;
    if (place->channels >= before + VECTOR_LANES) {
      floats_store(to, v);
    } else if (place->channels > before) {
      float some[VECTOR_LANES];
      floats_store(some, v);
      memcpy(to, some, (place->channels - before) * sizeof(float));
    }
  }
}

SEPARATE void look_up_pixels(const tile_place *place, uint8_t *out, size_t pixels) {
  const uint8_t *table = place->epilogue->table;
  for (size_t p = 0; p < pixels; p++, out += place->pixel) {
    for (size_t c = 0; c < place->channels; c++) out[c] = table[out[c]];
  }
}

// sums[pixels][vectors] of neighbouring pixels from (y, x) on.
INLINE void finish_tile(const tile_place *place, const vector_sums *sums, int pixels, int vectors,
                        size_t y, size_t x) {
  const fov_int8_epilogue *e = place->epilogue;
  const ptrdiff_t element = (ptrdiff_t)y * place->row + (ptrdiff_t)x * place->pixel +
                            (ptrdiff_t)place->channel;
  vector_floats values[TILE_VECTORS];
  if (e->negative_scale != NULL) {
    requantize_sloped(e, place->channel, sums, pixels, vectors, values);
  } else {
    requantize(e, place->channel, sums, pixels, vectors, values);
  }
  if (e->residual != NULL) add_residual(place, y, x, pixels, vectors, values);
  if (e->to_float) {
    store_floats(place, (float *)place->output + element, pixels, vectors, values);
    return;
  }
  uint8_t *out = (uint8_t *)place->output + element;
  const code_range range = {e->lowest, e->highest};
  store_codes(values, pixels, vectors, out, place->pixel, place->channels, range);
  if (e->table != NULL) look_up_pixels(place, out, (size_t)pixels);
}

#endif

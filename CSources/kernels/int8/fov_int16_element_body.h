// Fovea - from floats to 16-bit integers, a panel at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT16_ELEMENT_BODY_H
#define FOV_INT16_ELEMENT_BODY_H

#include "kernels/int8/fov_int16_kernels.h"
#include "kernels/int8/fov_int8_vectors.h"

INLINE void quantize_int16_panel(const float *x, vector_floats scale, int16_t *out) {
  const vector_floats highest = floats_of((float)FOV_LARGEST_INT16);
  const vector_floats lowest = floats_of((float)-FOV_LARGEST_INT16), zero = floats_of(0.0f);
  UNROLLED for (int i = 0; i < FOV_PANEL; i += VECTOR_LANES) {
    const vector_floats value = floats_fma(floats_load(x + i), scale, zero);
    int16_store_some(out + i, floats_lesser(floats_greater(value, lowest), highest), VECTOR_LANES);
  }
}

static void quantize_int16(const float *x, float inverse_scale, int16_t *out, size_t count) {
  const vector_floats scale = floats_of(inverse_scale);
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) quantize_int16_panel(x + i, scale, out + i);
  if (i == count) return;
  float values[FOV_PANEL] = {0};
  int16_t int16[FOV_PANEL];
  memcpy(values, x + i, (count - i) * sizeof *x);
  quantize_int16_panel(values, scale, int16);
  memcpy(out + i, int16, (count - i) * sizeof *out);
}

#endif

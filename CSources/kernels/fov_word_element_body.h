// Fovea - from floats to words, a panel at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WORD_ELEMENT_BODY_H
#define FOV_WORD_ELEMENT_BODY_H

#include "kernels/fov_int8_vectors.h"
#include "kernels/fov_word_kernels.h"

INLINE void quantize_words_panel(const float *x, vector_floats scale, int16_t *out) {
  const vector_floats highest = floats_of((float)FOV_LARGEST_WORD);
  const vector_floats lowest = floats_of((float)-FOV_LARGEST_WORD), zero = floats_of(0.0f);
  UNROLLED for (int i = 0; i < FOV_PANEL; i += VECTOR_LANES) {
    const vector_floats value = floats_fma(floats_load(x + i), scale, zero);
    words_store_some(out + i, floats_lesser(floats_greater(value, lowest), highest), VECTOR_LANES);
  }
}

static void quantize_words(const float *x, float inverse_scale, int16_t *out, size_t count) {
  const vector_floats scale = floats_of(inverse_scale);
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) quantize_words_panel(x + i, scale, out + i);
  if (i == count) return;
  float values[FOV_PANEL] = {0};
  int16_t words[FOV_PANEL];
  memcpy(values, x + i, (count - i) * sizeof *x);
  quantize_words_panel(values, scale, words);
  memcpy(out + i, words, (count - i) * sizeof *out);
}

#endif

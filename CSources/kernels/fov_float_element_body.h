// Fovea - kernels over neighboring floats, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// Included behind a vector header; gives fov_set_maximum, fov_set_add, fov_set_range and
// fov_set_transpose.
#ifndef FOV_FLOAT_ELEMENT_BODY_H
#define FOV_FLOAT_ELEMENT_BODY_H

#include "base/fov_size.h"

static void fov_set_maximum(const float *a, float *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_VECTOR_WIDTH <= count; i += FOV_VECTOR_WIDTH)
    fov_vector_store(out + i,
                     fov_vector_maximum(fov_vector_load(a + i), fov_vector_load(out + i)));
  const size_t rest = count - i;
  if (rest > 0)
    fov_vector_store_part(out + i,
                          fov_vector_maximum(fov_vector_load_part(a + i, rest),
                                             fov_vector_load_part(out + i, rest)),
                          rest);
}

static void fov_set_add(const float *a, const float *b, float lowest, float highest, float *out,
                        size_t count) {
  const fov_vector low = fov_vector_fill(lowest), high = fov_vector_fill(highest);
  size_t i = 0;
  for (; i + FOV_VECTOR_WIDTH <= count; i += FOV_VECTOR_WIDTH) {
    const fov_vector sum = fov_vector_add(fov_vector_load(a + i), fov_vector_load(b + i));
    fov_vector_store(out + i, fov_vector_minimum(high, fov_vector_maximum(low, sum)));
  }
  const size_t rest = count - i;
  if (rest > 0) {
    const fov_vector sum =
        fov_vector_add(fov_vector_load_part(a + i, rest), fov_vector_load_part(b + i, rest));
    fov_vector_store_part(out + i, fov_vector_minimum(high, fov_vector_maximum(low, sum)), rest);
  }
}

// Four vectors of each, since a minimum waits for the one before it.
static void fov_set_range(const float *x, size_t count, float *low, float *high) {
  fov_vector least[4], greatest[4];
  for (size_t k = 0; k < 4; k++) {
    least[k] = fov_vector_fill(*low);
    greatest[k] = fov_vector_fill(*high);
  }
  size_t i = 0;
  for (; i + 4 * FOV_VECTOR_WIDTH <= count; i += 4 * FOV_VECTOR_WIDTH) {
#pragma GCC unroll 4
    for (size_t k = 0; k < 4; k++) {
      const fov_vector v = fov_vector_load(x + i + k * FOV_VECTOR_WIDTH);
      least[k] = fov_vector_minimum(v, least[k]);
      greatest[k] = fov_vector_maximum(v, greatest[k]);
    }
  }
  for (size_t k = 1; k < 4; k++) {
    least[0] = fov_vector_minimum(least[k], least[0]);
    greatest[0] = fov_vector_maximum(greatest[k], greatest[0]);
  }
  *low = fov_vector_least(least[0]);
  *high = fov_vector_greatest(greatest[0]);
  for (; i < count; i++) {
    if (x[i] < *low) *low = x[i];
    if (x[i] > *high) *high = x[i];
  }
}

// Along the result's rows, block by block: its cache lines are then filled while they are near.
static void fov_set_transpose(const float *in, size_t in_stride, size_t rows, size_t columns,
                              float *out, size_t out_stride) {
  const size_t block = FOV_TRANSPOSE_BLOCK;
  const size_t whole_rows = rows / block * block, whole_columns = columns / block * block;
  for (size_t c = 0; c < whole_columns; c += block) {
    for (size_t r = 0; r < whole_rows; r += block)
      fov_transpose_block(in + r * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
  }
  for (size_t c = 0; c < columns; c++) {
    for (size_t r = c < whole_columns ? whole_rows : 0; r < rows; r++)
      out[c * out_stride + r] = in[r * in_stride + c];
  }
}

#endif

// Fovea - kernels over neighbouring floats, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// Included behind a vector header; gives fov_set_maximum, fov_set_add, fov_set_range,
// fov_set_transpose, fov_set_sigmoid and fov_set_exponential.
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

// e^x for x from -104 to 89, or NaN: x = n ln 2 + r with |r| <= ln(2) / 2; e^x = 2^n e^r, and e^r
// is its Taylor series to degree 7, whose remainder is below 6e-9. ln 2 comes in two parts, and n
// times the first is exact. Relative error: less than 2^-22, and at most the smallest subnormal
// number more where the result is subnormal.
FOV_INLINE fov_vector fov_vector_exponential_bounded(fov_vector x) {
  static const float series[7] = {1.0f / 720.0f, 1.0f / 120.0f, 1.0f / 24.0f, 1.0f / 6.0f,
                                  0.5f,          1.0f,          1.0f};
  const fov_vector n = fov_vector_round(fov_vector_multiply(x, fov_vector_fill(1.44269504f)));
  fov_vector r = fov_vector_fma(n, fov_vector_fill(-0.693359375f), x);
  r = fov_vector_fma(n, fov_vector_fill(2.12194440e-4f), r);
  fov_vector sum = fov_vector_fill(1.0f / 5040.0f);
#pragma GCC unroll 7
  for (size_t i = 0; i < 7; i++) sum = fov_vector_fma(sum, r, fov_vector_fill(series[i]));
  return fov_vector_scale(sum, n);
}

FOV_INLINE fov_vector fov_vector_exponential(fov_vector x) {
  const fov_vector low = fov_vector_fill(-104.0f), high = fov_vector_fill(89.0f);
  return fov_vector_exponential_bounded(
      fov_vector_minimum(high, fov_vector_maximum(low, x)));
}

// e^-|x| never overflows, and either quotient keeps its relative error where the result is small.
FOV_INLINE fov_vector fov_vector_sigmoid(fov_vector x) {
  const fov_vector one = fov_vector_fill(1.0f), low = fov_vector_fill(-104.0f);
  const fov_vector e =
      fov_vector_exponential_bounded(fov_vector_maximum(low, fov_vector_negative_magnitude(x)));
  return fov_vector_divide(fov_vector_if_negative(x, e, one), fov_vector_add(one, e));
}

static void fov_set_sigmoid(const float *x, float *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_VECTOR_WIDTH <= count; i += FOV_VECTOR_WIDTH)
    fov_vector_store(out + i, fov_vector_sigmoid(fov_vector_load(x + i)));
  const size_t rest = count - i;
  if (rest > 0)
    fov_vector_store_part(out + i, fov_vector_sigmoid(fov_vector_load_part(x + i, rest)), rest);
}

static void fov_set_exponential(const float *x, float *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_VECTOR_WIDTH <= count; i += FOV_VECTOR_WIDTH)
    fov_vector_store(out + i, fov_vector_exponential(fov_vector_load(x + i)));
  const size_t rest = count - i;
  if (rest > 0)
    fov_vector_store_part(out + i, fov_vector_exponential(fov_vector_load_part(x + i, rest)),
                          rest);
}

#endif

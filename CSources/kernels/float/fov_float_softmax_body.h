// Fovea - exponentials that add up to 1, for any width of vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_SOFTMAX_BODY_H
#define FOV_FLOAT_SOFTMAX_BODY_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "kernels/float/fov_exponential.h"
#include "kernels/float/fov_float_kernels.h"
#include "kernels/fov_inlining.h"
#include "kernels/fov_loop.h"

// Defines softmax_row and softmax_columns. The compiler makes vectors of the loops. Sums are added
// in the same order for all widths of vectors, so that each set gives the same bits.

// A row has as many partial maxima and sums.
#define PARTS 16

// e^(x - largest). Below e^-87 it is 0, since sums are at least 1.
INLINE float power_of(float x, float largest) {
  const float difference = x - largest, power = fov_exponential_normal(difference);
  return difference < -87.0f ? 0.0f : power;
}

INLINE void raise_parts(const float *x, float *largest) {
  for (size_t j = 0; j < PARTS; j++) largest[j] = x[j] > largest[j] ? x[j] : largest[j];
}

INLINE void add_powers(const float *x, float largest, float *out, float *sums) {
  float powers[PARTS];
  for (size_t j = 0; j < PARTS; j++) powers[j] = power_of(x[j], largest);
  for (size_t j = 0; j < PARTS; j++) sums[j] += powers[j];
  memcpy(out, powers, sizeof powers);
}

static void softmax_row(const float *in, float *out, size_t size) {
  float largest[PARTS], sums[PARTS] = {0}, last[PARTS];
  for (size_t j = 0; j < PARTS; j++) largest[j] = last[j] = -INFINITY;
  const size_t rest = size % PARTS, whole = size - rest;
  memcpy(last, in + whole, rest * sizeof *in);  // before `out`, which may be `in`
  for (size_t i = 0; i < whole; i += PARTS) raise_parts(in + i, largest);
  raise_parts(last, largest);
  for (size_t w = PARTS / 2; w > 0; w /= 2) {
    for (size_t j = 0; j < w; j++) {
      largest[j] = largest[j + w] > largest[j] ? largest[j + w] : largest[j];
    }
  }
  for (size_t i = 0; i < whole; i += PARTS) add_powers(in + i, largest[0], out + i, sums);
  if (rest > 0) {
    add_powers(last, largest[0], last, sums);
    memcpy(out + whole, last, rest * sizeof *out);
  }
  for (size_t w = PARTS / 2; w > 0; w /= 2) {
    for (size_t j = 0; j < w; j++) sums[j] += sums[j + w];
  }
  const float inverse = 1.0f / sums[0];
  for (size_t i = 0; i < size; i++) out[i] *= inverse;
}

#undef PARTS

static void softmax_columns(const float *in, float *out, size_t size, size_t pitch,
                            size_t columns) {
  float largest[FOV_SOFTMAX_COLUMNS], sums[FOV_SOFTMAX_COLUMNS];
  for (size_t j = 0; j < columns; j++) {
    largest[j] = -INFINITY;
    sums[j] = 0.0f;
  }
  for (size_t i = 0; i < size; i++) {
    const float *row = in + i * pitch;
    for (size_t j = 0; j < columns; j++) largest[j] = row[j] > largest[j] ? row[j] : largest[j];
  }
  for (size_t i = 0; i < size; i++) {
    const float *row = in + i * pitch;
    float *result = out + i * pitch;
    FOV_INDEPENDENT_ITERATIONS for (size_t j = 0; j < columns; j++) {
      const float power = power_of(row[j], largest[j]);
      result[j] = power;
      sums[j] += power;
    }
  }
  for (size_t j = 0; j < columns; j++) sums[j] = 1.0f / sums[j];
  for (size_t i = 0; i < size; i++) {
    float *result = out + i * pitch;
    for (size_t j = 0; j < columns; j++) result[j] *= sums[j];
  }
}

#endif

// Fovea - kernels over neighboring floats, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// Included after a vector header. Defines maximum, add, range and transpose.
#ifndef FOV_FLOAT_ELEMENT_BODY_H
#define FOV_FLOAT_ELEMENT_BODY_H

#include "base/fov_size.h"

static void maximum(const float *a, float *out, size_t count) {
  size_t i = 0;
  for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
    vector_store(out + i, vector_maximum(vector_load(a + i), vector_load(out + i)));
  }
  const size_t rest = count - i;
  if (rest > 0) {
    vector_store_part(
        out + i, vector_maximum(vector_load_part(a + i, rest), vector_load_part(out + i, rest)),
        rest);
  }
}

static void add(const float *a, const float *b, float lowest, float highest, float *out,
                size_t count) {
  const vector low = vector_fill(lowest), high = vector_fill(highest);
  size_t i = 0;
  for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
    const vector sum = vector_add(vector_load(a + i), vector_load(b + i));
    vector_store(out + i, vector_minimum(high, vector_maximum(low, sum)));
  }
  const size_t rest = count - i;
  if (rest > 0) {
    const vector sum = vector_add(vector_load_part(a + i, rest), vector_load_part(b + i, rest));
    vector_store_part(out + i, vector_minimum(high, vector_maximum(low, sum)), rest);
  }
}

// Four independent vectors, since each minimum waits for the one before it.
static void range(const float *x, size_t count, float *low, float *high) {
  vector least[4], greatest[4];
  for (size_t k = 0; k < 4; k++) {
    least[k] = vector_fill(*low);
    greatest[k] = vector_fill(*high);
  }
  size_t i = 0;
  for (; i + 4 * VECTOR_LANES <= count; i += 4 * VECTOR_LANES) {
    UNROLLED for (size_t k = 0; k < 4; k++) {
      const vector v = vector_load(x + i + k * VECTOR_LANES);
      least[k] = vector_minimum(v, least[k]);
      greatest[k] = vector_maximum(v, greatest[k]);
    }
  }
  for (size_t k = 1; k < 4; k++) {
    least[0] = vector_minimum(least[k], least[0]);
    greatest[0] = vector_maximum(greatest[k], greatest[0]);
  }
  *low = vector_least(least[0]);
  *high = vector_greatest(greatest[0]);
  for (; i < count; i++) {
    if (x[i] < *low) *low = x[i];
    if (x[i] > *high) *high = x[i];
  }
}

// Block by block along the rows of the result, so that its cache lines are filled while in the
// cache.
static void transpose(const float *in, size_t in_stride, size_t rows, size_t columns, float *out,
                      size_t out_stride) {
  const size_t block = TRANSPOSE_BLOCK;
  const size_t whole_rows = rows / block * block, whole_columns = columns / block * block;
  for (size_t c = 0; c < whole_columns; c += block) {
    for (size_t r = 0; r < whole_rows; r += block) {
      transpose_block(in + r * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
    }
  }
  for (size_t c = 0; c < columns; c++) {
    for (size_t r = c < whole_columns ? whole_rows : 0; r < rows; r++) {
      out[c * out_stride + r] = in[r * in_stride + c];
    }
  }
}

#endif

// Fovea - sixteen floats at a time with AVX-512, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_AVX512_H
#define FOV_FLOAT_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/float/fov_float_transpose_avx.h"
#include "kernels/fov_inlining.h"

// A vector is a panel. A tile has two neighboring panels. Of 32 registers, 26 hold sums, two
// weights and one an input. fov_float_vector_avx2.h explains the names.
typedef __m512 vector;
#define VECTOR_LANES 16
#define TILE_VECTORS 2
#define TILE_PIXELS(vectors) 13
#define SHORT_PIXELS 7
#define IMAGE_VECTORS 1
#define PREFETCH_FLOATS 256
#define DEPTHWISE_PIXELS 8
#define DEPTHWISE_WEIGHTS 9
#define RUN_STEP 2
#define PARTS_ARE_MASKED true
#define HAS_FEW_CHANNELS 1

typedef const float *pixel_inputs;

INLINE vector vector_load(const float *p) { return _mm512_loadu_ps(p); }
INLINE void vector_store(float *p, vector v) { _mm512_storeu_ps(p, v); }
INLINE vector vector_fill(float x) { return _mm512_set1_ps(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
INLINE vector vector_load_part(const float *p, size_t count) {
  return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), p);
}
INLINE void vector_store_part(float *p, vector v, size_t count) {
  _mm512_mask_storeu_ps(p, (__mmask16)((1u << count) - 1), v);
}

INLINE vector vector_add(vector a, vector b) { return _mm512_add_ps(a, b); }
INLINE vector vector_subtract(vector a, vector b) { return _mm512_sub_ps(a, b); }
INLINE vector vector_multiply(vector a, vector b) { return _mm512_mul_ps(a, b); }
// Where a is NaN the result is b.
INLINE vector vector_maximum(vector a, vector b) { return _mm512_max_ps(a, b); }
INLINE vector vector_minimum(vector a, vector b) { return _mm512_min_ps(a, b); }

// a * b + c
INLINE vector vector_fma(vector a, vector b, vector c) { return _mm512_fmadd_ps(a, b, c); }

INLINE pixel_inputs pixel_inputs_load(const float *p) { return p; }

// weights * inputs[index] + c; index is a constant.
INLINE vector vector_fma_input(vector weights, pixel_inputs inputs, size_t index, vector c) {
  return _mm512_fmadd_ps(weights, _mm512_set1_ps(inputs[index]), c);
}

// weights * *input + c
INLINE vector vector_fma_one(vector weights, const float *input, vector c) {
  return _mm512_fmadd_ps(weights, _mm512_set1_ps(*input), c);
}

INLINE float vector_least(vector v) { return _mm512_reduce_min_ps(v); }
INLINE float vector_greatest(vector v) { return _mm512_reduce_max_ps(v); }

// MARK: What fov_float_few_channels_body.h and fov_float_pairs_body.h need

// Two floats, repeated.
INLINE vector pairs_fill(const float *pair) {
  return _mm512_castpd_ps(_mm512_broadcastsd_pd(_mm_load_sd((const double *)(const void *)pair)));
}
// a0 b0 a1 b1 ... of the first halves.
INLINE vector pairs_of(vector a, vector b) {
  const __m512i order = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutex2var_ps(a, order, b);
}
// The same of the last halves.
INLINE vector pairs_of_last(vector a, vector b) {
  const __m512i order =
      _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
  return _mm512_permutex2var_ps(a, order, b);
}
// The sums of neighbors: 8 of a, then 8 of b.
INLINE vector pairs_sum(vector a, vector b) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  return _mm512_add_ps(_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b));
}
// Up to 8 floats from each of two places.
INLINE vector halves_load(const float *a, const float *b, size_t count) {
  const __mmask8 mask = (__mmask8)((1u << count) - 1);
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_maskz_loadu_ps(mask, a)),
                            _mm256_maskz_loadu_ps(mask, b), 1);
}
// a and b may be the same place if both halves hold the same.
INLINE void halves_store(float *a, float *b, vector v, size_t count) {
  const __mmask8 mask = (__mmask8)((1u << count) - 1);
  _mm256_mask_storeu_ps(a, mask, _mm512_castps512_ps256(v));
  _mm256_mask_storeu_ps(b, mask, _mm512_extractf32x8_ps(v, 1));
}

#endif

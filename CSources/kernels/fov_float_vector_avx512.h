// Fovea - sixteen floats at a time with AVX-512, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_AVX512_H
#define FOV_FLOAT_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/fov_float_transpose_avx.h"
#include "kernels/fov_inlining.h"

#define FOV_INLINE INLINE

// A vector is a panel; a tile takes two neighboring panels. Of 32 registers 26 hold sums, two
// weights and one an input. See fov_float_vector_avx2.h for what each of these says.
typedef __m512 fov_vector;
#define FOV_VECTOR_WIDTH 16
#define FOV_TILE_VECTORS 2
#define FOV_TILE_PIXELS(vectors) 13
#define FOV_SHORT_PIXELS 7
#define FOV_IMAGE_VECTORS 1
#define FOV_PREFETCH 256
#define FOV_DEPTHWISE_PIXELS 8
#define FOV_DEPTHWISE_WEIGHTS 9
#define FOV_RUN_STEP 2
#define FOV_PARTS_ARE_MASKED true
#define FOV_HAS_FEW_CHANNELS 1

typedef const float *fov_inputs;

FOV_INLINE fov_vector fov_vector_load(const float *p) { return _mm512_loadu_ps(p); }
FOV_INLINE void fov_vector_store(float *p, fov_vector v) { _mm512_storeu_ps(p, v); }
FOV_INLINE fov_vector fov_vector_fill(float x) { return _mm512_set1_ps(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
FOV_INLINE fov_vector fov_vector_load_part(const float *p, size_t count) {
  return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), p);
}
FOV_INLINE void fov_vector_store_part(float *p, fov_vector v, size_t count) {
  _mm512_mask_storeu_ps(p, (__mmask16)((1u << count) - 1), v);
}

FOV_INLINE fov_vector fov_vector_add(fov_vector a, fov_vector b) { return _mm512_add_ps(a, b); }
FOV_INLINE fov_vector fov_vector_subtract(fov_vector a, fov_vector b) {
  return _mm512_sub_ps(a, b);
}
FOV_INLINE fov_vector fov_vector_multiply(fov_vector a, fov_vector b) {
  return _mm512_mul_ps(a, b);
}
// Where a is NaN the result is b.
FOV_INLINE fov_vector fov_vector_maximum(fov_vector a, fov_vector b) { return _mm512_max_ps(a, b); }
FOV_INLINE fov_vector fov_vector_minimum(fov_vector a, fov_vector b) { return _mm512_min_ps(a, b); }

// a * b + c
FOV_INLINE fov_vector fov_vector_fma(fov_vector a, fov_vector b, fov_vector c) {
  return _mm512_fmadd_ps(a, b, c);
}

FOV_INLINE fov_inputs fov_inputs_load(const float *p) { return p; }

// weights * inputs[index] + c; index is a constant.
FOV_INLINE fov_vector fov_vector_fma_input(fov_vector weights, fov_inputs inputs, size_t index,
                                           fov_vector c) {
  return _mm512_fmadd_ps(weights, _mm512_set1_ps(inputs[index]), c);
}

// weights * *input + c
FOV_INLINE fov_vector fov_vector_fma_one(fov_vector weights, const float *input, fov_vector c) {
  return _mm512_fmadd_ps(weights, _mm512_set1_ps(*input), c);
}

FOV_INLINE float fov_vector_least(fov_vector v) { return _mm512_reduce_min_ps(v); }
FOV_INLINE float fov_vector_greatest(fov_vector v) { return _mm512_reduce_max_ps(v); }

// MARK: What fov_float_few_channels_body.h and fov_float_pairs_body.h need

// Two floats, again and again.
FOV_INLINE fov_vector fov_pairs_fill(const float *pair) {
  return _mm512_castpd_ps(_mm512_broadcastsd_pd(_mm_load_sd((const double *)(const void *)pair)));
}
// a0 b0 a1 b1 ... of the first halves.
FOV_INLINE fov_vector fov_pairs_of(fov_vector a, fov_vector b) {
  const __m512i order = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutex2var_ps(a, order, b);
}
// The same of the last halves.
FOV_INLINE fov_vector fov_pairs_of_last(fov_vector a, fov_vector b) {
  const __m512i order =
      _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
  return _mm512_permutex2var_ps(a, order, b);
}
// The sums of neighbors: 8 of a, then 8 of b.
FOV_INLINE fov_vector fov_pairs_sum(fov_vector a, fov_vector b) {
  const __m512i even =
      _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  return _mm512_add_ps(_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b));
}
// Up to 8 floats from each of two places.
FOV_INLINE fov_vector fov_halves_load(const float *a, const float *b, size_t count) {
  const __mmask8 mask = (__mmask8)((1u << count) - 1);
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_maskz_loadu_ps(mask, a)),
                            _mm256_maskz_loadu_ps(mask, b), 1);
}
// The second half last: a and b may be the same place, whose value both halves hold.
FOV_INLINE void fov_halves_store(float *a, float *b, fov_vector v, size_t count) {
  const __mmask8 mask = (__mmask8)((1u << count) - 1);
  _mm256_mask_storeu_ps(a, mask, _mm512_castps512_ps256(v));
  _mm256_mask_storeu_ps(b, mask, _mm512_extractf32x8_ps(v, 1));
}

#endif

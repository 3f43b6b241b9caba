// Fovea - sixteen floats at a time with AVX-512, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_AVX512_H
#define FOV_FLOAT_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/fov_float_transpose_avx.h"

#define FOV_INLINE static inline __attribute__((always_inline))

// A vector is a panel; a tile takes two neighbouring panels. Of 32 registers 26 hold sums, two
// weights and one an input. See fov_float_vector_avx2.h for what each of these says.
typedef __m512 fov_vector;
#define FOV_VECTOR_WIDTH 16
#define FOV_TILE_VECTORS 2
#define FOV_TILE_PIXELS(vectors) 13
#define FOV_PICTURE_VECTORS 1
#define FOV_PREFETCH 256
#define FOV_DEPTHWISE_PIXELS 4

typedef const float *fov_inputs;
#define FOV_INPUTS 4
#define FOV_RUN_STEP 2
#define FOV_PARTS_ARE_MASKED true

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

#endif

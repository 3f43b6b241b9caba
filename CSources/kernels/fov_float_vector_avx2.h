// Fovea - eight floats at a time with AVX2 and FMA, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_AVX2_H
#define FOV_FLOAT_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/fov_float_transpose_avx.h"
#include "kernels/fov_inlining.h"

#define FOV_INLINE INLINE

// What every vector header defines: the type, its width, and what fits its registers.
//
// A tile is pixels x vectors sums in registers. Of 16 registers two hold weights and one an input:
// 12 sums, which is also enough to hide the latency of 4 at 2 multiplications a cycle.
typedef __m256 fov_vector;
#define FOV_VECTOR_WIDTH 8
#define FOV_TILE_VECTORS 2         // in a tile: whole panels, or half of one
#define FOV_TILE_PIXELS(vectors) ((vectors) == 2 ? 6 : 10)
#define FOV_SHORT_PIXELS 6         // of a wide tile of few channels
#define FOV_IMAGE_VECTORS 2      // 16 channels
#define FOV_PREFETCH 256           // floats ahead in the stream of weights
#define FOV_DEPTHWISE_PIXELS 8     // beside its weights and an input
#define FOV_DEPTHWISE_WEIGHTS 3    // of a 3x3 kernel in registers: a row, or all 9
#define FOV_RUN_STEP 4             // channels of a turn of the innermost loop: fov_inputs holds no fewer
#define FOV_PARTS_ARE_MASKED false // whether loading and storing a part of a vector costs nothing
#define FOV_HAS_FEW_CHANNELS 0             // whether there is what fov_float_few_channels_body.h needs

// Inputs of one pixel, a few channels: here only where they are, since a broadcast loads for free.
typedef const float *fov_inputs;

FOV_INLINE fov_vector fov_vector_load(const float *p) { return _mm256_loadu_ps(p); }
FOV_INLINE void fov_vector_store(float *p, fov_vector v) { _mm256_storeu_ps(p, v); }
FOV_INLINE fov_vector fov_vector_fill(float x) { return _mm256_set1_ps(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
FOV_INLINE fov_vector fov_vector_load_part(const float *p, size_t count) {
  static const int32_t mask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_maskload_ps(p, _mm256_loadu_si256((const __m256i *)(mask + 8 - count)));
}

// By halves: a masked store takes many cycles on several processors.
FOV_INLINE void fov_vector_store_part(float *p, fov_vector v, size_t count) {
  __m128 part = _mm256_castps256_ps128(v);
  if (count & 4) {
    _mm_storeu_ps(p, part);
    part = _mm256_extractf128_ps(v, 1);
    p += 4;
  }
  if (count & 2) {
    _mm_storel_pi((__m64 *)p, part);
    part = _mm_movehl_ps(part, part);
    p += 2;
  }
  if (count & 1) _mm_store_ss(p, part);
}

FOV_INLINE fov_vector fov_vector_add(fov_vector a, fov_vector b) { return _mm256_add_ps(a, b); }
FOV_INLINE fov_vector fov_vector_subtract(fov_vector a, fov_vector b) {
  return _mm256_sub_ps(a, b);
}
FOV_INLINE fov_vector fov_vector_multiply(fov_vector a, fov_vector b) {
  return _mm256_mul_ps(a, b);
}
// Where a is NaN the result is b.
FOV_INLINE fov_vector fov_vector_maximum(fov_vector a, fov_vector b) { return _mm256_max_ps(a, b); }
FOV_INLINE fov_vector fov_vector_minimum(fov_vector a, fov_vector b) { return _mm256_min_ps(a, b); }

// a * b + c
FOV_INLINE fov_vector fov_vector_fma(fov_vector a, fov_vector b, fov_vector c) {
  return _mm256_fmadd_ps(a, b, c);
}

FOV_INLINE fov_inputs fov_inputs_load(const float *p) { return p; }

// weights * inputs[index] + c; index is a constant.
FOV_INLINE fov_vector fov_vector_fma_input(fov_vector weights, fov_inputs inputs, size_t index,
                                           fov_vector c) {
  return _mm256_fmadd_ps(weights, _mm256_broadcast_ss(inputs + index), c);
}

// weights * *input + c
FOV_INLINE fov_vector fov_vector_fma_one(fov_vector weights, const float *input, fov_vector c) {
  return _mm256_fmadd_ps(weights, _mm256_broadcast_ss(input), c);
}

FOV_INLINE float fov_vector_least(fov_vector v) {
  __m128 m = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_min_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_min_ss(m, _mm_movehdup_ps(m)));
}

FOV_INLINE float fov_vector_greatest(fov_vector v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

#endif

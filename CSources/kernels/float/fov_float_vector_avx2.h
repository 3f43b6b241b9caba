// Fovea - eight floats at a time with AVX2 and FMA, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_AVX2_H
#define FOV_FLOAT_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/float/fov_float_transpose_avx.h"
#include "kernels/fov_inlining.h"

// Every vector header defines these: the type, its width, and what fits the registers.
//
// A tile is pixels x vectors sums in registers. Of 16 registers, two hold weights, one an input and
// 12 sums. 12 sums also hide the latency of 4 cycles at 2 multiplications a cycle.
typedef __m256 vector;
#define VECTOR_LANES 8
#define TILE_VECTORS 2  // in a tile: whole panels, or half of one
#define TILE_PIXELS(vectors) ((vectors) == 2 ? 6 : 10)
#define SHORT_PIXELS 6          // of a wide tile of few channels
#define IMAGE_VECTORS 2         // 16 channels
#define PREFETCH_FLOATS 256     // floats ahead in the stream of weights
#define DEPTHWISE_PIXELS 8      // beside its weights and an input
#define DEPTHWISE_WEIGHTS 3     // of a 3x3 kernel in registers: a row, or all 9
#define RUN_STEP 4              // channels of one pass of the innermost loop, and of pixel_inputs
#define PARTS_ARE_MASKED false  // whether loading and storing a part of a vector costs nothing
#define HAS_FEW_CHANNELS 0      // whether there is what fov_float_few_channels_body.h needs

// Inputs of one pixel, a few channels. Here it is their address, since a broadcast from memory
// costs no more than a load.
typedef const float *pixel_inputs;

INLINE vector vector_load(const float *p) { return _mm256_loadu_ps(p); }
INLINE void vector_store(float *p, vector v) { _mm256_storeu_ps(p, v); }
INLINE vector vector_fill(float x) { return _mm256_set1_ps(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
INLINE vector vector_load_part(const float *p, size_t count) {
  static const int32_t mask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_maskload_ps(p, _mm256_loadu_si256((const __m256i *)(mask + 8 - count)));
}

// Stores 4, 2 and 1 elements, since a masked store takes many cycles on several processors.
INLINE void vector_store_part(float *p, vector v, size_t count) {
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

INLINE vector vector_add(vector a, vector b) { return _mm256_add_ps(a, b); }
INLINE vector vector_subtract(vector a, vector b) { return _mm256_sub_ps(a, b); }
INLINE vector vector_multiply(vector a, vector b) { return _mm256_mul_ps(a, b); }
// Where a is NaN the result is b.
INLINE vector vector_maximum(vector a, vector b) { return _mm256_max_ps(a, b); }
INLINE vector vector_minimum(vector a, vector b) { return _mm256_min_ps(a, b); }

// a * b + c
INLINE vector vector_fma(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }

INLINE pixel_inputs pixel_inputs_load(const float *p) { return p; }

// weights * inputs[index] + c; index is a constant.
INLINE vector vector_fma_input(vector weights, pixel_inputs inputs, size_t index, vector c) {
  return _mm256_fmadd_ps(weights, _mm256_broadcast_ss(inputs + index), c);
}

// weights * *input + c
INLINE vector vector_fma_one(vector weights, const float *input, vector c) {
  return _mm256_fmadd_ps(weights, _mm256_broadcast_ss(input), c);
}

INLINE float vector_least(vector v) {
  __m128 m = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_min_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_min_ss(m, _mm_movehdup_ps(m)));
}

INLINE float vector_greatest(vector v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

#endif

// Fovea - an 8 x 8 block of floats transposed in eight registers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_TRANSPOSE_AVX_H
#define FOV_FLOAT_TRANSPOSE_AVX_H

#include <immintrin.h>
#include <stddef.h>

#include "kernels/fov_inlining.h"

#define TRANSPOSE_BLOCK 8

// Three rounds. Each exchanges elements that are twice as far apart: neighbors (unpack), pairs
// (shuffle), halves of a register (permute).
INLINE void transpose_block(const float *in, size_t in_stride, float *out, size_t out_stride) {
  __m256 row[8], pair[8], quad[8];
  UNROLLED for (int i = 0; i < 8; i++) row[i] = _mm256_loadu_ps(in + (size_t)i * in_stride);
  UNROLLED for (int i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
  }
  UNROLLED for (int i = 0; i < 8; i += 4) {
    quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
    quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xEE);
    quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
    quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xEE);
  }
  UNROLLED for (int i = 0; i < 4; i++) {
    _mm256_storeu_ps(out + (size_t)i * out_stride,
                     _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20));
    _mm256_storeu_ps(out + (size_t)(i + 4) * out_stride,
                     _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31));
  }
}

#endif

// Fovea - 128-bit vectors for the 8-bit kernels of AArch64.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_NEON_VECTORS_H
#define FOV_INT8_NEON_VECTORS_H

#include <arm_neon.h>

#include "kernels/int8/fov_int8_vectors.h"

// Included after fov_target_begin.h, if that is used. A tile of 6 pixels and 16 channels has 24
// sums, 6 vectors of activations and 2 of weights.
#define VECTOR_LANES 4
#define TILE_PANELS 1
#define TILE_VECTORS_ACROSS 4
#define TILE_PIXELS(vectors) 6
#define TILE_POOLED_PIXELS(vectors) ((vectors) <= 2 ? 2 : 1)
#define STORED_PIXELS(vectors) 1
#define KEPT_PIXELS(vectors) 1
#define PAIRS_SATURATE 0

typedef int32x4_t vector_sums;
typedef float32x4_t vector_floats;

INLINE vector_sums sums_greater(vector_sums a, vector_sums b) { return vmaxq_s32(a, b); }
INLINE vector_floats floats_from_sums(vector_sums s) { return vcvtq_f32_s32(s); }
INLINE vector_floats floats_load(const float *p) { return vld1q_f32(p); }
INLINE vector_floats floats_of(float x) { return vdupq_n_f32(x); }
INLINE void floats_store(float *p, vector_floats v) { vst1q_f32(p, v); }
// Of NaN and a number the number, as in all sets.
INLINE vector_floats floats_greater(vector_floats a, vector_floats b) { return vmaxnmq_f32(a, b); }
INLINE vector_floats floats_lesser(vector_floats a, vector_floats b) { return vminnmq_f32(a, b); }
INLINE vector_floats floats_fma(vector_floats a, vector_floats b, vector_floats c) {
  return vfmaq_f32(c, a, b);
}
INLINE vector_floats floats_from_codes(const uint8_t *p) {
  uint32_t four;
  memcpy(&four, p, sizeof four);
  const uint8x8_t codes = vreinterpret_u8_u32(vdup_n_u32(four));
  return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(codes))));
}

// MARK: Rounding and storing

// Pixels of at most 16 channels. If a tile has fewer vectors, the first is repeated.
INLINE void store_codes(const vector_floats *v, int pixels, int vectors, uint8_t *out,
                        ptrdiff_t pixel, size_t channels, code_range range) {
  UNROLLED for (int p = 0; p < pixels; p++) {
    int16x4_t int16[4];
    UNROLLED for (int i = 0; i < 4; i++) {
      int16[i] = vqmovn_s32(vcvtnq_s32_f32(v[p * vectors + (i < vectors ? i : 0)]));
    }
    const uint8x8_t low = vqmovun_s16(vcombine_s16(int16[0], int16[1]));
    const uint8x8_t high = vqmovun_s16(vcombine_s16(int16[2], int16[3]));
    uint8x16_t codes = vmaxq_u8(vcombine_u8(low, high), vdupq_n_u8(range.lowest));
    codes = vminq_u8(codes, vdupq_n_u8(range.highest));
    if (channels == FOV_PANEL) {
      vst1q_u8(out + p * pixel, codes);
    } else {
      uint8_t some[FOV_PANEL];
      vst1q_u8(some, codes);
      store_some(some, out + p * pixel, channels);
    }
  }
}

INLINE void int16_store_some(int16_t *p, vector_floats v, size_t count) {
  const int16x4_t int16 = vmovn_s32(vcvtnq_s32_f32(v));
  if (count >= VECTOR_LANES) {
    vst1_s16(p, int16);
    return;
  }
  int16_t some[VECTOR_LANES];
  vst1_s16(some, int16);
  memcpy(p, some, count * sizeof *p);
}

// MARK: Columns of depthwise kernels

// 16 channels of up to four rows. Missing rows are zeros.
INLINE void column_rows(const uint8_t *input, ptrdiff_t row, int rows, uint8x16_t out[4]) {
  UNROLLED for (int i = 0; i < 4; i++) {
    out[i] = i < rows ? vld1q_u8(input + i * row) : vdupq_n_u8(0);
  }
}

// (r0 r1 r2 r3) of each channel, four channels a vector.
INLINE void column_interleave(const uint8x16_t rows[4], uint8x16_t out[4]) {
  const uint8x16x2_t low = vzipq_u8(rows[0], rows[1]), high = vzipq_u8(rows[2], rows[3]);
  UNROLLED for (int i = 0; i < 2; i++) {
    const uint16x8x2_t both =
        vzipq_u16(vreinterpretq_u16_u8(low.val[i]), vreinterpretq_u16_u8(high.val[i]));
    out[2 * i] = vreinterpretq_u8_u16(both.val[0]);
    out[2 * i + 1] = vreinterpretq_u8_u16(both.val[1]);
  }
}

#endif

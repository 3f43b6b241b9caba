// Fovea - sampling images on AArch64.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// MARK: Eight doubles

typedef struct eight_doubles {
  float64x2_t pairs[4];
} eight_doubles;

INLINE eight_doubles eight_of(double x) {
  const float64x2_t v = vdupq_n_f64(x);
  return (eight_doubles){{v, v, v, v}};
}
INLINE eight_doubles eight_load(const double *p) {
  return (eight_doubles){{vld1q_f64(p), vld1q_f64(p + 2), vld1q_f64(p + 4), vld1q_f64(p + 6)}};
}
INLINE void eight_store(double *p, eight_doubles v) {
  UNROLLED for (int i = 0; i < 4; i++) vst1q_f64(p + 2 * i, v.pairs[i]);
}
// Floats hold bytes exactly, and there are instructions that widen them.
INLINE eight_doubles eight_from_bytes(const uint8_t *p) {
  const uint16x8_t int16 = vmovl_u8(vld1_u8(p));
  const float32x4_t low = vcvtq_f32_u32(vmovl_u16(vget_low_u16(int16)));
  const float32x4_t high = vcvtq_f32_u32(vmovl_high_u16(int16));
  return (eight_doubles){{vcvt_f64_f32(vget_low_f32(low)), vcvt_high_f64_f32(low),
                          vcvt_f64_f32(vget_low_f32(high)), vcvt_high_f64_f32(high)}};
}
INLINE uint32x4_t narrow_pair(float64x2_t low, float64x2_t high) {
  return vmovn_high_u64(vmovn_u64(vcvtq_u64_f64(low)), vcvtq_u64_f64(high));
}
INLINE void eight_to_bytes(uint8_t *p, eight_doubles v) {
  const uint16x4_t low = vmovn_u32(narrow_pair(v.pairs[0], v.pairs[1]));
  vst1_u8(p, vmovn_u16(vmovn_high_u32(low, narrow_pair(v.pairs[2], v.pairs[3]))));
}
INLINE eight_doubles eight_multiply(eight_doubles a, eight_doubles b) {
  UNROLLED for (int i = 0; i < 4; i++) a.pairs[i] = vmulq_f64(a.pairs[i], b.pairs[i]);
  return a;
}
INLINE eight_doubles eight_add(eight_doubles a, eight_doubles b) {
  UNROLLED for (int i = 0; i < 4; i++) a.pairs[i] = vaddq_f64(a.pairs[i], b.pairs[i]);
  return a;
}
INLINE eight_doubles eight_subtract(eight_doubles a, eight_doubles b) {
  UNROLLED for (int i = 0; i < 4; i++) a.pairs[i] = vsubq_f64(a.pairs[i], b.pairs[i]);
  return a;
}

// MARK: Floats

#define BILINEAR_HAS_FLOATS 1
#define FLOATS 16

typedef struct some_floats {
  float32x4_t quads[4];
} some_floats;

INLINE some_floats floats_of(float x) {
  const float32x4_t v = vdupq_n_f32(x);
  return (some_floats){{v, v, v, v}};
}
INLINE some_floats floats_load(const float *p) {
  return (some_floats){{vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)}};
}
INLINE some_floats floats_from_bytes(const uint8_t *p) {
  const uint8x16_t bytes = vld1q_u8(p);
  const uint16x8_t low = vmovl_u8(vget_low_u8(bytes)), high = vmovl_high_u8(bytes);
  return (some_floats){
      {vcvtq_f32_u32(vmovl_u16(vget_low_u16(low))), vcvtq_f32_u32(vmovl_high_u16(low)),
       vcvtq_f32_u32(vmovl_u16(vget_low_u16(high))), vcvtq_f32_u32(vmovl_high_u16(high))}};
}
INLINE some_floats floats_mix(some_floats a, some_floats b, some_floats w) {
  UNROLLED for (int i = 0; i < 4; i++) {
    a.quads[i] = vfmaq_f32(a.quads[i], vsubq_f32(b.quads[i], a.quads[i]), w.quads[i]);
  }
  return a;
}
// The fraction of v + 1/2 is as far from 1/2 as v is from the integer floor(v + 1/2).
INLINE bool floats_settle(uint8_t *p, some_floats v, float distance) {
  uint32x4_t whole[4];
  float32x4_t greatest = vdupq_n_f32(0);
  UNROLLED for (int i = 0; i < 4; i++) {
    whole[i] = vcvtq_u32_f32(vaddq_f32(v.quads[i], vdupq_n_f32(0.5f)));
    greatest = vmaxq_f32(greatest, vabdq_f32(v.quads[i], vcvtq_f32_u32(whole[i])));
  }
  const uint16x8_t low = vmovn_high_u32(vmovn_u32(whole[0]), whole[1]);
  const uint16x8_t high = vmovn_high_u32(vmovn_u32(whole[2]), whole[3]);
  vst1q_u8(p, vmovn_high_u16(vmovn_u16(low), high));
  return vmaxvq_f32(greatest) < distance;
}

// MARK: Area

#define AREA_RUN 32

INLINE void area_run(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t offset,
                     int16_t *out) {
  int32x4_t sums[8];
  UNROLLED for (int i = 0; i < 8; i++) sums[i] = vdupq_n_s32(1 << 7);
  ONE_BY_ONE for (size_t k = 0; k < taps; k++) {
    const int16x4_t weight = vdup_n_s16(weights[k]);
    UNROLLED for (int i = 0; i < 2; i++) {
      const uint8x16_t bytes = vld1q_u8(rows[k] + offset + 16 * i);
      const int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes)));
      const int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(bytes));
      sums[4 * i] = vmlal_s16(sums[4 * i], vget_low_s16(low), weight);
      sums[4 * i + 1] = vmlal_high_s16(sums[4 * i + 1], low, vcombine_s16(weight, weight));
      sums[4 * i + 2] = vmlal_s16(sums[4 * i + 2], vget_low_s16(high), weight);
      sums[4 * i + 3] = vmlal_high_s16(sums[4 * i + 3], high, vcombine_s16(weight, weight));
    }
  }
  UNROLLED for (int i = 0; i < 4; i++) {
    vst1q_s16(out + 8 * i, vshrn_high_n_s32(vshrn_n_s32(sums[2 * i], 8), sums[2 * i + 1], 8));
  }
}

INLINE void area_color(const int16_t *levels, const int16_t *weights, size_t taps, int16_t *out) {
  int32x4_t even = vdupq_n_s32(1 << 14), odd = vdupq_n_s32(0);
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 2, levels += 6) {
    even = vmlal_n_s16(even, vld1_s16(levels), weights[k]);
    odd = vmlal_n_s16(odd, vld1_s16(levels + 3), weights[k + 1]);
  }
  vst1_s16(out, vshrn_n_s32(vaddq_s32(even, odd), 15));
}

INLINE int16_t area_gray(const int16_t *levels, const int16_t *weights, size_t taps) {
  int32x4_t low = vdupq_n_s32(0), high = vdupq_n_s32(0);
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 8) {
    const int16x8_t int16 = vld1q_s16(levels + k), factors = vld1q_s16(weights + k);
    low = vmlal_s16(low, vget_low_s16(int16), vget_low_s16(factors));
    high = vmlal_high_s16(high, int16, factors);
  }
  return (int16_t)((vaddvq_s32(vaddq_s32(low, high)) + (1 << 14)) >> 15);
}

INLINE void window_samples(const uint8_t *bytes, const fov_sample_window *window, uint8_t *left,
                           uint8_t *right) {
  const uint8x16_t all = vld1q_u8(bytes);
  vst1_u8(left, vqtbl1_u8(all, vld1_u8(window->left)));
  vst1_u8(right, vqtbl1_u8(all, vld1_u8(window->right)));
}

INLINE void interleave_colors(const uint8_t *red, const uint8_t *green, const uint8_t *blue,
                              uint8_t *out) {
  const uint8x16x3_t rgb = {{vld1q_u8(red), vld1q_u8(green), vld1q_u8(blue)}};
  vst3q_u8(out, rgb);
}

#include "kernels/sampling/fov_sampling_colors.h"

#include "kernels/sampling/fov_sampling_body.h"

FOV_INTERNAL const fov_sampling_kernels fov_sampling_kernels_neon = SAMPLING_KERNEL_TABLE;
#endif

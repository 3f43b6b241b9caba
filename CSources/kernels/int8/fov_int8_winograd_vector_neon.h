// Fovea - 16-bit integers in 128-bit vectors, for Winograd convolutions of codes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_WINOGRAD_VECTOR_NEON_H
#define FOV_INT8_WINOGRAD_VECTOR_NEON_H

#include "kernels/int8/fov_int8_neon_vectors.h"

// fov_winograd_body.h explains the names. A step takes one channel. Two vectors hold its taps for a
// panel, which are multiplied by one lane of a tile's inputs. Registers hold 20 sums, 2 vectors of
// taps and 5 of inputs.
#define ELEMENT_LANES 8
#define TAP_VECTORS 2
#define STEP_CHANNELS 1
#define TAPS_TOGETHER 4
#define WINOGRAD_PANELS 1
#define WINOGRAD_TILES 5
#define WINOGRAD_DEPTH 128
#define KEEP_STEP_ORDER() ((void)0)

typedef int16x8_t vector_elements;

// Inputs behind the last channel are multiplied by taps of zero.
INLINE vector_elements elements_load(const uint8_t *codes, size_t lanes) {
  (void)lanes;
  return vreinterpretq_s16_u16(vmovl_u8(vld1_u8(codes)));
}
INLINE vector_elements elements_again(const int16_t *p) { return vld1q_s16(p); }
INLINE void elements_store(int16_t *p, vector_elements a) { vst1q_s16(p, a); }
INLINE vector_elements elements_zero(void) { return vdupq_n_s16(0); }
INLINE vector_elements elements_add(vector_elements a, vector_elements b) {
  return vaddq_s16(a, b);
}
INLINE vector_elements elements_subtract(vector_elements a, vector_elements b) {
  return vsubq_s16(a, b);
}
INLINE vector_elements elements_add_shifted(vector_elements a, vector_elements b, int shift) {
  return vmlaq_n_s16(a, b, (int16_t)(1 << shift));
}
INLINE vector_elements elements_subtract_shifted(vector_elements a, vector_elements b, int shift) {
  return vmlsq_n_s16(a, b, (int16_t)(1 << shift));
}
INLINE vector_elements elements_times_4(vector_elements a) { return vshlq_n_s16(a, 2); }
INLINE vector_elements elements_times_6(vector_elements a) { return vmulq_n_s16(a, 6); }

INLINE vector_sums sums_load(const int32_t *p) { return vld1q_s32(p); }
INLINE void sums_store(int32_t *p, vector_sums s) { vst1q_s32(p, s); }
INLINE vector_sums sums_zero(void) { return vdupq_n_s32(0); }
INLINE vector_sums sums_add(vector_sums a, vector_sums b) { return vaddq_s32(a, b); }
INLINE vector_sums sums_subtract(vector_sums a, vector_sums b) { return vsubq_s32(a, b); }
INLINE vector_sums sums_add_shifted(vector_sums a, vector_sums b, int shift) {
  return vmlaq_n_s32(a, b, 1 << shift);
}
INLINE vector_sums sums_shifted_subtract(vector_sums a, int shift, vector_sums b) {
  return vsubq_s32(vmulq_n_s32(a, 1 << shift), b);
}
INLINE vector_sums sums_times(vector_sums a, int32_t factor) { return vmulq_n_s32(a, factor); }
INLINE vector_sums sums_halve(vector_sums a, int times) {
  return vshlq_s32(a, vdupq_n_s32(-times));
}

// One tap of a group of four channels for 8 outputs, as 16-bit integers, a vector for each channel.
INLINE void taps_load(const int8_t *tap, size_t channel, int vector, bool there,
                      vector_elements out[4]) {
  (void)there;
  const int8x8x4_t channels = vld4_s8(tap + channel * FOV_PANEL + 32 * vector);
  UNROLLED for (int i = 0; i < 4; i++) out[i] = vmovl_s8(channels.val[i]);
}

typedef int16x4_t step_inputs;
INLINE step_inputs step_inputs_load(const int16_t *p) { return vld1_s16(p); }

#define MULTIPLY_LANE(lane)                                            \
  do {                                                                 \
    sums[0] = vmlal_lane_s16(sums[0], vget_low_s16(taps[0]), a, lane); \
    sums[1] = vmlal_high_lane_s16(sums[1], taps[0], a, lane);          \
    sums[2] = vmlal_lane_s16(sums[2], vget_low_s16(taps[1]), a, lane); \
    sums[3] = vmlal_high_lane_s16(sums[3], taps[1], a, lane);          \
  } while (0)

INLINE void step_multiply_add(vector_sums *sums, const vector_elements *taps, step_inputs a,
                              int step) {
  switch (step) {
    case 0: MULTIPLY_LANE(0); break;
    case 1: MULTIPLY_LANE(1); break;
    case 2: MULTIPLY_LANE(2); break;
    default: MULTIPLY_LANE(3); break;
  }
}
#undef MULTIPLY_LANE

#endif

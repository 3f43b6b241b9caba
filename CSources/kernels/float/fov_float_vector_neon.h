// Fovea - four floats at a time on AArch64, as the float kernels see them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_VECTOR_NEON_H
#define FOV_FLOAT_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/fov_inlining.h"

// A panel is four vectors. Of 32 registers, 20 hold sums, four weights and five the inputs of four
// channels of each pixel. A multiplication takes one lane of the inputs; a broadcast would be one
// more instruction for the same units. fov_float_vector_avx2.h explains the names.
typedef float32x4_t vector;
#define VECTOR_LANES 4
#define TILE_VECTORS 4
#define TILE_PIXELS(vectors) ((vectors) == 4 ? 5 : 8)
#define SHORT_PIXELS 5
#define IMAGE_VECTORS 4
#define PREFETCH_FLOATS 256
#define DEPTHWISE_PIXELS 4
#define DEPTHWISE_WEIGHTS 9
#define RUN_STEP 4
#define PARTS_ARE_MASKED false
#define HAS_FEW_CHANNELS 0

typedef float32x4_t pixel_inputs;

INLINE vector vector_load(const float *p) { return vld1q_f32(p); }
INLINE void vector_store(float *p, vector v) { vst1q_f32(p, v); }
INLINE vector vector_fill(float x) { return vdupq_n_f32(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
INLINE vector vector_load_part(const float *p, size_t count) {
  float part[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < count; i++) part[i] = p[i];
  return vld1q_f32(part);
}
INLINE void vector_store_part(float *p, vector v, size_t count) {
  if (count & 2) {
    vst1_f32(p, vget_low_f32(v));
    v = vcombine_f32(vget_high_f32(v), vget_high_f32(v));
    p += 2;
  }
  if (count & 1) vst1q_lane_f32(p, v, 0);
}

INLINE vector vector_add(vector a, vector b) { return vaddq_f32(a, b); }
INLINE vector vector_subtract(vector a, vector b) { return vsubq_f32(a, b); }
INLINE vector vector_multiply(vector a, vector b) { return vmulq_f32(a, b); }
// Where a is NaN the result is b.
INLINE vector vector_maximum(vector a, vector b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
INLINE vector vector_minimum(vector a, vector b) { return vbslq_f32(vcltq_f32(a, b), a, b); }

// a * b + c
INLINE vector vector_fma(vector a, vector b, vector c) { return vfmaq_f32(c, a, b); }

INLINE pixel_inputs pixel_inputs_load(const float *p) { return vld1q_f32(p); }

// weights * inputs[index] + c; index is a constant once loops are unrolled.
INLINE vector vector_fma_input(vector weights, pixel_inputs inputs, size_t index, vector c) {
  switch (index) {
    case 0: return vfmaq_laneq_f32(c, weights, inputs, 0);
    case 1: return vfmaq_laneq_f32(c, weights, inputs, 1);
    case 2: return vfmaq_laneq_f32(c, weights, inputs, 2);
    default: return vfmaq_laneq_f32(c, weights, inputs, 3);
  }
}

// weights * *input + c
INLINE vector vector_fma_one(vector weights, const float *input, vector c) {
  return vfmaq_f32(c, weights, vld1q_dup_f32(input));
}

INLINE float vector_least(vector v) { return vminvq_f32(v); }
INLINE float vector_greatest(vector v) { return vmaxvq_f32(v); }

#define TRANSPOSE_BLOCK 4

INLINE void transpose_block(const float *in, size_t in_stride, float *out, size_t out_stride) {
  const float32x4_t a = vld1q_f32(in), b = vld1q_f32(in + in_stride);
  const float32x4_t c = vld1q_f32(in + 2 * in_stride), d = vld1q_f32(in + 3 * in_stride);
  const float32x4x2_t ab = vtrnq_f32(a, b), cd = vtrnq_f32(c, d);
  for (size_t i = 0; i < 2; i++) {
    vst1q_f32(out + i * out_stride, vcombine_f32(vget_low_f32(ab.val[i]), vget_low_f32(cd.val[i])));
    vst1q_f32(out + (i + 2) * out_stride,
              vcombine_f32(vget_high_f32(ab.val[i]), vget_high_f32(cd.val[i])));
  }
}

#endif

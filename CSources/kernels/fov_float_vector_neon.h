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

#define FOV_INLINE INLINE

// A panel is four vectors. Of 32 registers 20 hold sums, four weights and five the inputs of four
// channels of each pixel: a multiplication takes one lane of those, while a broadcast would cost an
// instruction of the same units. See fov_float_vector_avx2.h for what each of these says.
typedef float32x4_t fov_vector;
#define FOV_VECTOR_WIDTH 4
#define FOV_TILE_VECTORS 4
#define FOV_TILE_PIXELS(vectors) ((vectors) == 4 ? 5 : 8)
#define FOV_SHORT_PIXELS 5
#define FOV_IMAGE_VECTORS 4
#define FOV_PREFETCH 256
#define FOV_DEPTHWISE_PIXELS 4
#define FOV_DEPTHWISE_WEIGHTS 9
#define FOV_RUN_STEP 4
#define FOV_PARTS_ARE_MASKED false
#define FOV_HAS_FEW_CHANNELS 0

typedef float32x4_t fov_inputs;

FOV_INLINE fov_vector fov_vector_load(const float *p) { return vld1q_f32(p); }
FOV_INLINE void fov_vector_store(float *p, fov_vector v) { vst1q_f32(p, v); }
FOV_INLINE fov_vector fov_vector_fill(float x) { return vdupq_n_f32(x); }

// The first `count` elements, 0 ... width - 1; the others are 0.
FOV_INLINE fov_vector fov_vector_load_part(const float *p, size_t count) {
  float part[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < count; i++) part[i] = p[i];
  return vld1q_f32(part);
}
FOV_INLINE void fov_vector_store_part(float *p, fov_vector v, size_t count) {
  if (count & 2) {
    vst1_f32(p, vget_low_f32(v));
    v = vcombine_f32(vget_high_f32(v), vget_high_f32(v));
    p += 2;
  }
  if (count & 1) vst1q_lane_f32(p, v, 0);
}

FOV_INLINE fov_vector fov_vector_add(fov_vector a, fov_vector b) { return vaddq_f32(a, b); }
FOV_INLINE fov_vector fov_vector_subtract(fov_vector a, fov_vector b) { return vsubq_f32(a, b); }
FOV_INLINE fov_vector fov_vector_multiply(fov_vector a, fov_vector b) { return vmulq_f32(a, b); }
// Where a is NaN the result is b.
FOV_INLINE fov_vector fov_vector_maximum(fov_vector a, fov_vector b) {
  return vbslq_f32(vcgtq_f32(a, b), a, b);
}
FOV_INLINE fov_vector fov_vector_minimum(fov_vector a, fov_vector b) {
  return vbslq_f32(vcltq_f32(a, b), a, b);
}

// a * b + c
FOV_INLINE fov_vector fov_vector_fma(fov_vector a, fov_vector b, fov_vector c) {
  return vfmaq_f32(c, a, b);
}

FOV_INLINE fov_inputs fov_inputs_load(const float *p) { return vld1q_f32(p); }

// weights * inputs[index] + c; index is a constant once loops are unrolled.
FOV_INLINE fov_vector fov_vector_fma_input(fov_vector weights, fov_inputs inputs, size_t index,
                                           fov_vector c) {
  switch (index) {
    case 0: return vfmaq_laneq_f32(c, weights, inputs, 0);
    case 1: return vfmaq_laneq_f32(c, weights, inputs, 1);
    case 2: return vfmaq_laneq_f32(c, weights, inputs, 2);
    default: return vfmaq_laneq_f32(c, weights, inputs, 3);
  }
}

// weights * *input + c
FOV_INLINE fov_vector fov_vector_fma_one(fov_vector weights, const float *input, fov_vector c) {
  return vfmaq_f32(c, weights, vld1q_dup_f32(input));
}

FOV_INLINE float fov_vector_least(fov_vector v) { return vminvq_f32(v); }
FOV_INLINE float fov_vector_greatest(fov_vector v) { return vmaxvq_f32(v); }

#define FOV_TRANSPOSE_BLOCK 4

FOV_INLINE void fov_transpose_block(const float *in, size_t in_stride, float *out,
                                    size_t out_stride) {
  const float32x4_t a = vld1q_f32(in), b = vld1q_f32(in + in_stride);
  const float32x4_t c = vld1q_f32(in + 2 * in_stride), d = vld1q_f32(in + 3 * in_stride);
  const float32x4x2_t ab = vtrnq_f32(a, b), cd = vtrnq_f32(c, d);
  for (size_t i = 0; i < 2; i++) {
    vst1q_f32(out + i * out_stride,
              vcombine_f32(vget_low_f32(ab.val[i]), vget_low_f32(cd.val[i])));
    vst1q_f32(out + (i + 2) * out_stride,
              vcombine_f32(vget_high_f32(ab.val[i]), vget_high_f32(cd.val[i])));
  }
}

#endif

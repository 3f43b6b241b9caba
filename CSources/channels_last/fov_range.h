// Fovea - ranges of activations, and the codes that cover them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_RANGE_H
#define FOV_RANGE_H

#include <math.h>
#include <stdbool.h>

#include "fovea/core/fov_model.h"
#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

// The least and the greatest element.
typedef struct fov_range {
  float low, high;
} fov_range;

// The range of a float32 tensor, without borders and gaps.
FOV_INTERNAL fov_range fov_tensor_range(const fov_tensor *tensor, const fov_kernel_set *kernels);

// Each channel of a value has a range. Channels are the third dimension from the end. Values of
// lower rank have one range.
static inline size_t fov_range_channels(const fov_shape *shape) {
  return shape->rank < 3 ? 1 : shape->dims[shape->rank - 3];
}

// A value that was never measured.
static inline fov_range fov_range_empty(void) {
  return (fov_range){.low = INFINITY, .high = -INFINITY};
}

static inline bool fov_range_is_known(fov_range range) {
  return isfinite(range.low) && isfinite(range.high) && range.low <= range.high;
}

static inline fov_range fov_range_of(const fov_channel_summary *channel) {
  return (fov_range){.low = channel->low, .high = channel->high};
}

static inline fov_range fov_range_union(fov_range a, fov_range b) {
  return (fov_range){.low = fminf(a.low, b.low), .high = fmaxf(a.high, b.high)};
}

// Whether the step is above 0 and its inverse is a finite float.
static inline bool fov_range_step_is_usable(float step) { return step > 1e-30f && isfinite(step); }

// 256 codes from low to high. Zero is always a code, since borders are zeros. So the range is
// widened to hold zero, and moved by less than one step.
static inline fov_quantization fov_range_quantization(fov_range range) {
  const float low = fminf(range.low, 0.0f), high = fmaxf(range.high, 0.0f);
  const float step = high / 255.0f - low / 255.0f;
  if (!fov_range_step_is_usable(step)) return (fov_quantization){.scale = 1.0f};
  return (fov_quantization){.scale = step, .zero_point = (int32_t)nearbyintf(-low / step)};
}

// The same for channels with zero points of their own. The widest channel sets the step. The zero
// point puts the range of a channel into the middle of the codes. Rounding it moves the range by at
// most half a step, so that the ends of the range still round to the first and the last code.
static inline float fov_range_width(fov_range range) {
  return fmaxf(range.high, 0.0f) - fminf(range.low, 0.0f);
}

static inline uint8_t fov_range_zero_point(fov_range range, float step) {
  const float below = -fminf(range.low, 0.0f) / step;
  const float spare = 255.0f - fov_range_width(range) / step;
  return (uint8_t)fmaxf(0.0f, fminf(nearbyintf(spare / 2.0f + below), 255.0f));
}

// Both use `quantization.zero_point`.
static inline uint8_t fov_quantize(float value, fov_quantization quantization) {
  const float code = nearbyintf(value / quantization.scale) + (float)quantization.zero_point;
  return (uint8_t)(code > 0.0f ? (code < 255.0f ? code : 255.0f) : 0.0f);
}

static inline float fov_dequantize(uint8_t code, fov_quantization quantization) {
  return (float)((int32_t)code - quantization.zero_point) * quantization.scale;
}

#endif

// Fovea - ranges of activations, and the codes that cover them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_RANGE_H
#define FOV_RANGE_H

#include <math.h>
#include <stdbool.h>

#include "fovea/fov_model.h"
#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

// The least and the greatest element.
typedef struct fov_range {
  float low, high;
} fov_range;

// The range of a float32 tensor, without borders and gaps.
FOV_INTERNAL fov_range fov_tensor_range(const fov_tensor *tensor, const fov_kernel_set *kernels);

// Ranges are kept for every channel of a value, its third dimension from the end; values without one have one
// range.
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

static inline fov_range fov_range_union(fov_range a, fov_range b) {
  return (fov_range){.low = fminf(a.low, b.low), .high = fmaxf(a.high, b.high)};
}

// 256 codes from low to high. Zero is always a code, because borders are made of it: the range is
// widened to hold it and moved by less than one step.
static inline fov_quantization fov_range_quantization(fov_range range) {
  const float low = fminf(range.low, 0.0f), high = fmaxf(range.high, 0.0f);
  const float step = high / 255.0f - low / 255.0f;
  // A range of nothing, or one so small that its inverse is no float.
  if (!(step > 1e-30f) || !isfinite(step)) return (fov_quantization){1.0f, 0};
  return (fov_quantization){.scale = step, .zero_point = (int32_t)nearbyintf(-low / step)};
}

static inline uint8_t fov_quantize(float value, fov_quantization quantization) {
  const float code = nearbyintf(value / quantization.scale) + (float)quantization.zero_point;
  return (uint8_t)(code > 0.0f ? (code < 255.0f ? code : 255.0f) : 0.0f);
}

static inline float fov_dequantize(uint8_t code, fov_quantization quantization) {
  return (float)((int32_t)code - quantization.zero_point) * quantization.scale;
}

#endif

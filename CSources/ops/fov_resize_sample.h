// Fovea - where a resized image is sampled.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_RESIZE_SAMPLE_H
#define FOV_RESIZE_SAMPLE_H

#include <math.h>

#include "fovea/core/fov_operations.h"

// The position of a sample between two elements. Its value is near + (far - near) * fraction.
typedef struct fov_resize_sample {
  size_t near;
  size_t far;  // equal to near where the fraction is 0, so that no other element is read
  float fraction;
} fov_resize_sample;

// Sample `index` of an axis of `size` elements. Two statements, so that product and sum are each
// rounded on every processor.
static inline fov_resize_sample fov_resize_sample_of(const fov_resize *resize, size_t axis,
                                                     size_t index, size_t size) {
  const double product = (double)index * resize->step[axis];
  const double position = product + resize->offset[axis];
  const double largest = (double)(size - 1);
  const double inside = position < 0.0 ? 0.0 : (position > largest ? largest : position);
  const double whole = floor(inside);
  const float fraction = (float)(inside - whole);
  const size_t near = (size_t)whole;
  return (fov_resize_sample){near, fraction > 0.0f ? near + 1 : near, fraction};
}

static inline float fov_resize_mix(float near, float far, float fraction) {
  return near + (far - near) * fraction;
}

#endif

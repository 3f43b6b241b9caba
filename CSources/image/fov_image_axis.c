// Fovea - positions and weights along one axis.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_axis.h"

#include <math.h>

#include "base/fov_error.h"
#include "base/fov_size.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// A scale times a count misses the number that is meant by some 2^-40, on the way through a
// mirrored axis by another amount; see fov_image_sample. Doubles from 2^32 on are multiples of
// 2^-20 already, and the greatest would become infinite.
static double on_grid(double x) { return fabs(x) < 0x1p32 ? floor(x * 0x1p20 + 0.5) * 0x1p-20 : x; }

fov_status fov_image_axis_make(double scale, double offset, fov_pixel_range content,
                               fov_pixel_range source, fov_image_axis *out_axis) {
  const size_t count = content.end - content.begin;
  const bool mirrored = scale < 0;
  const double start = scale * (double)content.begin + offset;
  const double origin = mirrored ? (double)source.end - start : start - (double)source.begin;
  const double extent = fabs(scale) * (double)count;
  if (!isfinite(origin) || !isfinite(extent)) return fov_status_invalid_argument;
  *out_axis = (fov_image_axis){
      .count = count,
      .extent = on_grid(extent),
      .origin = on_grid(origin),
      .begin = source.begin,
      .size = source.end - source.begin,
      .mirrored = mirrored,
  };
  return fov_status_ok;
}

bool fov_image_axis_shrinks(const fov_image_axis *axis) {
  return axis->extent > (double)axis->count;
}

// Of the center of a pixel of the output, where pixel i of the range has its center at i.
static double position(const fov_image_axis *axis, size_t index) {
  const double last = (double)(axis->size - 1);
  const double x = ((double)index + 0.5) * axis->extent / (double)axis->count - 0.5 + axis->origin;
  return x < 0 ? 0 : x > last ? last : x;
}

// MARK: Bilinear

fov_image_pair fov_image_axis_pair(const fov_image_axis *axis, size_t index) {
  const double x = position(axis, index);
  const size_t last = axis->size - 1, position = (size_t)x;
  // Nothing lies behind the last pixel: there it is the second one, and has all weight.
  const size_t low = position == last && last > 0 ? last - 1 : position;
  const size_t high = fov_size_min(low + 1, last);
  return (fov_image_pair){
      .left = axis->begin + (axis->mirrored ? last - high : low),
      .weight = x - (double)low,
  };
}

// MARK: Area

// Beside a reach of 2^64 all distances in an image are as good as 0, and products of two still fit.
#define LONGEST_REACH 0x1p64

static double reach_of(const fov_image_axis *axis) {
  const double scale = axis->extent / (double)axis->count;
  return scale < 1 ? 1 : scale > LONGEST_REACH ? LONGEST_REACH : scale;
}

// Pixels that weigh less are left out: rounding errors do not make spans longer.
#define LEAST_WEIGHT 0x1p-20

// An open interval of length x holds at most ceil(x) whole numbers.
size_t fov_image_axis_longest_span(const fov_image_axis *axis) {
  const double longest = ceil(2 * (reach_of(axis) - LEAST_WEIGHT));
  return longest < (double)axis->size ? (size_t)longest : axis->size;
}

fov_image_span fov_image_axis_span(const fov_image_axis *axis, size_t index) {
  const double last = (double)(axis->size - 1);
  const double x = position(axis, index), reach = reach_of(axis);
  const double first = floor(x - (reach - LEAST_WEIGHT)) + 1;
  const double final = ceil(x + (reach - LEAST_WEIGHT)) - 1;
  const size_t start = first > 0 ? (size_t)first : 0;
  const size_t wanted = (size_t)(final < last ? final : last) + 1;
  const size_t end = fov_size_min(wanted, start + fov_image_axis_longest_span(axis));
  const size_t stored = axis->mirrored ? axis->size - end : start;
  return (fov_image_span){axis->begin + stored, end - start, x, reach};
}

double fov_image_span_weight(const fov_image_axis *axis, const fov_image_span *span, size_t i) {
  const size_t stored = span->start - axis->begin + i;
  const size_t pixel = axis->mirrored ? axis->size - 1 - stored : stored;
  return span->reach - fabs((double)pixel - span->center);
}

// Rounding the running sum, and not each weight, keeps the whole sum exact. It runs in the output's
// direction: a mirrored image has the same weights.
void fov_image_span_weights(const fov_image_axis *axis, const fov_image_span *span,
                            int16_t *out_weights) {
  const size_t last = span->count - 1;
  double sum = 0;
  for (size_t i = 0; i < span->count; i++) {
    sum += fov_image_span_weight(axis, span, axis->mirrored ? last - i : i);
  }
  const double factor = (1 << FOV_AREA_WEIGHT_BITS) / sum;
  double running = 0;
  int32_t before = 0;
  for (size_t i = 0; i < span->count; i++) {
    const size_t stored = axis->mirrored ? last - i : i;
    running += fov_image_span_weight(axis, span, stored);
    const int32_t behind = (int32_t)(running * factor + 0.5);
    const int32_t weight = behind - before;
    out_weights[stored] = (int16_t)(weight > INT16_MAX ? INT16_MAX : weight);
    before = behind;
  }
}

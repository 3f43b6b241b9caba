// Fovea - which source pixels an output pixel takes along one axis.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_AXIS_H
#define FOV_IMAGE_AXIS_H

#include "base/fov_error.h"
#include "fovea/core/fov_image.h"

// One axis of the output's content and the axis of the source that it shows.
typedef struct fov_image_axis {
  size_t count;   // pixels of the content
  double extent;  // source pixels that they cover
  double origin;  // where they begin, from the first source pixel in the output's direction
  size_t begin;   // of the source range, as it is stored
  size_t size;    // of the source range; at least 1
  bool mirrored;  // the output's first pixel shows the end of the range
} fov_image_axis;

// Output coordinates times scale plus offset are source coordinates.
// invalid_argument: what they give is not finite.
FOV_INTERNAL fov_status fov_image_axis_make(double scale, double offset, fov_pixel_range content,
                                            fov_pixel_range source, fov_image_axis *out_axis);

// The axis covers more than one source pixel with each of its own.
FOV_INTERNAL bool fov_image_axis_shrinks(const fov_image_axis *axis);

// MARK: Bilinear

// Two neighbors.
typedef struct fov_image_pair {
  size_t left;    // as it is stored; the other one is left + 1, or left in a range of one pixel
  double weight;  // of the second in the output's direction: of `left` where the axis is mirrored
} fov_image_pair;

FOV_INTERNAL fov_image_pair fov_image_axis_pair(const fov_image_axis *axis, size_t index);

// MARK: Area

// The source pixels that have a weight: count of them from start, in the order in which they are
// stored.
typedef struct fov_image_span {
  size_t start, count;
  double center, reach;  // of the triangle, where pixel i of the range has its center at i
} fov_image_span;

// No span of the axis is longer.
FOV_INTERNAL size_t fov_image_axis_longest_span(const fov_image_axis *axis);

FOV_INTERNAL fov_image_span fov_image_axis_span(const fov_image_axis *axis, size_t index);

// The weight of the stored pixel start + i, above 0; only ratios mean anything.
FOV_INTERNAL double fov_image_span_weight(const fov_image_axis *axis, const fov_image_span *span,
                                          size_t i);

// All weights of a span in fixed point, summing to 2^15; a single one is 2^15 - 1.
FOV_INTERNAL void fov_image_span_weights(const fov_image_axis *axis, const fov_image_span *span,
                                         int16_t *out_weights);

#endif

// Fovea - how much turned boxes overlap.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TURNED_BOXES_H
#define FOV_TURNED_BOXES_H

#include <stdbool.h>

#include "base/fov_error.h"

// A turned box as a normal distribution: uniform over the box, it has the variances w^2 / 12 and
// h^2 / 12 along its sides. With (x, y) its center, the covariance is
//
//   | across  both |
//   | both    down |
typedef struct fov_turned_box {
  double x, y, across, down, both;
} fov_turned_box;

// The distribution of a row: center x and y, width, height, and the angle of the width's axis in
// radians.
FOV_INTERNAL fov_turned_box fov_turned_box_of(const float *row);

// The probabilistic overlap of two turned boxes, [0, 1): 1 minus the Hellinger distance of their
// distributions (Murrugarra-Llerena et al., "Probabilistic Intersection-over-Union", 2021). A box
// with a NaN overlaps nothing.
FOV_INTERNAL double fov_turned_boxes_overlap(const fov_turned_box *a, const fov_turned_box *b);

// Whether the boxes of two rows are so far apart that they overlap by no more than a threshold,
// which is told by the reach of that threshold without an angle, a logarithm or a root.
FOV_INTERNAL bool fov_turned_boxes_are_apart(const float *a, const float *b, double reach);
FOV_INTERNAL double fov_turned_boxes_reach(double threshold);

#endif

// Fovea - how well a box covers another one, with derivatives.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_BOX_OVERLAP_H
#define FOV_BOX_OVERLAP_H

#include "fov_jet.h"
#include "fov_train_memory.h"

// A box by its center and sides.
typedef struct fov_center_box {
  double x, y, width, height;
} fov_center_box;

typedef struct fov_overlap {
  double iou;
  fov_jet complete;  // by x, y, width and height of the found box
} fov_overlap;

// Complete intersection over union: IoU - d^2 / c^2 - a v, where d is the distance of centers, c
// the diagonal of what encloses both, v = (4 / pi^2) (atan(w'/h') - atan(w/h))^2, and
// a = v / (1 - IoU + v).
FOV_TRAIN_HIDDEN fov_overlap fov_box_overlap(fov_center_box found, fov_center_box wanted);

#endif

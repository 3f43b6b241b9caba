// Fovea - what the outputs of a detector are judged by.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_LOSS_H
#define FOV_TRAIN_LOSS_H

#include "fov_train_tape.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// An object in a picture; lengths in fractions of its sides.
typedef struct fov_train_box {
  float x, y;  // of the center
  float width, height;
  int32_t label;
  float weight;  // 1; less for a doubtful one. 0: whatever is found there is right
} fov_train_box;

// The parts of a loss, as sums that were divided by what the batch has of it.
typedef struct fov_train_parts {
  double box, object, label;
} fov_train_parts;

// How a head with anchors writes boxes. For each anchor of a cell 5 + labels channels: x, y, w, h,
// objectness, labels. With s(v) = 1 / (1 + exp(-v)), in cells:
//
//   exponential   x: s(x) * spread - (spread - 1) / 2 + column     w: exp(w) * anchor
//   squared       likewise                                         w: (2 s(w))^2 * anchor
//
// A box belongs to anchors whose sides are within a factor of 4 of its own, or else to the nearest
// one. It is looked for in its cell; where spread is 2 or more, in the two nearest cells as well.
typedef struct fov_train_anchor_head {
  size_t output;                // of the tape
  size_t anchors;               // 1 ... FOV_TRAIN_ANCHORS
  float widths[9], heights[9];  // in fractions of the picture
  bool is_squared;
  float spread;
} fov_train_anchor_head;
#define FOV_TRAIN_ANCHORS 9

// How an anchor-free head writes boxes: distances from the middle of a cell to left, top, right and
// bottom, in cells, each as the mean of a distribution over 0 ..< bins; with labels as logits in an
// output of their own. A box belongs to the cells inside it that find it best (task alignment).
typedef struct fov_train_distance_head {
  size_t box_output, label_output;  // of the tape
  size_t bins;
} fov_train_distance_head;

// Heads are of one kind: the other list is empty.
typedef struct fov_train_loss_options {
  const fov_train_anchor_head *_Nullable anchor_heads;
  size_t anchor_head_count;
  const fov_train_distance_head *_Nullable distance_heads;
  size_t distance_head_count;
  size_t labels;         // of one label nothing is learned but objects
  size_t maximum_boxes;  // of a picture; more are not learned
  // Factors of the parts. Defaults below.
  float box_weight, object_weight, label_weight, distribution_weight;
} fov_train_loss_options;

// No heads, one label, 256 boxes, and the factors 2.5, 1, 0.5 and 1.5. Boxes of distances take 7.5.
fov_train_loss_options fov_train_loss_options_default(void);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

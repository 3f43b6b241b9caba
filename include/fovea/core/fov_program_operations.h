// Fovea - parameters of operations that ML Programs need beside those of fov_operations.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PROGRAM_OPERATIONS_H
#define FOV_PROGRAM_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Indices are float32, which holds integers up to 2^24 exactly; an axis of more elements is refused
// where its indices are read or made. Truths are 1 and 0; whatever is not 0 is true.
//
// An index that is read is cut to an integer. Below 0 it counts from the end. Outside the axis it
// becomes the first or the last one, and NaN becomes 0.

// [..., m, k] x [..., k, n] = [..., m, n]. Dimensions before the last two are repeated as those of
// binary functions. A transposed side is [..., k, m] or [..., n, k].
typedef struct fov_matrix_product {
  bool transpose_left;
  bool transpose_right;
} fov_matrix_product;

// With b batch dimensions, which the input x and the indices share:
//
//   take         x[:axis] + indices[b:] + x[axis + 1:]   elements of an axis
//   along_axis   as indices                              an element of the axis for each index
//   nd           indices[:-1] + x[b + k:]                indices[..., k]: coordinates in x[b:b + k]
typedef enum FOV_CLOSED_ENUM fov_gather_kind {
  fov_gather_kind_take = 0,
  fov_gather_kind_along_axis = 1,
  fov_gather_kind_nd = 2,
} fov_gather_kind;

typedef struct fov_gather {
  fov_gather_kind kind;
  size_t axis;              // of take, not below batch_dimensions, and of along_axis
  size_t batch_dimensions;  // of take and nd; 0 for along_axis
} fov_gather;

// Indices of the greatest elements of an axis, the greatest first. Of equal ones the first comes
// first; NaN comes last.
typedef struct fov_top_k {
  size_t axis;
  size_t count;    // 1 ... size of the axis
  bool ascending;  // the least elements, the least first
} fov_top_k;

typedef enum FOV_CLOSED_ENUM fov_resample_filter {
  fov_resample_nearest = 0,  // halves to the even pixel
  fov_resample_bilinear = 1,
} fov_resample_filter;

// What a coordinate v means on an axis of n pixels.
typedef enum FOV_CLOSED_ENUM fov_resample_coordinates {
  fov_resample_unnormalized = 0,                 // pixel v
  fov_resample_normalized_minus_one_to_one = 1,  // from -1 to 1: see align_corners
  fov_resample_normalized_zero_to_one = 2,       // 2 * v - 1 is the one before
} fov_resample_coordinates;

typedef enum FOV_CLOSED_ENUM fov_resample_padding {
  fov_resample_padding_constant = 0,    // a pixel outside is `value`
  fov_resample_padding_border = 1,      // 0 0 | 0 1 2 | 2 2
  fov_resample_padding_reflection = 2,  // 2 1 | 0 1 2 | 1 0; without align_corners as symmetric
  fov_resample_padding_symmetric = 3,   // 1 0 | 0 1 2 | 2 1
} fov_resample_padding;

// [n, c, h, w] sampled at [n, rows, columns, 2], x before y: [n, c, rows, columns]. A coordinate of
// NaN is outside for constant padding, else 0.
typedef struct fov_resample {
  fov_resample_filter filter;
  fov_resample_coordinates coordinates;
  fov_resample_padding padding;
  float value;         // of constant padding
  bool align_corners;  // -1 and 1 are the centers of the outer pixels, else their outer borders
} fov_resample;

typedef struct fov_cumulative_sum {
  size_t axis;
  bool exclusive;  // without the element itself
  bool reverse;    // from the end
} fov_cumulative_sum;

// Boxes [b, n, 4] (center x, center y, width, height) with scores [b, n, classes] become the
// indices [b, maximum_boxes] of those that are kept, best first, and -1 behind them. A box has the
// score and the class of its best class. Boxes with a score above the threshold are ranked, else
// the best one alone. A box is dropped if its overlap with one that is kept is too large.
typedef struct fov_box_suppression {
  float iou_threshold;  // an intersection over union above it is too large
  float score_threshold;
  size_t maximum_boxes;
  bool per_class;  // boxes of other classes do not matter
} fov_box_suppression;

typedef enum FOV_CLOSED_ENUM fov_crop_box {
  fov_crop_box_corners_height_first = 0,  // top, left, bottom, right
  fov_crop_box_corners_width_first = 1,   // left, top, right, bottom
  fov_crop_box_center_height_first = 2,   // center y, center x, height, width
  fov_crop_box_center_width_first = 3,    // center x, center y, width, height
} fov_crop_box;

// Sample i of n lies at `first` + the following, where the far border is at first + e:
typedef enum FOV_CLOSED_ENUM fov_crop_grid {
  fov_crop_grid_default = 0,               // i * (e + 1 - (e + 1) / n) / (n - 1); n = 1: 0
  fov_crop_grid_strict_align_corners = 1,  // i * e / (n - 1); n = 1: 0
  fov_crop_grid_align_corners = 2,         // i * e / (n - 1); n = 1: e / 2
  fov_crop_grid_offset_corners = 3,        // (i + 1/2) * max(e, 1) / n
  fov_crop_grid_unalign_corners = 4,       // (i + 1/2) * (e + 1) / n - 1/2
} fov_crop_grid;

// Boxes [b, 4] of images [n, c, h, w] become [b, c, rows, columns], by bilinear samples. The third
// input holds the image of each box, [b].
typedef struct fov_crop_resize {
  size_t output[2];     // rows, columns
  bool normalized;      // coordinates from 0 to 1, which are multiplied by size - 1
  float spatial_scale;  // that coordinates are multiplied by first
  fov_crop_box box;
  fov_crop_grid grid;
  float pad_value;  // of samples outside the image
} fov_crop_resize;

// (x - mean) / sqrt(variance + epsilon) over the last axes.
typedef struct fov_layer_normalization {
  uint32_t axes;  // bit i: dimension i; all dimensions from the first of these on
  float epsilon;  // 0 or more
} fov_layer_normalization;

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

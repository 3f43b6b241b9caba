// Fovea - transpositions between rows of channels and channels-last images.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_TRANSPOSE_H
#define FOV_CHANNELS_LAST_TRANSPOSE_H

#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// Dense layers and heads see an image as rows, one for each pixel, that hold its channels. So does
// a channels-last image. Transpositions between the two are copies of rows:
//
//   planes of floats                                 channels last
//   [.., rows, columns, channels]  -- from_rows -->  [.., channels, rows, columns]
//   [.., rows, columns, channels]  <-- to_rows ----  [.., channels, rows, columns]
//
// from_rows writes codes where convolutions of codes read them.
//
// to_rows moves the dimensions in any other order, too. Its channels may be several dimensions, as
// the anchors and the classes of a head are.
typedef struct fov_channels_last_to_rows {
  fov_shape shape;            // of the image, whose channels may be split
  size_t axes[FOV_MAX_RANK];  // dimension i of the result is dimension axes[i] of `shape`
} fov_channels_last_to_rows;

FOV_INTERNAL extern const fov_operation fov_operation_channels_last_from_rows;  // no parameters
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_to_rows;

// Whether `shape` is that of the image with each of batch, channels, rows and columns split into
// dimensions or none.
FOV_INTERNAL bool fov_channels_last_splits(const fov_shape *image, const fov_shape *shape);

// Whether `axes` of an array of this rank bring its last dimension before the two in front of it.
FOV_INTERNAL bool fov_channels_last_is_from_rows(const size_t *axes, size_t rank);

#endif

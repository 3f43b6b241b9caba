// Fovea - a loop over the rows of a channels-last result.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_ROWS_H
#define FOV_CHANNELS_LAST_ROWS_H

#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// Computes one row of the result of one image.
typedef void (*fov_channels_last_row)(const fov_run *run, size_t image, size_t row);

// Calls body for every row of every image of the result, on several threads if the result is large.
// Then fills the border of a channels-last result.
FOV_INTERNAL void fov_channels_last_each_row(const fov_run *run, fov_channels_last_row body);

// Element 0 of a row.
static inline void *fov_plane_row(const fov_plane *plane, size_t row, size_t element_bytes) {
  return (uint8_t *)plane->data + (ptrdiff_t)row * plane->row * (ptrdiff_t)element_bytes;
}

// Whether a row of `to` may be computed from a row of `from` as one run of columns * pixel
// elements. The gaps between their pixels' channels have to be small, and must not belong to other
// values.
FOV_INTERNAL bool fov_format_is_run(const fov_tensor *from, const fov_tensor *to);

#endif

// Fovea - the pixels of a result that one convolution computes: all of them, or every n-th.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_PART_H
#define FOV_CHANNELS_LAST_PART_H

#include "channels_last/fov_channels_last_convolution.h"

// Rows and columns first, first + step, first + 2 * step, ...
typedef struct fov_channels_last_part {
  size_t first[2], step[2];
} fov_channels_last_part;

static inline fov_channels_last_part fov_channels_last_all_pixels(void) {
  return (fov_channels_last_part){.first = {0, 0}, .step = {1, 1}};
}

// The sizes of a part of a result.
static inline fov_planes fov_channels_last_planes_of(fov_channels_last_part part,
                                                     const fov_shape *shape) {
  fov_planes planes = fov_shape_planes(shape);
  size_t *const sizes[2] = {&planes.rows, &planes.columns};
  for (int axis = 0; axis < 2; axis++) {
    const size_t size = *sizes[axis], first = part.first[axis];
    *sizes[axis] = size > first ? (size - first - 1) / part.step[axis] + 1 : 0;
  }
  return planes;
}

// Computes a part of the result of a run, without the border.
FOV_INTERNAL void fov_channels_last_convolution_run(const fov_run *run,
                                                    const fov_channels_last_convolution *layer,
                                                    fov_channels_last_part part);

// Bytes of the workspace for it.
FOV_INTERNAL fov_status fov_channels_last_convolution_workspace(
    const fov_channels_last_convolution *layer, const fov_workspace_request *request,
    fov_channels_last_part part, size_t *out_bytes);

#endif

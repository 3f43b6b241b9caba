// Fovea - a window of a picture's plane, brought to a fixed size.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PATCH_H
#define FOV_PATCH_H

#include "fov_lanes.h"
#include "include/fov_follow.h"

#define FOV_PATCH_MAX 256
// Averaged pixels in a row, for one sample; windows that are larger leave pixels out.
#define FOV_PATCH_TAPS 5

// Memory for fov_patch_sample.
typedef struct fov_patch_scratch {
  float row[FOV_PATCH_MAX * 4 + 16];
  float weights[FOV_PATCH_MAX * FOV_PATCH_TAPS];
  uint16_t offsets[FOV_PATCH_MAX];
} fov_patch_scratch;

// Samples `window` (in pixels of this plane) into width x height floats, 0 ... 255. Each sample is
// the mean over its part of the window, or an interpolated pixel where that part is smaller than a
// pixel. Outside the plane its border is repeated. width, height <= FOV_PATCH_MAX.
FOV_HIDDEN void fov_patch_sample(fov_patch_scratch *scratch, const fov_plane *plane,
                                 const fov_follow_box *window, size_t width, size_t height,
                                 float *out);

#endif

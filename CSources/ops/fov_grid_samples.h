// Fovea - samples of planes, each from up to four neighboring pixels.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRID_SAMPLES_H
#define FOV_GRID_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"
#include "ops/fov_operation.h"

// outside + the sum of weight[k] * pixel k, over the pixels whose bit k is set in `pixels`:
//
//   0 1      pixel 0 is `at` elements behind the beginning of a plane; the others lie to the right
//   2 3      and below
//
// No pixel outside the plane and no weight of 0 has its bit set.
typedef struct fov_grid_sample {
  ptrdiff_t at;
  float weight[4];
  float outside;
  uint32_t pixels;
} fov_grid_sample;

// The sample at (row, column) of a plane of rows x columns. A position may have any value from -2
// to size + 1. A pixel outside counts as `value`. `nearest`: the pixel is rounded to.
FOV_INTERNAL fov_grid_sample fov_grid_sample_bilinear(double row, double column, size_t rows,
                                                      size_t columns, float value);
FOV_INTERNAL fov_grid_sample fov_grid_sample_nearest(float row, float column, size_t rows,
                                                     size_t columns, float value);

// Takes samples from each of `channels` planes of `plane` elements. The results of a plane lie
// out_plane elements behind those of the plane before.
FOV_INTERNAL void fov_grid_samples_take(const fov_grid_sample *samples, size_t count,
                                        const float *planes, size_t channels, size_t plane,
                                        size_t columns, float *out, size_t out_plane);

// Takes at most FOV_FEW_SAMPLES samples of pixels whose `channels` values lie side by side. The
// results of a channel lie out_plane elements behind those of the channel before.
#define FOV_FEW_SAMPLES 16
FOV_INTERNAL void fov_grid_samples_take_pixels(const fov_grid_sample *samples, size_t count,
                                               const fov_kernel_set *kernels, const float *pixels,
                                               size_t channels, size_t columns, float *out,
                                               size_t out_plane);

// Bytes of `count` samples for each slot.
FOV_INTERNAL fov_status fov_grid_samples_workspace(size_t count, size_t slots, size_t *out_bytes);

#endif

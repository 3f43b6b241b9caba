// Fovea - what a calibration keeps of every channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNEL_STATISTICS_H
#define FOV_CHANNEL_STATISTICS_H

#include "channels_last/fov_range.h"
#include "fovea/core/fov_model.h"
#include "kernels/fov_kernel_set.h"
#include "tensor/fov_tensor.h"

// The means of the elements and of their squares, summed over images. They are summed as integers,
// in units of 2^-32, so that the order of the images does not matter. Means are clamped to +-2^20.
typedef struct fov_channel_statistics {
  fov_range range;
  int64_t sum, square_sum;  // of the images' means
  uint64_t image_count;
  double image_sum, image_square_sum;  // of the current image
} fov_channel_statistics;

static inline fov_channel_statistics fov_channel_statistics_empty(void) {
  return (fov_channel_statistics){.range = {.low = INFINITY, .high = -INFINITY}};
}

// Adds what a float32 tensor holds to the statistics of its channels (fov_range_channels).
FOV_INTERNAL void fov_tensor_add_statistics(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                            fov_channel_statistics *statistics);

FOV_INTERNAL fov_channel_summary
fov_channel_statistics_range(const fov_channel_statistics *statistics);

#endif

// Fovea - what a calibration keeps of every channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNEL_STATISTICS_H
#define FOV_CHANNEL_STATISTICS_H

#include "channels_last/fov_range.h"
#include "fovea/core/fov_model.h"
#include "kernels/fov_kernel_set.h"
#include "tensor/fov_tensor.h"

// Sums over images are integers, so that the order of the images does not matter.

// A sum of numbers from 0 to 2^40, in units of 2^-64.
typedef struct fov_square_sum {
  uint64_t whole, fraction;
} fov_square_sum;

// The least or the greatest elements of all images. Images that are not measured go further, and
// codes clamp what they do. How much further depends on the channel: bounded ones end where they
// always do, others have rare large elements. With the mean m and the deviation d of the extremes
// of single images, the range reaches to
//
//   m + 7 d
//
// and at least to the farthest element. If extremes follow a Gumbel distribution, one of 14,000
// images goes beyond m + 7 d. Fewer than 8 images say nothing of deviations. A factor for all
// channels is worse (Benchmarks/History/real.md).
typedef struct fov_channel_extreme {
  float all, image;  // of all images before, and of the current one
  int64_t sum;       // of single images, in units of 2^-32, clamped to +-2^20
  fov_square_sum squares;
} fov_channel_extreme;

// The means of the elements and of their squares are summed in units of 2^-32. Means are clamped to
// +-2^20.
typedef struct fov_channel_statistics {
  fov_channel_extreme low, high;
  int64_t sum, square_sum;  // of the images' means
  uint64_t image_count;
  double image_sum, image_square_sum;  // of the current image
} fov_channel_statistics;

static inline fov_channel_statistics fov_channel_statistics_empty(void) {
  return (fov_channel_statistics){.low = {.all = INFINITY, .image = INFINITY},
                                  .high = {.all = -INFINITY, .image = -INFINITY}};
}

// Adds what a float32 tensor holds to the statistics of its channels (fov_range_channels).
FOV_INTERNAL void fov_tensor_add_statistics(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                            fov_channel_statistics *statistics);

FOV_INTERNAL fov_channel_summary
fov_channel_statistics_range(const fov_channel_statistics *statistics);

#endif

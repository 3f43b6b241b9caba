// Fovea - zero points of channels for calls that convert several pixels.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ZERO_POINTS_H
#define FOV_ZERO_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Neighboring pixels are converted together, some hundred values at a time, since one call for each
// pixel would be slow with few channels. Unused elements after the last channel of a pixel are
// converted too. For this, zero points of channels are repeated pixel by pixel.
#define FOV_VALUES_TOGETHER 256

typedef struct fov_zero_points {
  size_t values;             // that a call converts of each pixel
  const uint8_t *of_values;  // of the values of a call; NULL: all channels have one
  uint8_t repeated[FOV_VALUES_TOGETHER];
} fov_zero_points;

// Pixels of one row that are converted from one place to another. Distances are in elements.
typedef struct fov_pixel_steps {
  ptrdiff_t from, to;
  size_t channels;
  bool may_fill_gaps;  // elements between the channels of two pixels may be written
} fov_pixel_steps;

// Returns how many pixels a call converts. zeros: of the channels, or NULL.
static inline size_t fov_zero_points_repeat(const uint8_t *zeros, fov_pixel_steps steps,
                                            fov_zero_points *out_zeros) {
  const size_t channels = steps.channels, pixel = (size_t)steps.from;
  const bool adjoin = steps.from == steps.to && (steps.may_fill_gaps || pixel == channels);
  const size_t pixels = adjoin && pixel <= FOV_VALUES_TOGETHER ? FOV_VALUES_TOGETHER / pixel : 1;
  out_zeros->values = pixels > 1 ? pixel : channels;
  out_zeros->of_values = zeros;
  if (!zeros || pixels == 1) return pixels;
  memset(out_zeros->repeated, 0, sizeof out_zeros->repeated);
  for (size_t i = 0; i < pixels; i++) {
    memcpy(out_zeros->repeated + i * pixel, zeros, channels);
  }
  out_zeros->of_values = out_zeros->repeated;
  return pixels;
}

#endif

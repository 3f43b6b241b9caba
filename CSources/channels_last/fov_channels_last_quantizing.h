// Fovea - floats of neighboring pixels as codes or 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_QUANTIZING_H
#define FOV_CHANNELS_LAST_QUANTIZING_H

#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

// Pixels of one row. Distances from pixel to pixel are in elements.
typedef struct fov_quantizing {
  const float *from;
  ptrdiff_t from_pixel;
  void *to;  // uint8 or int16, as `type` says
  ptrdiff_t to_pixel;
  fov_data_type type;
  fov_quantization quantization;  // its zero points begin with those of the first channel
  size_t pixels, channels;
  bool may_fill_gaps;  // elements between the channels of two pixels may be written
} fov_quantizing;

FOV_INTERNAL void fov_quantize_pixels(const fov_quantizing *row, const fov_kernel_set *kernels);

#endif

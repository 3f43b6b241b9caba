// Fovea - floats of neighboring pixels as codes or 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_QUANTIZING_H
#define FOV_CHANNELS_LAST_QUANTIZING_H

#include "channels_last/fov_zero_points.h"
#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

typedef struct fov_quantizing {
  const float *from;
  void *to;  // uint8 or int16, as `type` says
  fov_data_type type;
  fov_quantization quantization;  // its zero points begin with those of the first channel
  size_t pixels;                  // of one row
  fov_pixel_steps steps;
} fov_quantizing;

FOV_INTERNAL void fov_quantize_pixels(const fov_quantizing *row, const fov_kernel_set *kernels);

#endif

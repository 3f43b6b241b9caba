// Fovea - floats of neighboring pixels as codes or 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_quantizing.h"

#include <string.h>

#include "base/fov_size.h"
#include "channels_last/fov_zero_points.h"

// Fills the zero points of a call. Returns how many pixels it converts.
static size_t together(const fov_quantizing *row, fov_zero_points *out_zeros) {
  const bool adjoin = row->from_pixel == row->to_pixel &&
                      (row->may_fill_gaps || row->from_pixel == (ptrdiff_t)row->channels);
  return fov_zero_points_repeat(row->quantization.zero_points, row->channels,
                                adjoin ? (size_t)row->from_pixel : 0, out_zeros);
}

void fov_quantize_pixels(const fov_quantizing *row, const fov_kernel_set *kernels) {
  fov_zero_points zeros;
  const size_t step = together(row, &zeros);
  const float inverse = 1.0f / row->quantization.scale;
  const float *from = row->from;
  uint8_t *to = row->to;
  for (size_t x = 0; x < row->pixels; x += step) {
    const size_t pixels = fov_size_min(step, row->pixels - x), count = pixels * zeros.values;
    if (row->type == fov_data_type_int16) {
      kernels->int16->quantize(from, inverse, (int16_t *)(void *)to, count);
    } else if (zeros.of_values) {
      kernels->int8->quantize_channels(from, inverse, zeros.of_values, to, count);
    } else {
      kernels->int8->quantize(from, inverse, (float)row->quantization.zero_point, to, count);
    }
    from += (ptrdiff_t)pixels * row->from_pixel;
    to += (ptrdiff_t)(pixels * fov_data_type_bytes(row->type)) * row->to_pixel;
  }
}

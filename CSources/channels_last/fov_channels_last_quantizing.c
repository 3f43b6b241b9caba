// Fovea - floats of neighboring pixels as codes or 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_quantizing.h"

#include "base/fov_size.h"

void fov_quantize_pixels(const fov_quantizing *row, const fov_kernel_set *kernels) {
  fov_zero_points zeros;
  const size_t step = fov_zero_points_repeat(row->quantization.zero_points, row->steps, &zeros);
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
    from += (ptrdiff_t)pixels * row->steps.from;
    to += (ptrdiff_t)(pixels * fov_data_type_bytes(row->type)) * row->steps.to;
  }
}

// Fovea - measuring ranges.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_range.h"

#include "channels_last/fov_channels_last_rows.h"

fov_range fov_tensor_range(const fov_tensor *tensor, const fov_kernel_set *kernels) {
  fov_range range = fov_range_empty();
  if (!tensor->format) {
    kernels->float32->range(tensor->data, fov_shape_count(tensor->shape), &range.low, &range.high);
    return range;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  for (size_t image = 0; image < planes.batch; image++) {
    const fov_plane plane = fov_format_plane(tensor, image);
    const bool adjoin = plane.pixel == (ptrdiff_t)planes.channels;
    const size_t together = adjoin ? planes.columns : 1;
    for (size_t y = 0; y < planes.rows; y++) {
      const float *pixel = fov_plane_row(&plane, y, sizeof(float));
      for (size_t x = 0; x < planes.columns; x += together, pixel += plane.pixel) {
        kernels->float32->range(pixel, together * planes.channels, &range.low, &range.high);
      }
    }
  }
  return range;
}

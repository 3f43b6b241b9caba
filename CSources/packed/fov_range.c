// Fovea - measuring ranges.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_range.h"

#include "packed/fov_packed_rows.h"

fov_range fov_tensor_range(const fov_tensor *tensor, const fov_kernel_set *kernels) {
  fov_range range = fov_range_empty();
  if (!tensor->format) {
    kernels->float32->range(tensor->data, fov_shape_count(tensor->shape), &range.low, &range.high);
    return range;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  for (size_t picture = 0; picture < planes.batch; picture++) {
    const fov_plane plane = fov_format_plane(tensor, picture);
    for (size_t y = 0; y < planes.rows; y++) {
      const float *pixel = fov_plane_row(&plane, y, sizeof(float));
      for (size_t x = 0; x < planes.columns; x++, pixel += plane.pixel) {
        kernels->float32->range(pixel, planes.channels, &range.low, &range.high);
      }
    }
  }
  return range;
}

static void widen_planes(const fov_tensor *tensor, const fov_kernel_set *kernels,
                         fov_range *ranges) {
  const size_t channels = fov_range_channels(tensor->shape);
  const size_t batch =
      tensor->shape->rank < 3 ? 1 : fov_shape_planes(tensor->shape).batch;
  const size_t count = fov_shape_count(tensor->shape) / (batch * channels);
  const float *plane = tensor->data;
  for (size_t picture = 0; picture < batch; picture++) {
    for (size_t c = 0; c < channels; c++, plane += count) {
      kernels->float32->range(plane, count, &ranges[c].low, &ranges[c].high);
    }
  }
}

static void widen_pixel(const float *pixel, size_t channels, fov_range *ranges) {
  for (size_t c = 0; c < channels; c++) {
    ranges[c].low = pixel[c] < ranges[c].low ? pixel[c] : ranges[c].low;
    ranges[c].high = pixel[c] > ranges[c].high ? pixel[c] : ranges[c].high;
  }
}

void fov_tensor_widen_ranges(const fov_tensor *tensor, const fov_kernel_set *kernels,
                             fov_range *ranges) {
  if (fov_shape_count(tensor->shape) == 0) return;
  if (!tensor->format) {
    widen_planes(tensor, kernels, ranges);
    return;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  for (size_t picture = 0; picture < planes.batch; picture++) {
    const fov_plane plane = fov_format_plane(tensor, picture);
    for (size_t y = 0; y < planes.rows; y++) {
      const float *pixel = fov_plane_row(&plane, y, sizeof(float));
      for (size_t x = 0; x < planes.columns; x++, pixel += plane.pixel) {
        widen_pixel(pixel, planes.channels, ranges);
      }
    }
  }
}

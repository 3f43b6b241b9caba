// Fovea - reading a value of any type and arrangement as planes of floats.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_tensor_reading.h"

#include <string.h>

#include "channels_last/fov_channels_last_rows.h"
#include "channels_last/fov_range.h"

static void read_dense(const fov_tensor *tensor, float *out_elements) {
  const size_t count = fov_shape_count(tensor->shape);
  if (tensor->type == fov_data_type_float32) {
    memcpy(out_elements, tensor->data, count * sizeof(float));
    return;
  }
  const uint8_t *bytes = tensor->data;
  for (size_t i = 0; i < count; i++) out_elements[i] = (float)bytes[i];
}

void fov_tensor_read_row(const fov_tensor *tensor, const fov_kernel_set *kernels, size_t image,
                         size_t row, float *out_row, size_t plane) {
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const fov_plane from = fov_format_plane(tensor, image);
  if (tensor->type == fov_data_type_float32) {
    kernels->float32->transpose(fov_plane_row(&from, row, sizeof(float)), (size_t)from.pixel,
                                planes.columns, planes.channels, out_row, plane);
    return;
  }
  const fov_quantization all = fov_format_quantization(tensor);
  if (tensor->type == fov_data_type_int16) {
    const int16_t *int16 = fov_plane_row(&from, row, sizeof(int16_t));
    for (size_t c = 0; c < planes.channels; c++, out_row += plane) {
      for (size_t x = 0; x < planes.columns; x++) {
        out_row[x] = (float)int16[x * (size_t)from.pixel + c] * all.scale;
      }
    }
    return;
  }
  const uint8_t *codes = fov_plane_row(&from, row, 1);
  for (size_t c = 0; c < planes.channels; c++, out_row += plane) {
    const fov_quantization quantization = fov_quantization_of_channel(all, c);
    for (size_t x = 0; x < planes.columns; x++) {
      out_row[x] = fov_dequantize(codes[x * (size_t)from.pixel + c], quantization);
    }
  }
}

void fov_tensor_read(const fov_tensor *tensor, const fov_kernel_set *kernels, float *out_elements) {
  if (!tensor->format) {
    read_dense(tensor, out_elements);
    return;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t plane = planes.rows * planes.columns;
  for (size_t image = 0; image < planes.batch; image++) {
    for (size_t row = 0; row < planes.rows; row++) {
      fov_tensor_read_row(tensor, kernels, image, row, out_elements + row * planes.columns, plane);
    }
    out_elements += planes.channels * plane;
  }
}

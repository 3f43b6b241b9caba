// Fovea - the elements of a value in any form, as planes of floats.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_tensor_reading.h"

#include <string.h>

#include "packed/fov_packed_rows.h"
#include "packed/fov_range.h"

static void read_dense(const fov_tensor *tensor, float *out_elements) {
  const size_t count = fov_shape_count(tensor->shape);
  if (tensor->type == fov_data_type_float32) {
    memcpy(out_elements, tensor->data, count * sizeof(float));
    return;
  }
  const uint8_t *bytes = tensor->data;
  for (size_t i = 0; i < count; i++) out_elements[i] = (float)bytes[i];
}

static void read_float_pixels(const float *pixel, size_t distance, size_t channels, size_t columns,
                              size_t plane, float *out_row) {
  for (size_t x = 0; x < columns; x++, pixel += distance) {
    for (size_t c = 0; c < channels; c++) out_row[c * plane + x] = pixel[c];
  }
}

static void read_coded_pixels(const uint8_t *pixel, size_t distance, size_t channels, size_t columns,
                              size_t plane, fov_quantization quantization, float *out_row) {
  for (size_t x = 0; x < columns; x++, pixel += distance) {
    for (size_t c = 0; c < channels; c++) {
      out_row[c * plane + x] = fov_dequantize(pixel[c], fov_quantization_of_channel(quantization, c));
    }
  }
}

static void read_picture(const fov_tensor *tensor, size_t picture, float *out_planes) {
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const fov_plane from = fov_format_plane(tensor, picture);
  const size_t plane = planes.rows * planes.columns, distance = (size_t)from.pixel;
  const bool codes = tensor->type == fov_data_type_uint8;
  const fov_quantization quantization =
      codes ? fov_format_quantization(tensor) : (fov_quantization){.scale = 1.0f};
  for (size_t y = 0; y < planes.rows; y++, out_planes += planes.columns) {
    if (codes) {
      read_coded_pixels(fov_plane_row(&from, y, 1), distance, planes.channels, planes.columns, plane,
                        quantization, out_planes);
    } else {
      read_float_pixels(fov_plane_row(&from, y, sizeof(float)), distance, planes.channels,
                        planes.columns, plane, out_planes);
    }
  }
}

void fov_tensor_read(const fov_tensor *tensor, float *out_elements) {
  if (!tensor->format) {
    read_dense(tensor, out_elements);
    return;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t picture = planes.channels * planes.rows * planes.columns;
  for (size_t i = 0; i < planes.batch; i++) read_picture(tensor, i, out_elements + i * picture);
}

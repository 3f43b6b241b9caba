// Fovea - arrays with their channels last: sizes, planes and borders.
// SPDX-License-Identifier: Apache-2.0
#include "tensor/fov_format.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"

// Pixels of one picture with its border, false when they overflow.
static bool bordered_pixels(const fov_format *format, const fov_planes *planes,
                            size_t *out_pixels) {
  size_t rows, columns;
  return fov_size_add(planes->rows, format->top, &rows) &&
         fov_size_add(rows, format->bottom, &rows) &&
         fov_size_add(planes->columns, format->left, &columns) &&
         fov_size_add(columns, format->right, &columns) &&
         fov_size_multiply(rows, columns, out_pixels);
}

bool fov_format_bytes(const fov_format *format, const fov_shape *shape, fov_data_type type,
                      size_t *out_bytes) {
  if (format->arrangement == fov_arrangement_planar) {
    return fov_size_multiply(fov_shape_count(shape), fov_data_type_bytes(type), out_bytes);
  }
  const fov_planes planes = fov_shape_planes(shape);
  size_t elements;
  return bordered_pixels(format, &planes, &elements) &&
         fov_size_multiply(elements, planes.batch, &elements) &&
         fov_size_multiply(elements, format->pixel, &elements) &&
         fov_size_multiply(elements, fov_data_type_bytes(type), &elements) &&
         fov_size_add(elements, FOV_FORMAT_SLACK + FOV_MEASURED_HEADER, out_bytes);
}

static uint8_t *elements_begin(const fov_tensor *tensor) {
  return (uint8_t *)tensor->data + (tensor->format->measured ? FOV_MEASURED_HEADER : 0);
}

fov_plane fov_format_plane(const fov_tensor *tensor, size_t picture) {
  const fov_format *format = tensor->format;
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t columns = format->left + planes.columns + format->right;
  const size_t rows = format->top + planes.rows + format->bottom;
  const size_t first = (picture * rows + format->top) * columns + format->left;
  return (fov_plane){
      .data = elements_begin(tensor) +
              (first * format->pixel + format->channel) * fov_data_type_bytes(tensor->type),
      .row = (ptrdiff_t)(columns * format->pixel),
      .pixel = (ptrdiff_t)format->pixel,
  };
}

fov_quantization fov_format_quantization(const fov_tensor *tensor) {
  if (!tensor->format->measured) return tensor->format->quantization;
  fov_quantization quantization;
  memcpy(&quantization, tensor->data, sizeof quantization);
  return quantization;
}

void fov_format_set_quantization(const fov_tensor *tensor, fov_quantization quantization) {
  memcpy(tensor->data, &quantization, sizeof quantization);
}

void fov_quantization_archive(fov_archive *archive, fov_quantization *quantization) {
  fov_archive_f32(archive, &quantization->scale);
  fov_archive_i32(archive, &quantization->zero_point);
}

bool fov_quantization_is_valid(fov_quantization quantization) {
  return quantization.scale > 0.0f && isfinite(quantization.scale) &&
         isfinite(1.0f / quantization.scale) && quantization.zero_point >= 0 &&
         quantization.zero_point <= 255;
}

// Border pixels from `begin` on; a view writes its own channels only.
static void fill_pixels(const fov_tensor *tensor, uint8_t *begin, size_t count, size_t bytes,
                        int value) {
  const size_t size = fov_data_type_bytes(tensor->type);
  const size_t step = tensor->format->pixel * size;
  if (!tensor->format->is_view) {
    memset(begin, value, count * step);
    return;
  }
  uint8_t *pixel = begin + tensor->format->channel * size;
  for (size_t i = 0; i < count; i++, pixel += step) memset(pixel, value, bytes);
}

void fov_format_fill_border(const fov_tensor *tensor) {
  const fov_format *format = tensor->format;
  if (format->top + format->left + format->bottom + format->right == 0) return;
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t size = fov_data_type_bytes(tensor->type);
  const size_t columns = format->left + planes.columns + format->right;
  const size_t row = columns * format->pixel * size;
  const size_t side = (format->left + planes.columns) * format->pixel * size;
  const size_t bytes = planes.channels * size;
  const int value =
      tensor->type == fov_data_type_uint8 ? fov_format_quantization(tensor).zero_point : 0;
  uint8_t *at = elements_begin(tensor);
  for (size_t picture = 0; picture < planes.batch; picture++) {
    fill_pixels(tensor, at, format->top * columns, bytes, value);
    at += format->top * row;
    for (size_t y = 0; y < planes.rows; y++, at += row) {
      fill_pixels(tensor, at, format->left, bytes, value);
      fill_pixels(tensor, at + side, format->right, bytes, value);
    }
    fill_pixels(tensor, at, format->bottom * columns, bytes, value);
    at += format->bottom * row;
  }
}

// Fovea - arrays with their channels last: sizes, planes and borders.
// SPDX-License-Identifier: Apache-2.0
#include "tensor/fov_format.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"

// Pixels of one image with its border, false when they overflow.
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

fov_plane fov_format_plane(const fov_tensor *tensor, size_t image) {
  const fov_format *format = tensor->format;
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t columns = format->left + planes.columns + format->right;
  const size_t rows = format->top + planes.rows + format->bottom;
  const size_t first = (image * rows + format->top) * columns + format->left;
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

// What stands for zero: bytes that are all the same, or one for each channel.
typedef struct zeros {
  size_t step, skip, bytes;  // from pixel to pixel, before its channels, of its channels
  bool is_view;
  int value;
  const uint8_t *channels;  // NULL: `value`
} zeros;

static zeros zeros_of(const fov_tensor *tensor) {
  const fov_format *format = tensor->format;
  const size_t size = fov_data_type_bytes(tensor->type);
  const fov_quantization quantization =
      tensor->type == fov_data_type_uint8 ? fov_format_quantization(tensor) : (fov_quantization){0};
  return (zeros){
      .step = format->pixel * size,
      .skip = format->channel * size,
      .bytes = fov_shape_planes(tensor->shape).channels * size,
      .is_view = format->is_view,
      .value = quantization.zero_point,
      .channels = quantization.zero_points,
  };
}

// Elements between the channels of pixels may have any value, so that whole pixels are copied.
static void repeat_pixel(const zeros *zeros, uint8_t *begin, size_t count) {
  const size_t all = count * zeros->step;
  size_t filled = zeros->step;
  memcpy(begin, zeros->channels, zeros->bytes);
  for (; filled < all; filled *= 2)
    memcpy(begin + filled, begin, fov_size_min(filled, all - filled));
}

// Border pixels from `begin` on; a view writes its own channels only.
static void fill_pixels(const zeros *zeros, uint8_t *begin, size_t count) {
  if (count == 0) return;
  if (!zeros->is_view && zeros->channels) {
    repeat_pixel(zeros, begin, count);
    return;
  }
  if (!zeros->is_view) {
    memset(begin, zeros->value, count * zeros->step);
    return;
  }
  uint8_t *pixel = begin + zeros->skip;
  for (size_t i = 0; i < count; i++, pixel += zeros->step) {
    if (zeros->channels) {
      memcpy(pixel, zeros->channels, zeros->bytes);
    } else {
      memset(pixel, zeros->value, zeros->bytes);
    }
  }
}

void fov_format_fill_pixels(const fov_tensor *tensor, void *pixel, size_t count) {
  const zeros zeros = zeros_of(tensor);
  fill_pixels(&zeros, (uint8_t *)pixel - zeros.skip, count);
}

void fov_format_fill_border(const fov_tensor *tensor) {
  const fov_format *format = tensor->format;
  if (format->top + format->left + format->bottom + format->right == 0) return;
  const fov_planes planes = fov_shape_planes(tensor->shape);
  const size_t size = fov_data_type_bytes(tensor->type);
  const size_t columns = format->left + planes.columns + format->right;
  const size_t row = columns * format->pixel * size;
  const size_t side = (format->left + planes.columns) * format->pixel * size;
  const zeros zeros = zeros_of(tensor);
  uint8_t *at = elements_begin(tensor);
  for (size_t image = 0; image < planes.batch; image++) {
    fill_pixels(&zeros, at, format->top * columns);
    at += format->top * row;
    for (size_t y = 0; y < planes.rows; y++, at += row) {
      fill_pixels(&zeros, at, format->left);
      fill_pixels(&zeros, at + side, format->right);
    }
    fill_pixels(&zeros, at, format->bottom * columns);
    at += format->bottom * row;
  }
}

// Fovea - checking an image and a sampling of it.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_check.h"

#include "base/fov_size.h"

#define MOST_PIXELS_OF_A_SIDE ((size_t)INT32_MAX)

// MARK: The image

// Values from elsewhere may be none of the enumerators.
static bool is_known(const fov_image *image) {
  return (unsigned)image->format <= fov_pixel_format_yuyv &&
         (unsigned)image->alpha <= fov_alpha_straight &&
         (unsigned)image->yuv <= fov_yuv_encoding_bt709_full;
}

// Bytes of a row that are read. The width is within limits.
static size_t row_length(const fov_image *image) {
  switch (image->format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr: return 3 * image->width;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra: return 4 * image->width;
    case fov_pixel_format_gray:
    case fov_pixel_format_nv12: return image->width;
    case fov_pixel_format_yuyv: return 4 * fov_size_parts(image->width, 2);
  }
  return 0;
}

// A plane from `offset` to the end of its last row.
static fov_status check_plane(const fov_image *image, size_t offset, size_t rows, size_t row_bytes,
                              size_t length) {
  if (row_bytes < length) return fov_status_invalid_argument;
  size_t above, begin, end;
  if (!fov_size_multiply(rows - 1, row_bytes, &above) || !fov_size_add(offset, above, &begin) ||
      !fov_size_add(begin, length, &end)) {
    return fov_status_overflow;
  }
  return image->data_bytes < end ? fov_status_buffer_too_small : fov_status_ok;
}

fov_status fov_image_check(const fov_image *image) {
  if (image->width == 0 || image->height == 0 || !is_known(image)) {
    return fov_status_invalid_argument;
  }
  if (image->width > MOST_PIXELS_OF_A_SIDE || image->height > MOST_PIXELS_OF_A_SIDE) {
    return fov_status_overflow;
  }
  FOV_FORWARD(check_plane(image, 0, image->height, image->row_bytes, row_length(image)));
  if (image->format != fov_pixel_format_nv12) return fov_status_ok;
  return check_plane(image, image->chroma_offset, fov_size_parts(image->height, 2),
                     image->chroma_row_bytes, 2 * fov_size_parts(image->width, 2));
}

// MARK: The sampling

static bool is_inside(fov_pixel_range range, size_t pixels) {
  return range.begin <= range.end && range.end <= pixels;
}

static bool is_empty(fov_pixel_range range) { return range.begin == range.end; }

static bool has_ranges(const fov_image *image, const fov_image_sampling *sampling) {
  return is_inside(sampling->source_columns, image->width) &&
         is_inside(sampling->source_rows, image->height) && !is_empty(sampling->source_columns) &&
         !is_empty(sampling->source_rows) &&
         is_inside(sampling->content_columns, sampling->width) &&
         is_inside(sampling->content_rows, sampling->height);
}

fov_status fov_image_sampling_check(const fov_image *image, const fov_image_sampling *sampling,
                                    size_t out_bytes) {
  const bool has_size = sampling->width > 0 && sampling->height > 0 &&
                        (sampling->channels == 1 || sampling->channels == 3);
  if (!has_size || (unsigned)sampling->filter > fov_image_filter_area ||
      (unsigned)sampling->instruction_set >= FOV_INSTRUCTION_SET_COUNT ||
      !has_ranges(image, sampling)) {
    return fov_status_invalid_argument;
  }
  size_t row, bytes;
  if (!fov_size_multiply(sampling->width, sampling->channels, &row) ||
      !fov_size_multiply(row, sampling->height, &bytes)) {
    return fov_status_overflow;
  }
  return out_bytes < bytes ? fov_status_buffer_too_small : fov_status_ok;
}

// Fovea - checking an image and a sampling of it.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_check.h"

#include "base/fov_size.h"

#define MOST_PIXELS_OF_A_SIDE ((size_t)INT32_MAX)

// MARK: The image

// Values from elsewhere may be none of the enumerators.
static bool is_known(const fov_image *image) {
  const unsigned last_encoding = image->format == fov_pixel_format_planar
                                     ? fov_yuv_encoding_rgb
                                     : fov_yuv_encoding_bt2020_full;
  return (unsigned)image->format <= fov_pixel_format_planar &&
         (unsigned)image->alpha <= fov_alpha_straight && (unsigned)image->yuv <= last_encoding;
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
    case fov_pixel_format_planar: break;
  }
  return 0;
}

// Columns (axis 0) or rows of a plane.
static size_t plane_side(const fov_image *image, int plane, int axis) {
  const size_t side = axis == 0 ? image->width : image->height;
  return plane == 0 ? side : fov_size_parts(side, (size_t)1 << image->chroma_shifts[axis]);
}

// Rows of `length` bytes from `offset` on in memory of `bytes`.
static fov_status check_rows(size_t bytes, size_t offset, size_t rows, size_t row_bytes,
                             size_t length) {
  if (row_bytes < length) return fov_status_invalid_argument;
  size_t above, begin, end;
  if (!fov_size_multiply(rows - 1, row_bytes, &above) || !fov_size_add(offset, above, &begin) ||
      !fov_size_add(begin, length, &end)) {
    return fov_status_overflow;
  }
  return bytes < end ? fov_status_buffer_too_small : fov_status_ok;
}

static fov_status check_planes(const fov_image *image) {
  const size_t sample = image->sample_bits > 8 ? 2 : 1;
  const bool is_gray = image->planes[1].data == NULL;
  if (image->sample_bits < 8 || image->sample_bits > 16 || image->chroma_shifts[0] > 2 ||
      image->chroma_shifts[1] > 2 || is_gray != (image->planes[2].data == NULL) ||
      (is_gray && image->yuv == fov_yuv_encoding_rgb) ||
      (!is_gray && image->planes[1].step != image->planes[2].step)) {
    return fov_status_invalid_argument;
  }
  for (int k = 0; k < (is_gray ? 1 : 3); k++) {
    const fov_sample_plane *plane = &image->planes[k];
    if (plane->data == NULL || plane->step < sample || plane->step > 8) {
      return fov_status_invalid_argument;
    }
    const size_t columns = plane_side(image, k, 0);
    FOV_FORWARD(check_rows(plane->data_bytes, 0, plane_side(image, k, 1), plane->row_bytes,
                           (columns - 1) * plane->step + sample));
  }
  return fov_status_ok;
}

fov_status fov_image_check(const fov_image *image) {
  if (image->width == 0 || image->height == 0 || !is_known(image)) {
    return fov_status_invalid_argument;
  }
  if (image->width > MOST_PIXELS_OF_A_SIDE || image->height > MOST_PIXELS_OF_A_SIDE) {
    return fov_status_overflow;
  }
  if (image->format == fov_pixel_format_planar) return check_planes(image);
  FOV_FORWARD(check_rows(image->data_bytes, 0, image->height, image->row_bytes, row_length(image)));
  if (image->format != fov_pixel_format_nv12) return fov_status_ok;
  return check_rows(image->data_bytes, image->chroma_offset, fov_size_parts(image->height, 2),
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

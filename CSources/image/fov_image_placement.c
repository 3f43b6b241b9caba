// Fovea - which part of an image lands where in a network's input.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_error.h"
#include "fovea/core/fov_image.h"

// ImageGeometry and CropPlacement of FoveaGeometry do the same in Swift, and round alike.

// Edges that lie within this many pixels of a decision count as lying on it, so that rounding
// errors do not add a row.
#define EDGE_TOLERANCE 1e-6

// An edge moved into [0, count]; NaN becomes 0.
static size_t pixel_edge(double edge, size_t count) {
  if (!(edge > 0)) return 0;
  return edge < (double)count ? (size_t)edge : count;
}

// The pixels i whose centers i + 0.5 lie in [first, last).
static fov_pixel_range pixels_with_centers(double first, double last, size_t count) {
  const size_t begin = pixel_edge(ceil(first - 0.5 - EDGE_TOLERANCE), count);
  const size_t end = pixel_edge(ceil(last - 0.5 - EDGE_TOLERANCE), count);
  return (fov_pixel_range){begin, end > begin ? end : begin};
}

// The pixels that the stretch from first to last touches, at least one. count > 0.
static fov_pixel_range pixels_touched(double first, double last, size_t count) {
  size_t begin = pixel_edge(floor(first + EDGE_TOLERANCE), count);
  if (begin >= count) begin = count - 1;
  const size_t end = pixel_edge(ceil(last - EDGE_TOLERANCE), count);
  return (fov_pixel_range){begin, end > begin ? end : begin + 1};
}

// A stretch of one axis: where it begins and how long it is, in pixels.
typedef struct stretch {
  double begin, length;
} stretch;

// The part of an image that is seen along one axis, and where the input shows it.
static void place(stretch seen, size_t image_pixels, stretch shown, size_t input_pixels,
                  double scale, double *out_offset, fov_pixel_range *out_source,
                  fov_pixel_range *out_content) {
  *out_offset = seen.begin - shown.begin * scale;
  *out_source = pixels_touched(seen.begin, seen.begin + seen.length, image_pixels);
  *out_content = pixels_with_centers(shown.begin, shown.begin + shown.length, input_pixels);
}

// Whether an image is relatively wider than an input.
static bool is_wider(const fov_image *image, size_t width, size_t height) {
  return (double)image->width * (double)height >= (double)image->height * (double)width;
}

// Both axes at one scale: image pixels to a pixel of the input.
static fov_image_sampling sampling_at(const fov_image *image, size_t width, size_t height,
                                      size_t channels, double scale, stretch seen_columns,
                                      stretch seen_rows, stretch shown_columns,
                                      stretch shown_rows) {
  fov_image_sampling sampling = fov_image_sampling_whole(image, width, height, channels);
  if (image->width == 0 || image->height == 0) return sampling;  // which no call accepts
  sampling.map.a = sampling.map.d = scale;
  place(seen_columns, image->width, shown_columns, width, scale, &sampling.map.tx,
        &sampling.source_columns, &sampling.content_columns);
  place(seen_rows, image->height, shown_rows, height, scale, &sampling.map.ty,
        &sampling.source_rows, &sampling.content_rows);
  return sampling;
}

fov_image_sampling fov_image_sampling_fit(const fov_image *image, size_t width, size_t height,
                                          size_t channels) {
  const double image_width = (double)image->width, image_height = (double)image->height;
  const double columns = (double)width, rows = (double)height;
  stretch shown_columns = {0, columns}, shown_rows = {0, rows};
  double scale;
  if (is_wider(image, width, height)) {
    scale = image_width / columns;
    shown_rows.length = fmin(rows, image_height * columns / image_width);
    shown_rows.begin = (rows - shown_rows.length) / 2;
  } else {
    scale = image_height / rows;
    shown_columns.length = fmin(columns, image_width * rows / image_height);
    shown_columns.begin = (columns - shown_columns.length) / 2;
  }
  return sampling_at(image, width, height, channels, scale, (stretch){0, image_width},
                     (stretch){0, image_height}, shown_columns, shown_rows);
}

fov_image_sampling fov_image_sampling_crop(const fov_image *image, size_t width, size_t height,
                                           size_t channels) {
  const double image_width = (double)image->width, image_height = (double)image->height;
  const double columns = (double)width, rows = (double)height;
  stretch seen_columns = {0, image_width}, seen_rows = {0, image_height};
  double scale;
  if (is_wider(image, width, height)) {
    scale = image_height / rows;
    seen_columns.length = fmin(image_width, columns * image_height / rows);
    seen_columns.begin = (image_width - seen_columns.length) / 2;
  } else {
    scale = image_width / columns;
    seen_rows.length = fmin(image_height, rows * image_width / columns);
    seen_rows.begin = (image_height - seen_rows.length) / 2;
  }
  return sampling_at(image, width, height, channels, scale, seen_columns, seen_rows,
                     (stretch){0, columns}, (stretch){0, rows});
}

// Fovea - sampling an image into the input of a network.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/core/fov_image.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "image/fov_image_check.h"
#include "image/fov_image_grid.h"
#include "kernels/fov_kernel_set.h"

fov_image_sampling fov_image_sampling_whole(const fov_image *image, size_t width, size_t height,
                                            size_t channels) {
  return (fov_image_sampling){
      .map = {.a = (double)image->width / (double)width,
              .d = (double)image->height / (double)height},
      .source_columns = {0, image->width},
      .source_rows = {0, image->height},
      .width = width,
      .height = height,
      .channels = channels,
      .content_columns = {0, width},
      .content_rows = {0, height},
      .filter = fov_image_filter_bilinear,
      .instruction_set = fov_instruction_set_automatic,
  };
}

// MARK: The grid

// Comparisons with NaN are false; infinite numbers make axes that are not finite.
static fov_status place(const fov_image_sampling *sampling, fov_image_grid *grid) {
  const fov_affine_map map = sampling->map;
  const bool aligned = map.b == 0 && map.c == 0 && fabs(map.a) > 0 && fabs(map.d) > 0;
  const bool exchanged = map.a == 0 && map.d == 0 && fabs(map.b) > 0 && fabs(map.c) > 0;
  if (!aligned && !exchanged) return fov_status_invalid_argument;
  grid->exchanged = exchanged;
  if (exchanged) {
    FOV_FORWARD(fov_image_axis_make(map.c, map.ty, sampling->content_columns, sampling->source_rows,
                                    &grid->lines));
    return fov_image_axis_make(map.b, map.tx, sampling->content_rows, sampling->source_columns,
                               &grid->columns);
  }
  FOV_FORWARD(fov_image_axis_make(map.d, map.ty, sampling->content_rows, sampling->source_rows,
                                  &grid->lines));
  return fov_image_axis_make(map.a, map.tx, sampling->content_columns, sampling->source_columns,
                             &grid->columns);
}

// MARK: Padding

static void fill_pixels(const fov_image_sampling *sampling, uint8_t *out, size_t count) {
  if (sampling->channels == 1) {
    memset(out, sampling->fill[0], count);
    return;
  }
  for (size_t i = 0; i < count; i++) memcpy(out + 3 * i, sampling->fill, 3);
}

static void fill_padding(const fov_image_sampling *sampling, uint8_t *out) {
  const fov_pixel_range columns = sampling->content_columns, rows = sampling->content_rows;
  const size_t row_bytes = sampling->width * sampling->channels;
  fill_pixels(sampling, out, rows.begin * sampling->width);
  for (size_t y = rows.begin; y < rows.end; y++) {
    uint8_t *row = out + y * row_bytes;
    fill_pixels(sampling, row, columns.begin);
    fill_pixels(sampling, row + columns.end * sampling->channels, sampling->width - columns.end);
  }
  const size_t below = sampling->height - rows.end;
  fill_pixels(sampling, out + rows.end * row_bytes, below * sampling->width);
}

// MARK: The image

fov_status fov_image_sample(const fov_image *image, const fov_image_sampling *sampling,
                            uint8_t *out_data, size_t out_bytes) {
  FOV_FORWARD(fov_image_check(image));
  FOV_FORWARD(fov_image_sampling_check(image, sampling, out_bytes));
  fov_image_grid grid;
  FOV_FORWARD(place(sampling, &grid));
  const fov_kernel_set *set = fov_kernel_set_find(sampling->instruction_set);
  if (set == NULL) return fov_status_unsupported;
  grid.reader = fov_image_reader_make(image, set->sampling);
  grid.channels = sampling->channels;
  grid.is_luminance = sampling->channels == 1 && grid.reader.channels == 3;
  grid.row_bytes = sampling->width * sampling->channels;
  grid.content = out_data + sampling->content_rows.begin * grid.row_bytes +
                 sampling->content_columns.begin * sampling->channels;
  fill_padding(sampling, out_data);
  if (grid.lines.count == 0 || grid.columns.count == 0) return fov_status_ok;
  const bool shrinks = fov_image_axis_shrinks(&grid.lines) || fov_image_axis_shrinks(&grid.columns);
  if (sampling->filter == fov_image_filter_area && shrinks) {
    fov_image_sample_area(&grid);
  } else {
    fov_image_sample_bilinear(&grid);
  }
  return fov_status_ok;
}

// Fovea - the low-pass filter where an output pixel covers very many source pixels.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "image/fov_image_grid.h"

// The same bytes on every machine: no product and sum may be fused into one rounding. (gcc fuses
// none under -std=c11.)
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define PART_PIXELS 128

// Sums of all channels, and of weights.
typedef struct wide_sum {
  double samples[3];
  double weights;
} wide_sum;

// Adds part of the columns' span: all of its rows.
static void add_part(const fov_image_grid *grid, const fov_image_span *rows,
                     const fov_image_span *columns, size_t begin, size_t count, wide_sum *sum) {
  const size_t channels = grid->reader.channels;
  double column_weights[PART_PIXELS], total = 0;
  for (size_t i = 0; i < count; i++) {
    column_weights[i] = fov_image_span_weight(&grid->columns, columns, begin + i);
    total += column_weights[i];
  }
  uint8_t samples[FOV_READER_BYTES(3 * PART_PIXELS)];
  for (size_t k = 0; k < rows->count; k++) {
    const double row_weight = fov_image_span_weight(&grid->lines, rows, k);
    fov_image_read_row(&grid->reader, rows->start + k, columns->start + begin, count, samples);
    for (size_t c = 0; c < channels; c++) {
      double row_sum = 0;
      for (size_t i = 0; i < count; i++) row_sum += column_weights[i] * samples[channels * i + c];
      sum->samples[c] += row_weight * row_sum;
    }
    sum->weights += row_weight * total;
  }
}

static uint8_t byte_of(double x) { return (uint8_t)(x + 0.5); }

static void write_pixel(const fov_image_grid *grid, const wide_sum *sum, uint8_t *out) {
  const size_t red = grid->reader.blue_first ? 2 : 0, blue = 2 - red;
  double means[3];
  for (size_t c = 0; c < grid->reader.channels; c++) means[c] = sum->samples[c] / sum->weights;
  if (grid->is_luminance) {
    *out = byte_of(0.299 * means[red] + 0.587 * means[1] + 0.114 * means[blue]);
    return;
  }
  uint8_t samples[3];
  for (size_t c = 0; c < grid->reader.channels; c++) samples[c] = byte_of(means[c]);
  fov_image_write_samples(grid, samples, 1, out);
}

void fov_image_sample_wide_area(const fov_image_grid *grid) {
  fov_image_tile tile;
  for (size_t column = 0; column < grid->columns.count; column++) {
    const fov_image_span columns = fov_image_axis_span(&grid->columns, column);
    for (size_t line = 0; line < grid->lines.count; line++) {
      const fov_image_span rows = fov_image_axis_span(&grid->lines, line);
      wide_sum sum = {.weights = 0};
      for (size_t begin = 0; begin < columns.count; begin += PART_PIXELS) {
        const size_t count = fov_size_min(PART_PIXELS, columns.count - begin);
        add_part(grid, &rows, &columns, begin, count, &sum);
      }
      write_pixel(grid, &sum, fov_image_line_begin(grid, &tile, line, column));
      fov_image_line_end(grid, &tile, line, column, 1);
    }
  }
}

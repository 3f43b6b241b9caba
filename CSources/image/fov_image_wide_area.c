// Fovea - the low-pass filter where an output pixel covers very many source pixels.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_size.h"
#include "image/fov_image_grid.h"

#define PART_PIXELS 128
#define BLOCK_LINES 128
_Static_assert(BLOCK_LINES % FOV_TILE_LINES == 0, "tiles end where blocks do");

// Sums of all channels, and of weights.
typedef struct wide_sum {
  double samples[3];
  double weights;
} wide_sum;

// Lines of the output, by the first row of their spans: in order, or mirrored. Spans overlap, and
// each row of the image is read and summed once for all of them.
typedef struct line_block {
  size_t begin, count;
  size_t row_begin, row_end;  // of all spans together
  fov_image_span rows[BLOCK_LINES];
  wide_sum sums[BLOCK_LINES];  // of one column
} line_block;

// The place of the block's line i, and the line of place i.
static size_t mirrored(const fov_image_grid *grid, const line_block *block, size_t i) {
  return grid->lines.mirrored ? block->count - 1 - i : i;
}

static void place_lines(const fov_image_grid *grid, line_block *block) {
  block->count = fov_size_min(BLOCK_LINES, grid->lines.count - block->begin);
  block->row_begin = SIZE_MAX;
  block->row_end = 0;
  for (size_t i = 0; i < block->count; i++) {
    const fov_image_span rows =
        fov_image_axis_span(&grid->lines, block->begin + mirrored(grid, block, i));
    block->rows[i] = rows;
    block->row_begin = fov_size_min(block->row_begin, rows.start);
    block->row_end = fov_size_max(block->row_end, rows.start + rows.count);
  }
}

// Adds a row's sums to the lines from `first` on that it has a weight for.
static void add_row(const fov_image_grid *grid, line_block *block, size_t first, size_t row,
                    const wide_sum *sum) {
  for (size_t i = first; i < block->count && block->rows[i].start <= row; i++) {
    const fov_image_span *rows = &block->rows[i];
    if (row - rows->start >= rows->count) continue;
    const double weight = fov_image_span_weight(&grid->lines, rows, row - rows->start);
    for (size_t c = 0; c < grid->reader.channels; c++) {
      block->sums[i].samples[c] += weight * sum->samples[c];
    }
    block->sums[i].weights += weight * sum->weights;
  }
}

// Adds part of the columns' span: all rows of the block.
static void add_part(const fov_image_grid *grid, line_block *block, const fov_image_span *columns,
                     size_t begin, size_t count) {
  const size_t channels = grid->reader.channels;
  double column_weights[PART_PIXELS], total = 0;
  for (size_t i = 0; i < count; i++) {
    column_weights[i] = fov_image_span_weight(&grid->columns, columns, begin + i);
    total += column_weights[i];
  }
  uint8_t samples[FOV_READER_BYTES(3 * PART_PIXELS)];
  size_t first = 0;
  for (size_t row = block->row_begin; row < block->row_end; row++) {
    while (row >= block->rows[first].start + block->rows[first].count) first++;
    wide_sum sum = {.weights = total};
    fov_image_read_row(&grid->reader, row, columns->start + begin, count, samples);
    for (size_t c = 0; c < channels; c++) {
      for (size_t i = 0; i < count; i++) {
        sum.samples[c] += column_weights[i] * samples[channels * i + c];
      }
    }
    add_row(grid, block, first, row, &sum);
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

static void sample_block(const fov_image_grid *grid, line_block *block, size_t column,
                         fov_image_tile *tile) {
  const fov_image_span columns = fov_image_axis_span(&grid->columns, column);
  memset(block->sums, 0, block->count * sizeof *block->sums);
  for (size_t begin = 0; begin < columns.count; begin += PART_PIXELS) {
    const size_t count = fov_size_min(PART_PIXELS, columns.count - begin);
    add_part(grid, block, &columns, begin, count);
  }
  for (size_t i = 0; i < block->count; i++) {
    const size_t line = block->begin + i;
    const wide_sum *sum = &block->sums[mirrored(grid, block, i)];
    write_pixel(grid, sum, fov_image_line_begin(grid, tile, line, column));
    fov_image_line_end(grid, tile, line, column, 1);
  }
}

void fov_image_sample_wide_area(const fov_image_grid *grid) {
  fov_image_tile tile;
  line_block block;
  for (block.begin = 0; block.begin < grid->lines.count; block.begin += block.count) {
    place_lines(grid, &block);
    for (size_t column = 0; column < grid->columns.count; column++) {
      sample_block(grid, &block, column, &tile);
    }
  }
}

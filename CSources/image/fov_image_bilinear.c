// Fovea - bilinear sampling.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "image/fov_image_grid.h"

// Columns whose positions are computed once for all lines. Few blocks are better: processors fetch long
// runs of memory ahead.
#define BLOCK_PIXELS 448
#define BLOCK_SAMPLES (3 * BLOCK_PIXELS)

typedef struct column_block {
  size_t begin, count, step;
  size_t left[BLOCK_PIXELS];
  bool is_coarse;
  double weights[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
  float near_weights[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
} column_block;

// Stored rows of a block. Neighboring rows differ in their last bit, which says where each is kept: the
// next line often needs one of them again.
typedef struct row_samples {
  size_t row;  // SIZE_MAX: none yet
  uint8_t left[FOV_READER_BYTES(BLOCK_SAMPLES)];
  uint8_t right[FOV_READER_BYTES(BLOCK_SAMPLES)];
} row_samples;

static bool is_coarse(double weight) { return weight * 256 == floor(weight * 256); }

static void place_columns(const fov_image_grid *grid, column_block *block) {
  const size_t channels = grid->reader.channels, samples = channels * block->count;
  block->is_coarse = true;
  for (size_t i = 0; i < block->count; i++) {
    const fov_image_pair pair = fov_image_axis_pair(&grid->columns, block->begin + i);
    block->left[i] = pair.left;
    block->is_coarse = block->is_coarse && is_coarse(pair.weight);
    for (size_t c = 0; c < channels; c++) block->weights[channels * i + c] = pair.weight;
  }
  // Slack takes part in what is computed, and must be numbers.
  for (size_t i = samples; i < samples + FOV_SAMPLING_SLACK; i++) block->weights[i] = 0;
  for (size_t i = 0; i < samples + FOV_SAMPLING_SLACK; i++) {
    block->near_weights[i] = (float)block->weights[i];
  }
}

static const row_samples *read_row(const fov_image_grid *grid, const column_block *block,
                                   size_t row, row_samples *kept) {
  row_samples *samples = &kept[row % 2];
  if (samples->row != row) {
    samples->row = row;
    fov_image_read_pairs(&grid->reader, row, block->left, block->step, block->count, samples->left,
                         samples->right);
  }
  return samples;
}

static void write_luminance(const fov_image_grid *grid, const double *sums, size_t count,
                            uint8_t *out) {
  const size_t red = grid->reader.blue_first ? 2 : 0, blue = 2 - red;
  for (size_t i = 0; i < count; i++, sums += 3) {
    out[i] = (uint8_t)(0.299 * sums[red] + 0.587 * sums[1] + 0.114 * sums[blue] + 0.5);
  }
}

// What is spent on a line that floats cannot tell is spent in vain; see FLOATS_SETTLED. Where fractions of
// small denominators make ties frequent, the next lines go without.
#define LINES_WITHOUT_FLOATS 15
#define MUCH_IN_VAIN 96  // of 256

static void write_bytes(const fov_image_grid *grid, const fov_bilinear_run *run, size_t samples,
                        size_t *lines_without_floats, uint8_t *out) {
  const fov_sampling_kernels *kernels = grid->reader.kernels;
  if (*lines_without_floats > 0) {
    *lines_without_floats -= 1;
    kernels->bilinear_exact(run, samples, out);
  } else if (kernels->bilinear(run, samples, out) > MUCH_IN_VAIN) {
    *lines_without_floats = LINES_WITHOUT_FLOATS;
  }
}

static void write_line(const fov_image_grid *grid, const fov_bilinear_run *run, size_t count,
                       size_t *lines_without_floats, uint8_t *out) {
  const size_t samples = count * grid->reader.channels;
  if (grid->is_luminance) {
    double sums[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
    grid->reader.kernels->bilinear_sums(run, samples, sums);
    write_luminance(grid, sums, count, out);
  } else if (fov_image_writes_samples(grid)) {
    write_bytes(grid, run, samples, lines_without_floats, out);
  } else {
    uint8_t bytes[BLOCK_SAMPLES];
    write_bytes(grid, run, samples, lines_without_floats, bytes);
    fov_image_write_samples(grid, bytes, count, out);
  }
}

// Mixes along the output's rows come first: along columns of the image where axes are exchanged.
static void sample_block(const fov_image_grid *grid, const column_block *block,
                         fov_image_tile *tile) {
  row_samples kept[2];
  kept[0].row = kept[1].row = SIZE_MAX;
  const size_t step = grid->lines.size > 1;
  const bool turned = grid->lines.mirrored, mirrored = grid->columns.mirrored;
  size_t lines_without_floats = 0;
  for (size_t line = 0; line < grid->lines.count; line++) {
    const fov_image_pair pair = fov_image_axis_pair(&grid->lines, line);
    const row_samples *upper = read_row(grid, block, pair.left, kept);
    const row_samples *lower = read_row(grid, block, pair.left + step, kept);
    const row_samples *rows[2] = {turned ? lower : upper, turned ? upper : lower};
    const fov_bilinear_run run = {
        .first = {mirrored ? rows[0]->right : rows[0]->left,
                  mirrored ? rows[1]->right : rows[1]->left},
        .second = {mirrored ? rows[0]->left : rows[0]->right,
                   mirrored ? rows[1]->left : rows[1]->right},
        .weights = block->weights,
        .near_weights = block->near_weights,
        .row_weight = pair.weight,
        .is_coarse = block->is_coarse && is_coarse(pair.weight),
        .rows_first = grid->exchanged,
    };
    write_line(grid, &run, block->count, &lines_without_floats,
               fov_image_line_begin(grid, tile, line, block->begin));
    fov_image_line_end(grid, tile, line, block->begin, block->count);
  }
}

void fov_image_sample_bilinear(const fov_image_grid *grid) {
  fov_image_tile tile;
  column_block block = {.step = grid->columns.size > 1};
  const size_t most = grid->exchanged ? FOV_TILE_PIXELS : BLOCK_PIXELS;
  for (; block.begin < grid->columns.count; block.begin += block.count) {
    block.count = fov_size_min(most, grid->columns.count - block.begin);
    place_columns(grid, &block);
    sample_block(grid, &block, &tile);
  }
}

// Fovea - bilinear sampling.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "image/fov_image_grid.h"
#include "image/fov_image_pairs.h"

#define BLOCK_SAMPLES (3 * FOV_MOST_PAIRS)

// How samples follow each other: from pixel to pixel, and from channel to channel of one.
typedef struct sample_layout {
  size_t pixel, channel;
  size_t samples;  // of a line
} sample_layout;

typedef struct column_block {
  size_t begin;
  fov_image_pairs pairs;
  sample_layout layout;
  bool is_coarse;
  double weights[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
  float near_weights[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
} column_block;

// Stored rows of a block. Neighboring rows differ in their last bit, which says where each is kept:
// the next line often needs one of them again.
typedef struct row_samples {
  size_t row;  // SIZE_MAX: none yet
  uint8_t left[FOV_READER_BYTES(BLOCK_SAMPLES)];
  uint8_t right[FOV_READER_BYTES(BLOCK_SAMPLES)];
} row_samples;

typedef struct kept_rows {
  row_samples rows[2];
  fov_pair_planes planes;
} kept_rows;

static bool is_coarse(double weight) { return weight * 256 == floor(weight * 256); }

static sample_layout layout_of(const fov_image_grid *grid, const fov_image_pairs *pairs) {
  const size_t channels = grid->reader.channels, plane = pairs->plane_bytes;
  if (plane > 0) return (sample_layout){1, plane, channels * plane};
  return (sample_layout){channels, 1, channels * pairs->count};
}

static void place_weights(size_t channels, const double *weights, column_block *block) {
  const sample_layout *layout = &block->layout;
  // Slack, and what planes have behind their pixels, take part in what is computed.
  for (size_t i = 0; i < layout->samples + FOV_SAMPLING_SLACK; i++) block->weights[i] = 0;
  for (size_t i = 0; i < block->pairs.count; i++) {
    for (size_t c = 0; c < channels; c++) {
      block->weights[i * layout->pixel + c * layout->channel] = weights[i];
    }
  }
  for (size_t i = 0; i < layout->samples + FOV_SAMPLING_SLACK; i++) {
    block->near_weights[i] = (float)block->weights[i];
  }
}

static void place_columns(const fov_image_grid *grid, column_block *block) {
  fov_image_pairs *pairs = &block->pairs;
  double weights[FOV_MOST_PAIRS];
  block->is_coarse = true;
  for (size_t i = 0; i < pairs->count; i++) {
    const fov_image_pair pair = fov_image_axis_pair(&grid->columns, block->begin + i);
    pairs->left[i] = pair.left;
    weights[i] = pair.weight;
    block->is_coarse = block->is_coarse && is_coarse(pair.weight);
  }
  fov_image_pairs_prepare(&grid->reader, pairs);
  block->layout = layout_of(grid, pairs);
  place_weights(grid->reader.channels, weights, block);
}

static const row_samples *read_row(const fov_image_grid *grid, const column_block *block,
                                   size_t row, kept_rows *kept) {
  row_samples *samples = &kept->rows[row % 2];
  if (samples->row != row) {
    samples->row = row;
    fov_image_pairs_read(&grid->reader, &block->pairs, row, &kept->planes, samples->left,
                         samples->right);
  }
  return samples;
}

static void write_luminance(const fov_image_grid *grid, const column_block *block,
                            const double *sums, uint8_t *out) {
  const size_t channel = block->layout.channel;
  const size_t red = grid->reader.blue_first ? 2 * channel : 0, blue = 2 * channel - red;
  for (size_t i = 0; i < block->pairs.count; i++, sums += block->layout.pixel) {
    out[i] = (uint8_t)(0.299 * sums[red] + 0.587 * sums[channel] + 0.114 * sums[blue] + 0.5);
  }
}

// What is spent on a line that floats cannot tell is spent in vain; see FLOATS_SETTLED. Fractions
// of small denominators make ties frequent, in all lines or in one of a few. So the next lines go
// without: one, and after each further line in vain twice as many and one.
typedef struct float_pause {
  size_t lines;  // that go without now
  size_t last;   // that the last line in vain caused; 0: none since floats did well
} float_pause;

#define LONGEST_PAUSE 15
#define MUCH_IN_VAIN 96  // of 256

static void write_bytes(const fov_image_grid *grid, const fov_bilinear_run *run, size_t samples,
                        float_pause *pause, uint8_t *out) {
  const fov_sampling_kernels *kernels = grid->reader.kernels;
  if (pause->lines > 0) {
    pause->lines -= 1;
    kernels->bilinear_exact(run, samples, out);
    return;
  }
  const bool is_in_vain = kernels->bilinear(run, samples, out) > MUCH_IN_VAIN;
  pause->last = is_in_vain ? fov_size_min(2 * pause->last + 1, LONGEST_PAUSE) : 0;
  pause->lines = pause->last;
}

static void write_line(const fov_image_grid *grid, const column_block *block,
                       const fov_bilinear_run *run, float_pause *pause, uint8_t *out) {
  const fov_sampling_kernels *kernels = grid->reader.kernels;
  const size_t samples = block->layout.samples, plane = block->pairs.plane_bytes;
  if (grid->is_luminance) {
    double sums[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
    kernels->bilinear_sums(run, samples, sums);
    write_luminance(grid, block, sums, out);
    return;
  }
  if (plane == 0 && fov_image_writes_samples(grid)) {
    write_bytes(grid, run, samples, pause, out);
    return;
  }
  uint8_t bytes[BLOCK_SAMPLES + FOV_SAMPLING_SLACK];
  write_bytes(grid, run, samples, pause, bytes);
  if (plane > 0) {
    const fov_color_planes planes = {bytes, bytes + plane, bytes + 2 * plane};
    kernels->interleave(&planes, block->pairs.count, out);
  } else {
    fov_image_write_samples(grid, bytes, block->pairs.count, out);
  }
}

// Mixes along the output's rows come first: along columns of the image where axes are exchanged.
static void sample_block(const fov_image_grid *grid, const column_block *block,
                         fov_image_tile *tile) {
  kept_rows kept;
  kept.rows[0].row = kept.rows[1].row = SIZE_MAX;
  kept.planes.chroma = NULL;
  const size_t step = grid->lines.size > 1;
  const bool turned = grid->lines.mirrored, mirrored = grid->columns.mirrored;
  float_pause pause = {0};
  for (size_t line = 0; line < grid->lines.count; line++) {
    const fov_image_pair pair = fov_image_axis_pair(&grid->lines, line);
    const row_samples *upper = read_row(grid, block, pair.left, &kept);
    const row_samples *lower = read_row(grid, block, pair.left + step, &kept);
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
    write_line(grid, block, &run, &pause, fov_image_line_begin(grid, tile, line, block->begin));
    fov_image_line_end(grid, tile, line, block->begin, block->pairs.count);
  }
}

void fov_image_sample_bilinear(const fov_image_grid *grid) {
  fov_image_tile tile;
  column_block block = {.pairs.step = grid->columns.size > 1};
  const size_t most = grid->exchanged ? FOV_TILE_PIXELS : FOV_MOST_PAIRS;
  for (; block.begin < grid->columns.count; block.begin += block.pairs.count) {
    block.pairs.count = fov_size_min(most, grid->columns.count - block.begin);
    place_columns(grid, &block);
    sample_block(grid, &block, &tile);
  }
}

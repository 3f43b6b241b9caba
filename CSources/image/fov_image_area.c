// Fovea - sampling with a low-pass filter, in fixed point.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_size.h"
#include "image/fov_image_grid.h"

// Rows come first: sums of neighboring bytes are what vectors do best, and only sums are left for
// the columns. Both axes have their weights in tables; where a table ends, the next block begins.
//
// A weight is off by less than 2^-15, and sums of neighboring ones by half of that: a span of n
// pixels is off by at most n/2 * 255 * 2^-15, 0.25 for the longest, along each axis. Levels are
// rounded to 1/128. Together less than 1 beside the exact mean.
#define STRIP_PIXELS 512  // of the image
#define STRIP_LEVELS (3 * (STRIP_PIXELS + FOV_AREA_LONGEST_SPAN) + FOV_SAMPLING_SLACK)
#define COLUMN_WEIGHTS 2048
#define LINE_WEIGHTS 4096
#define LINES 512
// Converted rows of a strip, and what kernels add to each: the longest span of both axes fits.
#define CONVERTED_BYTES 16384
// clang-format off
#define CONVERTED_PIXELS(rows) ((CONVERTED_BYTES / (rows) - FOV_SAMPLING_SLACK) / 3)
// clang-format on

static size_t round_up(size_t x, size_t multiple) { return fov_size_parts(x, multiple) * multiple; }

// MARK: Lines

typedef struct line_block {
  size_t begin, count;
  size_t longest;  // even
  size_t starts[LINES];
  uint8_t taps[LINES];            // even, at most `longest`
  int16_t weights[LINE_WEIGHTS];  // those of the next line are `longest` further on
} line_block;

static void place_lines(const fov_image_grid *grid, line_block *block) {
  const size_t most = fov_size_min(LINES, LINE_WEIGHTS / block->longest);
  block->count = fov_size_min(most, grid->lines.count - block->begin);
  memset(block->weights, 0, block->count * block->longest * sizeof *block->weights);
  for (size_t i = 0; i < block->count; i++) {
    const fov_image_span span = fov_image_axis_span(&grid->lines, block->begin + i);
    block->starts[i] = span.start;
    block->taps[i] = (uint8_t)round_up(span.count, 2);
    fov_image_span_weights(&grid->lines, &span, block->weights + i * block->longest);
  }
}

// MARK: Columns

typedef struct column_block {
  size_t begin, count;
  size_t taps;                 // see fov_area_columns
  size_t longest;              // pixels of the image that may be read for a block
  size_t strip, strip_pixels;  // that it needs
  uint16_t starts[FOV_TILE_PIXELS];
  int16_t weights[COLUMN_WEIGHTS];
} column_block;

static void place_columns(const fov_image_grid *grid, column_block *block) {
  const size_t most = fov_size_min(FOV_TILE_PIXELS, COLUMN_WEIGHTS / block->taps);
  size_t begin = SIZE_MAX, end = 0, starts[FOV_TILE_PIXELS];
  memset(block->weights, 0, sizeof block->weights);
  for (block->count = 0; block->count < fov_size_min(most, grid->columns.count - block->begin);
       block->count++) {
    const size_t i = block->count;
    const fov_image_span span = fov_image_axis_span(&grid->columns, block->begin + i);
    const size_t wider_begin = fov_size_min(begin, span.start);
    const size_t wider_end = fov_size_max(end, span.start + span.count);
    if (wider_end - wider_begin > block->longest) break;
    begin = wider_begin;
    end = wider_end;
    starts[i] = span.start;
    fov_image_span_weights(&grid->columns, &span, block->weights + i * block->taps);
  }
  for (size_t i = 0; i < block->count; i++) block->starts[i] = (uint16_t)(starts[i] - begin);
  block->strip = begin;
  block->strip_pixels = end - begin;
}

// MARK: Rows of a strip

// Rows that had to be converted, each where the remainder of its number says: the span of a line
// finds place, and the next line finds most of it again.
typedef struct converted_rows {
  size_t count;
  size_t row[FOV_AREA_LONGEST_SPAN];  // SIZE_MAX: none yet
  uint8_t bytes[CONVERTED_BYTES];
} converted_rows;

static void forget_rows(converted_rows *kept, size_t count) {
  kept->count = count;
  for (size_t i = 0; i < count; i++) kept->row[i] = SIZE_MAX;
}

static const uint8_t *find_row(const fov_image_grid *grid, const column_block *columns, size_t row,
                               converted_rows *kept) {
  const fov_image_reader *reader = &grid->reader;
  if (reader->is_stored) return fov_image_stored_samples(reader, row, columns->strip);
  const size_t slot = row % kept->count;
  uint8_t *bytes = kept->bytes + slot * (CONVERTED_BYTES / kept->count);
  if (kept->row[slot] != row) {
    kept->row[slot] = row;
    fov_image_read_row(reader, row, columns->strip, columns->strip_pixels, bytes);
  }
  return bytes;
}

// MARK: Samples

static inline uint8_t byte_of_level(int32_t level) { return (uint8_t)((level + 64) >> 7); }

// 0.299, 0.587 and 0.114 as multiples of 2^-15.
static void write_luminance(const fov_image_grid *grid, const int16_t *levels, size_t count,
                            uint8_t *out) {
  const size_t red = grid->reader.blue_first ? 2 : 0, blue = 2 - red;
  for (size_t i = 0; i < count; i++, levels += 3) {
    const int32_t sum = 9798 * levels[red] + 19235 * levels[1] + 3735 * levels[blue];
    out[i] = (uint8_t)((sum + (1 << 21)) >> 22);
  }
}

static void write_line(const fov_image_grid *grid, const int16_t *levels, size_t count,
                       uint8_t *out) {
  const size_t samples = count * grid->reader.channels;
  if (grid->is_luminance) {
    write_luminance(grid, levels, count, out);
  } else if (fov_image_writes_samples(grid)) {
    for (size_t i = 0; i < samples; i++) out[i] = byte_of_level(levels[i]);
  } else {
    uint8_t bytes[3 * FOV_TILE_PIXELS];
    for (size_t i = 0; i < samples; i++) bytes[i] = byte_of_level(levels[i]);
    fov_image_write_samples(grid, bytes, count, out);
  }
}

// MARK: The image

static void sample_block(const fov_image_grid *grid, const line_block *lines,
                         const column_block *columns, converted_rows *kept, fov_image_tile *tile) {
  const fov_sampling_kernels *kernels = grid->reader.kernels;
  const size_t channels = grid->reader.channels;
  const fov_area_columns run = {columns->starts, columns->weights, columns->taps, columns->count,
                                channels};
  const size_t samples = columns->strip_pixels * channels;
  const size_t last_row = grid->lines.begin + grid->lines.size - 1;
  int16_t strip[STRIP_LEVELS], levels[3 * FOV_TILE_PIXELS + FOV_SAMPLING_SLACK];
  // Weights of 0 read further than the strip.
  memset(strip + samples, 0, (STRIP_LEVELS - samples) * sizeof *strip);
  forget_rows(kept, lines->longest);
  for (size_t i = 0; i < lines->count; i++) {
    const uint8_t *rows[FOV_AREA_LONGEST_SPAN];
    const size_t taps = lines->taps[i];
    for (size_t k = 0; k < taps; k++) {
      rows[k] = find_row(grid, columns, fov_size_min(lines->starts[i] + k, last_row), kept);
    }
    kernels->area_rows(rows, lines->weights + i * lines->longest, taps, samples, strip);
    kernels->area_columns(&run, strip, levels);
    const size_t line = lines->begin + i;
    write_line(grid, levels, columns->count,
               fov_image_line_begin(grid, tile, line, columns->begin));
    fov_image_line_end(grid, tile, line, columns->begin, columns->count);
  }
}

void fov_image_sample_area(const fov_image_grid *grid) {
  const size_t line_span = fov_image_axis_longest_span(&grid->lines);
  const size_t column_span = fov_image_axis_longest_span(&grid->columns);
  if (line_span > FOV_AREA_LONGEST_SPAN || column_span > FOV_AREA_LONGEST_SPAN) {
    fov_image_sample_wide_area(grid);
    return;
  }
  fov_image_tile tile;
  converted_rows kept;
  line_block lines = {.longest = round_up(line_span, 2)};
  const size_t converted = CONVERTED_PIXELS(lines.longest);
  for (; lines.begin < grid->lines.count; lines.begin += lines.count) {
    place_lines(grid, &lines);
    column_block columns = {
        .taps = round_up(column_span, grid->reader.channels == 1 ? 8 : 2),
        .longest = grid->reader.is_stored ? STRIP_PIXELS : fov_size_min(STRIP_PIXELS, converted),
    };
    for (; columns.begin < grid->columns.count; columns.begin += columns.count) {
      place_columns(grid, &columns);
      sample_block(grid, &lines, &columns, &kept, &tile);
    }
  }
}

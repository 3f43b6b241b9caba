// Fovea - scaling a picture to the size of a network's input.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/fov_image.h"

#include <math.h>
#include <stdbool.h>

#include "base/fov_error.h"
#include "base/fov_size.h"

// The same bytes on every machine: no product and sum may be fused into one rounding. (gcc fuses
// none under -std=c11.)
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

// Columns whose positions are computed once and kept on the stack for all rows.
#define BLOCK_COLUMNS 128

// MARK: positions

// Where an output element lies between two neighbours of the source.
typedef struct position {
  size_t low, high;  // elements; high is low + 1 except at the border
  double weight;     // of high, in [0, 1)
} position;

static position position_of(size_t index, size_t source, size_t output) {
  const double last = (double)(source - 1);
  double x = ((double)index + 0.5) * (double)source / (double)output - 0.5;
  x = x < 0 ? 0 : x > last ? last : x;
  const size_t low = fov_size_min((size_t)x, source - 1);
  return (position){low, fov_size_min(low + 1, source - 1), x - floor(x)};
}

// MARK: samples

// The two rows of the source around one row of the output.
typedef struct row_pair {
  const uint8_t *top;
  const uint8_t *bottom;
  double weight;  // of bottom
} row_pair;

static inline double mix(double low, double high, double weight) {
  return low * (1 - weight) + high * weight;
}

// low and high of the position count bytes here.
static inline double sample(const row_pair *rows, const position *column, size_t channel) {
  const size_t low = column->low + channel, high = column->high + channel;
  const double top = mix(rows->top[low], rows->top[high], column->weight);
  const double bottom = mix(rows->bottom[low], rows->bottom[high], column->weight);
  return mix(top, bottom, rows->weight);
}

static inline uint8_t round_to_byte(double value) { return (uint8_t)(value + 0.5); }

// MARK: one row of a block of columns, by channels of source and output

typedef void (*write_row)(const row_pair *rows, const position *columns, size_t count, uint8_t *out);

static void write_colour(const row_pair *rows, const position *columns, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < 3; c++) out[3 * i + c] = round_to_byte(sample(rows, &columns[i], c));
  }
}

static void write_grey(const row_pair *rows, const position *columns, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = round_to_byte(sample(rows, &columns[i], 0));
}

static void write_grey_as_colour(const row_pair *rows, const position *columns, size_t count,
                                 uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t grey = round_to_byte(sample(rows, &columns[i], 0));
    out[3 * i] = out[3 * i + 1] = out[3 * i + 2] = grey;
  }
}

static void write_colour_as_grey(const row_pair *rows, const position *columns, size_t count,
                                 uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    const double red = sample(rows, &columns[i], 0);
    const double green = sample(rows, &columns[i], 1);
    const double blue = sample(rows, &columns[i], 2);
    out[i] = round_to_byte(0.299 * red + 0.587 * green + 0.114 * blue);
  }
}

static write_row choose_writer(size_t source_channels, size_t channels) {
  if (source_channels == 3) return channels == 3 ? write_colour : write_colour_as_grey;
  return channels == 3 ? write_grey_as_colour : write_grey;
}

// MARK: checks

static bool is_picture_size(size_t width, size_t height, size_t channels) {
  return width > 0 && height > 0 && (channels == 1 || channels == 3);
}

// Bytes from the first to one past the last of a picture; false when they do not fit.
static bool extent(size_t width, size_t height, size_t channels, size_t row_bytes,
                   size_t *out_bytes) {
  size_t row, above;
  return fov_size_multiply(width, channels, &row) &&
         fov_size_multiply(height - 1, row_bytes, &above) && fov_size_add(above, row, out_bytes);
}

static fov_status check(const fov_image *source, size_t width, size_t height, size_t channels,
                        size_t out_bytes) {
  if (!is_picture_size(source->width, source->height, source->channels) ||
      !is_picture_size(width, height, channels)) {
    return fov_status_invalid_argument;
  }
  size_t row, bytes;
  if (!fov_size_multiply(source->width, source->channels, &row)) return fov_status_overflow;
  if (source->row_bytes < row) return fov_status_invalid_argument;
  if (!extent(source->width, source->height, source->channels, source->row_bytes, &bytes)) {
    return fov_status_overflow;
  }
  if (source->data_bytes < bytes) return fov_status_buffer_too_small;
  if (!fov_size_multiply(width, channels, &row) || !fov_size_multiply(row, height, &bytes)) {
    return fov_status_overflow;
  }
  return out_bytes < bytes ? fov_status_buffer_too_small : fov_status_ok;
}

// MARK: the picture

fov_status fov_image_resize(const fov_image *source, size_t width, size_t height, size_t channels,
                            uint8_t *out_data, size_t out_bytes) {
  FOV_FORWARD(check(source, width, height, channels, out_bytes));
  const write_row write = choose_writer(source->channels, channels);
  for (size_t begin = 0; begin < width; begin += BLOCK_COLUMNS) {
    const size_t count = fov_size_min(BLOCK_COLUMNS, width - begin);
    position columns[BLOCK_COLUMNS];
    for (size_t i = 0; i < count; i++) {
      columns[i] = position_of(begin + i, source->width, width);
      columns[i].low *= source->channels;
      columns[i].high *= source->channels;
    }
    for (size_t y = 0; y < height; y++) {
      const position row = position_of(y, source->height, height);
      const row_pair rows = {source->data + row.low * source->row_bytes,
                         source->data + row.high * source->row_bytes, row.weight};
      write(&rows, columns, count, out_data + (y * width + begin) * channels);
    }
  }
  return fov_status_ok;
}

// Fovea - planes of a picture, their slopes, and ridges of these.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_quad_parts.h"

#define SHARE 128.0f
#define DARK 32

// MARK: Planes

// Adds the pixels of a row, factor by factor, to `sums`: columns x channels.
static void add_row(const uint8_t *row, int columns, int factor, int channels, uint16_t *sums) {
  if (factor == 1) {
    for (int i = 0; i < columns * channels; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
    return;
  }
  for (int x = 0; x < columns; x++) {
    for (int c = 0; c < channels; c++) {
      unsigned sum = 0;
      for (int k = 0; k < factor; k++) sum += row[k * channels + c];
      // The mean of each row: sums of 114 rows fit.
      const unsigned mean = (sum + (unsigned)factor / 2) / (unsigned)factor;
      sums[x * channels + c] = (uint16_t)(sums[x * channels + c] + mean);
    }
    row += factor * channels;
  }
}

void fov_quad_reduce(fov_quad_finder *f, const fov_still_image *picture) {
  const int columns = f->columns, channels = f->channels;
  const size_t plane = (size_t)columns * (size_t)f->rows;
  const unsigned factor = (unsigned)f->factor;
  for (int y = 0; y < f->rows; y++) {
    memset(f->sums, 0, sizeof(uint16_t) * (size_t)(columns * channels));
    for (int k = 0; k < f->factor; k++) {
      const size_t row = (size_t)(y * f->factor + k);
      add_row(picture->bytes + row * picture->row_bytes, columns, f->factor, channels, f->sums);
    }
    uint8_t *out = f->planes + (size_t)y * (size_t)columns;
    if (channels == 1) {
      for (int x = 0; x < columns; x++) out[x] = (uint8_t)(f->sums[x] / factor);
      continue;
    }
    for (int x = 0; x < columns; x++) {
      const int red = (int)(f->sums[3 * x] / factor), green = (int)(f->sums[3 * x + 1] / factor);
      const int blue = (int)(f->sums[3 * x + 2] / factor), light = (red + 2 * green + blue) / 4;
      // Shares of red and blue stay the same in shade. Dark pixels have hardly any color.
      const float scale = SHARE / (float)(light + DARK);
      out[x] = (uint8_t)light;
      out[plane + (size_t)x] = (uint8_t)fov_bounded(128 + (float)(red - light) * scale, 0, 255);
      out[2 * plane + (size_t)x] =
          (uint8_t)fov_bounded(128 + (float)(blue - light) * scale, 0, 255);
    }
  }
}

// MARK: Slopes

// (1 4 6 4 1) / 16 down, into `out` of 16-bit sums; then across.
static void smooth_row(const uint8_t *plane, int columns, int rows, int y, uint16_t *sums,
                       uint8_t *out) {
  const uint8_t *row[5];
  for (int k = 0; k < 5; k++) {
    row[k] = plane + (size_t)fov_bounded_index(y + k - 2, rows) * (size_t)columns;
  }
  // Two repeated columns at both ends.
  uint16_t *middle = sums + 2;
  for (int x = 0; x < columns; x++) {
    middle[x] = (uint16_t)(row[0][x] + row[4][x] + 4 * (row[1][x] + row[3][x]) + 6 * row[2][x]);
  }
  sums[0] = sums[1] = middle[0];
  middle[columns] = middle[columns + 1] = middle[columns - 1];
  for (int x = 0; x < columns; x++) {
    const unsigned sum = (unsigned)sums[x] + sums[x + 4] +
                         4u * ((unsigned)sums[x + 1] + sums[x + 3]) + 6u * sums[x + 2];
    out[x] = (uint8_t)((sum + 128) >> 8);
  }
}

// The slopes of one row, where they are steeper than those that are there.
static void slope_row(const uint8_t *above, const uint8_t *row, const uint8_t *below, int columns,
                      int16_t *restrict dx, int16_t *restrict dy, uint16_t *restrict slopes) {
  for (int x = 1; x + 1 < columns; x++) {
    const int right = above[x + 1] + 2 * row[x + 1] + below[x + 1];
    const int left = above[x - 1] + 2 * row[x - 1] + below[x - 1];
    const int lower = below[x - 1] + 2 * below[x] + below[x + 1];
    const int upper = above[x - 1] + 2 * above[x] + above[x + 1];
    const int u = right - left, v = lower - upper;
    const int a = u < 0 ? -u : u, b = v < 0 ? -v : v;
    // The length of (u, v) within 4 %.
    const int more = a > b ? a : b, less = a > b ? b : a;
    const int length = more + (3 * less >> 3);
    const bool steeper = length > slopes[x];
    dx[x] = (int16_t)(steeper ? u : dx[x]);
    dy[x] = (int16_t)(steeper ? v : dy[x]);
    slopes[x] = (uint16_t)(steeper ? length : slopes[x]);
  }
}

// The slopes of one plane or the steeper ones of several.
static void find_slopes(fov_quad_finder *f, fov_quad_layer *layer, int first, int count) {
  const int columns = f->columns, rows = f->rows;
  const size_t plane = (size_t)columns * (size_t)rows;
  memset(layer->dx, 0, sizeof(int16_t) * plane);
  memset(layer->dy, 0, sizeof(int16_t) * plane);
  memset(f->slopes, 0, sizeof(uint16_t) * plane);
  for (int c = first; c < first + count; c++) {
    const uint8_t *source = f->planes + (size_t)c * plane;
    for (int y = 0; y < rows; y++) {
      smooth_row(source, columns, rows, y, f->sums, f->smooth + (size_t)y * (size_t)columns);
    }
    for (int y = 1; y + 1 < rows; y++) {
      const size_t at = (size_t)y * (size_t)columns;
      const uint8_t *row = f->smooth + at;
      slope_row(row - columns, row, row + columns, columns, layer->dx + at, layer->dy + at,
                f->slopes + at);
    }
  }
}

// MARK: Ridges

// Whether the slope at `s` is steeper than both neighbors across the edge.
static bool is_ridge(const uint16_t *s, int columns, int dx, int dy) {
  const int a = dx < 0 ? -dx : dx, b = dy < 0 ? -dy : dy;
  int step;
  if (5 * b < 2 * a) {
    step = 1;
  } else if (5 * a < 2 * b) {
    step = columns;
  } else {
    step = (dx < 0) == (dy < 0) ? columns + 1 : columns - 1;
  }
  return s[0] > s[-step] && s[0] >= s[step];
}

// Marks as many ridges as a tenth of the pixels, the steepest ones.
static void find_ridges(fov_quad_finder *f, const fov_quad_layer *layer) {
  const int columns = f->columns, rows = f->rows;
  const size_t plane = (size_t)columns * (size_t)rows;
  uint32_t histogram[1024] = {0};
  for (int y = 2; y + 2 < rows; y++) {
    for (int x = 2; x + 2 < columns; x++) {
      const size_t at = (size_t)y * (size_t)columns + (size_t)x;
      const int slope = f->slopes[at];
      if (slope < FOV_QUAD_LEAST_SLOPE) continue;
      if (!is_ridge(f->slopes + at, columns, layer->dx[at], layer->dy[at])) continue;
      f->edges[at] |= layer->mark;
      histogram[slope < 1023 ? slope : 1023]++;
    }
  }
  size_t count = 0;
  int threshold = 1023;
  while (threshold > 0 && count + histogram[threshold] <= plane / FOV_QUAD_EDGE_SHARE) {
    count += histogram[threshold--];
  }
  const uint8_t others = (uint8_t)~layer->mark;
  for (size_t at = 0; at < plane; at++) {
    f->edges[at] &= f->slopes[at] > threshold ? 0xFF : others;
  }
}

void fov_quad_find_edges(fov_quad_finder *f) {
  memset(f->edges, 0, (size_t)f->columns * (size_t)f->rows);
  find_slopes(f, &f->layers[0], 0, 1);
  find_ridges(f, &f->layers[0]);
  if (f->layer_count < 2) return;
  find_slopes(f, &f->layers[1], 1, 2);
  find_ridges(f, &f->layers[1]);
}

int fov_quad_angle(const fov_quad_finder *f, int dx, int dy) {
  // Half a turn is the same line.
  if (dy < 0 || (dy == 0 && dx < 0)) {
    dx = -dx;
    dy = -dy;
  }
  const int a = dx < 0 ? -dx : dx;
  int angle = a >= dy ? f->angle_of[(64 * dy + a / 2) / (a > 0 ? a : 1)]
                      : 90 - f->angle_of[(64 * a + dy / 2) / dy];
  if (dx < 0) angle = 180 - angle;
  return angle % FOV_QUAD_ANGLES;
}

// Fovea - pasting flat sheets into pictures that are learned from, as a camera sees them.
// SPDX-License-Identifier: Apache-2.0
#include "fov_train_paste.h"

#include <math.h>
#include <stdbool.h>

#define GREATEST_SIDE ((size_t)1 << 15)

// Where the four samples of a pixel lie.
static const double places[4][2] = {{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};

// Sums over the samples of a pixel.
typedef struct sample_sum {
  float colors[3], alpha;  // multiplied by 255
  double u, v;             // of the samples that lie on the sheet
  int count;
} sample_sum;

static bool is_range(fov_pixel_range range, size_t count) {
  return range.begin <= range.end && range.end <= count;
}

static bool is_side(size_t side) { return side >= 1 && side <= GREATEST_SIDE; }

static bool are_numbers(const double *map, const fov_train_light *light) {
  double sum = (double)light->across + (double)light->down;
  for (size_t i = 0; i < 3; i++) sum += (double)light->gains[i];
  for (size_t i = 0; i < 9; i++) sum += map[i];
  return isfinite(sum);
}

// The two pixels along an axis between whose middles a place lies, and the share of the second.
static float neighbors(double place, size_t side, size_t pair[2]) {
  const double middle = place - 0.5;
  const double inside = middle < 0 ? 0 : middle > (double)(side - 1) ? (double)(side - 1) : middle;
  pair[0] = (size_t)inside;
  pair[1] = pair[0] + 1 < side ? pair[0] + 1 : pair[0];
  return (float)(inside - (double)pair[0]);
}

static void add_sample(const fov_train_sheet *sheet, double u, double v, sample_sum *sum) {
  const double width = (double)sheet->width, height = (double)sheet->height;
  if (!(u >= 0 && v >= 0 && u < width && v < height)) return;
  size_t columns[2], rows[2];
  const float x = neighbors(u, sheet->width, columns), y = neighbors(v, sheet->height, rows);
  const float shares[4] = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
  float alpha = sheet->alpha ? 0 : 255;
  for (size_t i = 0; i < 4; i++) {
    const size_t pixel = rows[i / 2] * sheet->row_pixels + columns[i % 2];
    for (size_t c = 0; c < 3; c++) sum->colors[c] += shares[i] * sheet->colors[3 * pixel + c];
    if (sheet->alpha) alpha += shares[i] * sheet->alpha[pixel];
  }
  sum->alpha += alpha;
  sum->u += u / width;
  sum->v += v / height;
  sum->count += 1;
}

static void add_samples(const fov_train_sheet *sheet, const double m[9], size_t column, size_t row,
                        sample_sum *sum) {
  for (size_t i = 0; i < 4; i++) {
    const double x = (double)column + places[i][0], y = (double)row + places[i][1];
    const double w = m[6] * x + m[7] * y + m[8];
    if (!(w > 0)) continue;
    add_sample(sheet, (m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w, sum);
  }
}

// Lays the mean of the samples over a pixel.
static void lay(const sample_sum *sum, const fov_train_light *light, uint8_t *pixel) {
  const float u = (float)(sum->u / sum->count) - 0.5f, v = (float)(sum->v / sum->count) - 0.5f;
  const float shade = 1 + light->across * u + light->down * v;
  const float below = 1 - sum->alpha / (4 * 255), most = sum->alpha / 4;
  for (size_t c = 0; c < 3; c++) {
    float color = sum->colors[c] / 4 * light->gains[c] * shade;
    color = color < 0 ? 0 : color > most ? most : color;
    color += below * pixel[c] + 0.5f;
    pixel[c] = (uint8_t)(color > 255 ? 255 : color);
  }
}

fov_status fov_train_paste(const fov_train_canvas *canvas, const fov_train_sheet *sheet,
                           const double *map, fov_pixel_range columns, fov_pixel_range rows,
                           const fov_train_light *light, uint8_t owner) {
  if (!is_side(canvas->width) || !is_side(canvas->height) || !is_side(sheet->width) ||
      !is_side(sheet->height) || sheet->row_pixels < sheet->width ||
      !is_range(columns, canvas->width) || !is_range(rows, canvas->height) || owner == 0 ||
      !are_numbers(map, light)) {
    return fov_status_invalid_argument;
  }
  for (size_t row = rows.begin; row < rows.end; row++) {
    for (size_t column = columns.begin; column < columns.end; column++) {
      sample_sum sum = {{0}, 0, 0, 0, 0};
      add_samples(sheet, map, column, row, &sum);
      if (sum.count == 0) continue;
      const size_t pixel = row * canvas->width + column;
      lay(&sum, light, canvas->colors + 3 * pixel);
      if (sum.alpha >= 2 * 255) canvas->owners[pixel] = owner;
    }
  }
  return fov_status_ok;
}

fov_train_part fov_train_part_of(const fov_train_canvas *canvas, uint8_t owner) {
  fov_train_part part = {0, {canvas->width, 0}, {canvas->height, 0}};
  for (size_t row = 0; row < canvas->height; row++) {
    const uint8_t *owners = canvas->owners + row * canvas->width;
    for (size_t column = 0; column < canvas->width; column++) {
      if (owners[column] != owner) continue;
      part.count += 1;
      if (column < part.columns.begin) part.columns.begin = column;
      if (column >= part.columns.end) part.columns.end = column + 1;
      if (row < part.rows.begin) part.rows.begin = row;
      part.rows.end = row + 1;
    }
  }
  if (part.count == 0) return (fov_train_part){0};
  return part;
}

// One pass of the kernel a, 1 - 2 a, a over `count` pixels of a line; a is side / 1024.
static void blur_line(uint8_t *line, size_t count, size_t step, int side) {
  for (size_t c = 0; c < 3; c++) {
    uint8_t *p = line + c;
    int before = *p;
    for (size_t i = 0; i < count; i++, p += step) {
      const int own = *p, after = i + 1 < count ? p[step] : own;
      *p = (uint8_t)((side * (before + after) + (1024 - 2 * side) * own + 512) >> 10);
      before = own;
    }
  }
}

// How often lines are passed over for a variance. One pass has the variance 2 a, at most 0.5.
static int passes(float variance, int *side) {
  const float least = variance > 0 ? variance < 100 ? variance : 100 : 0;
  const int count = (int)ceilf(least / 0.5f);
  *side = count ? (int)(least / (float)(2 * count) * 1024 + 0.5f) : 0;
  return count;
}

void fov_train_blur(uint8_t *colors, size_t width, size_t height, float across, float down) {
  int side;
  const int rows = passes(across, &side);
  for (int pass = 0; pass < rows; pass++) {
    for (size_t row = 0; row < height; row++) {
      blur_line(colors + 3 * row * width, width, 3, side);
    }
  }
  const int columns = passes(down, &side);
  for (int pass = 0; pass < columns; pass++) {
    for (size_t column = 0; column < width; column++) {
      blur_line(colors + 3 * column, height, 3 * width, side);
    }
  }
}

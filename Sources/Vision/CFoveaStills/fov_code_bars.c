// Fovea - the exact corners of a linear code, which are the ends of its bars.
// SPDX-License-Identifier: Apache-2.0
#include "fov_code_bars.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fov_still_exact.h"

enum { strips_max = 12 };

// Places on one side: v = a + b u.
typedef struct fov_line {
  double a, b;
} fov_line;

typedef struct fov_places {
  double u[strips_max], v[strips_max];
  int count;
} fov_places;

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

// The line of least squares through places that are within `reach` of `line`.
static fov_line fit_near(const fov_places *places, fov_line line, double reach) {
  double n = 0, u = 0, v = 0, uu = 0, uv = 0;
  for (int i = 0; i < places->count; i++) {
    if (fabs(places->v[i] - line.a - line.b * places->u[i]) > reach) continue;
    n += 1;
    u += places->u[i];
    v += places->v[i];
  }
  if (n < 2) return line;
  u /= n;
  v /= n;
  for (int i = 0; i < places->count; i++) {
    if (fabs(places->v[i] - line.a - line.b * places->u[i]) > reach) continue;
    uu += (places->u[i] - u) * (places->u[i] - u);
    uv += (places->u[i] - u) * (places->v[i] - v);
  }
  if (!(uu > 0)) return line;
  return (fov_line){v - uv / uu * u, uv / uu};
}

static bool fit(const fov_places *places, fov_line *out_line) {
  const int count = places->count;
  if (count < 2) return false;
  double slopes[strips_max * strips_max / 2], offsets[strips_max];
  int pairs = 0;
  for (int i = 0; i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      slopes[pairs++] = (places->v[j] - places->v[i]) / (places->u[j] - places->u[i]);
    }
  }
  fov_line line = {0, median(slopes, pairs)};
  for (int i = 0; i < count; i++) offsets[i] = places->v[i] - line.b * places->u[i];
  line.a = median(offsets, count);
  for (int i = 0; i < count; i++) offsets[i] = fabs(offsets[i] - line.a);
  *out_line = fit_near(places, line, 2 * fmax(0.5, 1.5 * median(offsets, count)));
  return true;
}

// MARK: Upper and lower side

static int bound(double value, int most) {
  return value > 0 ? (value < most ? (int)value : most) : 0;
}

// The mean size of the horizontal gradient in columns first ... last - 1 of each row, and smoother.
static void fill_profile(const fov_still_image *picture, int first, int last, float *profile) {
  float *raw = profile + picture->height;
  for (int y = 0; y < picture->height; y++) {
    const uint8_t *row = picture->bytes + (size_t)y * picture->row_bytes;
    int sum = 0;
    for (int x = first; x < last; x++) sum += abs(row[x + 1] - row[x - 1]);
    raw[y] = (float)sum / (float)(last - first);
  }
  for (int y = 0; y < picture->height; y++) {
    const int above = y > 0 ? y - 1 : y, below = y + 1 < picture->height ? y + 1 : y;
    profile[y] = (raw[above] + raw[y] + raw[below]) / 3;
  }
}

// Where a profile falls below `least`, from `start` in steps of 1 or -1: between two rows.
static double fall(const float *profile, int count, int start, int step, float least) {
  int y = start;
  while (y >= 0 && y < count && profile[y] >= least) y += step;
  if (y < 0 || y >= count) return step < 0 ? 0 : count;
  const float inside = profile[y - step], outside = profile[y];
  if (y == start || !(inside > outside)) return y + 0.5;
  return y + 0.5 - step * (least - outside) / (inside - outside);
}

// Where the bars of some columns begin and end. False where none cross the row.
static bool find_ends(const fov_still_image *picture, double left, double right, double row,
                      float *memory, double *out_top, double *out_bottom) {
  const int first = bound(left, picture->width - 4) + 1;
  int last = bound(right, picture->width - 2) + 1;
  if (last < first + 2) last = first + 2;
  fill_profile(picture, first, last, memory);
  const int start = bound(row, picture->height - 1);
  double values[9];
  int count = 0;
  for (int y = start - 4; y <= start + 4; y++) {
    if (y >= 0 && y < picture->height) values[count++] = memory[y];
  }
  float level = (float)median(values, count);
  for (int round = 0; round < 2; round++) {
    if (!(level > 1) || memory[start] < level / 2) return false;
    *out_top = fall(memory, picture->height, start, -1, level / 2);
    *out_bottom = fall(memory, picture->height, start, 1, level / 2);
    // The level of the row alone may be that of a spot or a reflection.
    double sum = 0;
    const int top = bound(*out_top, start), bottom = bound(*out_bottom, picture->height);
    for (int y = top; y < bottom; y++) sum += memory[y];
    level = (float)(sum / (bottom > top ? bottom - top : 1));
  }
  return true;
}

// Moves the lower side to the ends of the guard bars, where these reach further by up to nine
// modules. More is a digit below that touches them.
static void lower_to_guards(const fov_still_image *picture, const fov_bars *bars, float *memory,
                            fov_line *lower) {
  const double guard = bars->guard * (bars->right - bars->left), most = 3 * guard;
  const double places[2] = {bars->left + guard / 2, bars->right - guard / 2};
  double more[2];
  for (int i = 0; i < 2; i++) {
    double top, bottom;
    more[i] = find_ends(picture, places[i] - guard / 2, places[i] + guard / 2, bars->row, memory,
                        &top, &bottom)
                  ? bottom - lower->a - lower->b * places[i]
                  : 0;
    if (!(more[i] > 0 && more[i] < most)) more[i] = 0;
  }
  if (more[0] == 0) more[0] = more[1];
  if (more[1] == 0) more[1] = more[0];
  const double slope = (more[1] - more[0]) / (places[1] - places[0]);
  lower->a += more[0] - slope * places[0];
  lower->b += slope;
}

static bool find_upper_and_lower(const fov_still_image *picture, const fov_bars *bars,
                                 float *memory, fov_line *out_upper, fov_line *out_lower) {
  fov_places upper = {.count = 0}, lower = {.count = 0};
  const double strip = (bars->right - bars->left) / strips_max;
  for (int i = 0; i < strips_max; i++) {
    const double left = bars->left + i * strip;
    double top, bottom;
    if (!find_ends(picture, left, left + strip, bars->row, memory, &top, &bottom)) continue;
    upper.u[upper.count] = lower.u[lower.count] = left + strip / 2;
    upper.v[upper.count++] = top;
    lower.v[lower.count++] = bottom;
  }
  if (upper.count < strips_max / 2 || !fit(&upper, out_upper) || !fit(&lower, out_lower)) {
    return false;
  }
  if (bars->guard > 0) lower_to_guards(picture, bars, memory, out_lower);
  return true;
}

// MARK: Left and right side

// The outermost strong edge near column `x` in rows first ... last - 1: dark inside, light outside.
// `outward` is -1 for the left side, 1 for the right one. A negative number without any.
static double find_edge(const fov_still_image *picture, double x, double tolerance, int outward,
                        int first, int last, float *memory) {
  const int from = bound(x - tolerance, picture->width - 2) + 1;
  const int to = bound(x + tolerance, picture->width - 3) + 1;
  if (to - from < 2) return -1;
  float most = 0;
  for (int column = from - 1; column <= to + 1; column++) {
    int sum = 0;
    for (int y = first; y < last; y++) {
      const uint8_t *row = picture->bytes + (size_t)y * picture->row_bytes;
      const int right = column + 1 < picture->width ? column + 1 : column;
      sum += row[right] - row[column > 0 ? column - 1 : 0];
    }
    memory[column] = (float)(outward * sum);
    if (column >= from && column <= to) most = fmaxf(most, memory[column]);
  }
  if (!(most > 0)) return -1;
  int column = outward < 0 ? from : to;
  while (memory[column] < 0.6f * most || memory[column] < memory[column - 1] ||
         memory[column] < memory[column + 1]) {
    column -= outward;
    if (column < from || column > to) return -1;
  }
  const double before = memory[column - 1], after = memory[column + 1];
  const double bend = before - 2 * memory[column] + after;
  return column + 0.5 + (bend < 0 ? (before - after) / (2 * bend) : 0);
}

static bool find_side(const fov_still_image *picture, const fov_bars *bars, int outward, double top,
                      double bottom, float *memory, fov_line *out_line) {
  fov_places places = {.count = 0};
  const double margin = 0.06 * (bottom - top), strip = (bottom - top - 2 * margin) / strips_max;
  for (int i = 0; i < strips_max; i++) {
    const double above = top + margin + i * strip;
    const int first = bound(above, picture->height - 1);
    int last = bound(above + strip, picture->height);
    if (last <= first) last = first + 1;
    const double x = find_edge(picture, outward < 0 ? bars->left : bars->right, bars->tolerance,
                               outward, first, last, memory);
    if (x < 0) continue;
    places.u[places.count] = above + strip / 2;
    places.v[places.count++] = x;
  }
  return places.count >= strips_max / 3 && fit(&places, out_line);
}

// MARK: The whole

size_t fov_code_bars_floats(int width, int height) {
  return 2 * (size_t)(width > height ? width : height);
}

int fov_code_bars(const fov_still_image *picture, const fov_bars *bars, float *memory,
                  double out_corners[8]) {
  if (picture->channels != 1 || picture->width < 8 || picture->height < 3 ||
      !(bars->right - bars->left >= 8) || !(bars->left >= 0 && bars->right <= picture->width)) {
    return -1;
  }
  fov_line upper, lower, sides[2];
  if (!find_upper_and_lower(picture, bars, memory, &upper, &lower)) return -1;
  const double middle = (bars->left + bars->right) / 2;
  const double top = upper.a + upper.b * middle, bottom = lower.a + lower.b * middle;
  if (!(bottom - top >= 2)) return -1;
  if (!find_side(picture, bars, -1, top, bottom, memory, &sides[0])) {
    sides[0] = (fov_line){bars->left, 0};
  }
  if (!find_side(picture, bars, 1, top, bottom, memory, &sides[1])) {
    sides[1] = (fov_line){bars->right, 0};
  }
  for (int i = 0; i < 4; i++) {
    const fov_line side = sides[i == 1 || i == 2], end = i < 2 ? upper : lower;
    // x = side.a + side.b y and y = end.a + end.b x.
    const double y = (end.a + end.b * side.a) / (1 - end.b * side.b);
    out_corners[2 * i] = side.a + side.b * y;
    out_corners[2 * i + 1] = y;
  }
  return 0;
}

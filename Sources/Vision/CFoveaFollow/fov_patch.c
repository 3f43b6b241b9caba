// Fovea - a window of a picture's plane, brought to a fixed size.
// SPDX-License-Identifier: Apache-2.0
#include "fov_patch.h"

#include <math.h>

// One axis of a window: sample j is the mean of [start + j step, start + j step + span).
typedef struct axis {
  double start, step, span;
  ptrdiff_t skip;  // every skip-th pixel is read
} axis;

static axis axis_of(double start, double length, size_t count) {
  axis a = {.step = length / (double)count, .skip = 1};
  if (a.step > 3) a.skip = (ptrdiff_t)(a.step / 2);
  const double skip = (double)a.skip;
  a.step /= skip;
  a.span = a.step > 1 ? a.step : 1;
  // In units of read pixels, which stand for the middle of their `skip` neighbors.
  a.start = start / skip + 0.5 * (skip - 1) / skip + (a.step - a.span) / 2;
  return a;
}

// The first read pixel and the shares of the following `count` ones. Returns count.
static size_t shares(const axis *a, size_t j, ptrdiff_t *out_first, float *out_weights) {
  const double from = a->start + (double)j * a->step, to = from + a->span;
  const double first = floor(from);
  *out_first = (ptrdiff_t)first;
  size_t count = 0;
  for (double x = first; count < FOV_PATCH_TAPS; x += 1) {
    const double low = x > from ? x : from, high = x + 1 < to ? x + 1 : to;
    out_weights[count++] = high > low ? (float)((high - low) / a->span) : 0;
    if (x + 1 >= to) break;
  }
  return count;
}

static ptrdiff_t inside(ptrdiff_t i, size_t count) {
  return i < 0 ? 0 : i >= (ptrdiff_t)count ? (ptrdiff_t)count - 1 : i;
}

FOV_INLINE float level_at(const fov_plane *plane, const uint8_t *pixel) {
  const float *w = plane->weights;
  return plane->bias + w[0] * pixel[0] + w[1] * pixel[1] + w[2] * pixel[2];
}

static bool is_plain(const fov_plane *plane) {
  return plane->weights[0] == 0 && plane->weights[1] == 0 && plane->weights[2] == 0;
}

// Adds weight times the read pixels first ... first + count of a row.
static void add_row(const fov_plane *plane, ptrdiff_t y, ptrdiff_t first, ptrdiff_t skip,
                    size_t count, float weight, float *row) {
  const uint8_t *bytes = plane->bytes + (size_t)inside(y, plane->height) * plane->row_bytes;
  const bool plain = is_plain(plane);
  const uint8_t *last = bytes + (plane->width - 1) * plane->pixel_bytes;
  const float start = weight * (plain ? (float)bytes[0] : level_at(plane, bytes));
  const float finish = weight * (plain ? (float)last[0] : level_at(plane, last));
  size_t begin = 0, end = count;
  while (begin < end && (first + (ptrdiff_t)begin) * skip < 0) row[begin++] += start;
  while (end > begin && (first + (ptrdiff_t)end - 1) * skip >= (ptrdiff_t)plane->width) {
    row[--end] += finish;
  }
  if (begin == end) return;
  const size_t step = (size_t)skip * plane->pixel_bytes, length = end - begin;
  const uint8_t *from = bytes + (size_t)(first + (ptrdiff_t)begin) * step;
  row += begin;
  if (!plain) {
    for (size_t i = 0; i < length; i++) row[i] += weight * level_at(plane, from + i * step);
  } else if (step == 1) {
    for (size_t i = 0; i < length; i++) row[i] += weight * from[i];
  } else {
    for (size_t i = 0; i < length; i++) row[i] += weight * from[i * step];
  }
}

void fov_patch_sample(fov_patch_scratch *scratch, const fov_plane *plane,
                      const fov_follow_box *window, size_t width, size_t height, float *out) {
  const axis columns = axis_of(window->left, window->width, width);
  const axis rows = axis_of(window->top, window->height, height);
  ptrdiff_t left = 0, first = 0;
  size_t taps = 1;
  for (size_t x = 0; x < width; x++) {
    float *weights = scratch->weights + x * FOV_PATCH_TAPS;
    const size_t count = shares(&columns, x, &first, weights);
    for (size_t t = count; t < FOV_PATCH_TAPS; t++) weights[t] = 0;
    if (count > taps) taps = count;
    if (x == 0) left = first;
    scratch->offsets[x] = (uint16_t)(first - left);
  }
  const size_t length = scratch->offsets[width - 1] + taps;
  float *row = scratch->row;
  for (size_t y = 0; y < height; y++, out += width) {
    float weights[FOV_PATCH_TAPS];
    const size_t count = shares(&rows, y, &first, weights);
    for (size_t i = 0; i < length; i++) row[i] = 0;
    for (size_t t = 0; t < count; t++) {
      if (weights[t] == 0) continue;
      add_row(plane, (first + (ptrdiff_t)t) * rows.skip, left, columns.skip, length, weights[t],
              row);
    }
    for (size_t x = 0; x < width; x++) {
      const float *from = row + scratch->offsets[x], *w = scratch->weights + x * FOV_PATCH_TAPS;
      float sum = w[0] * from[0];
      for (size_t t = 1; t < taps; t++) sum += w[t] * from[t];
      out[x] = sum;
    }
  }
}

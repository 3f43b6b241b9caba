// Fovea - samples of planes, each from up to four neighboring pixels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_grid_samples.h"

#include <math.h>

#include "base/fov_size.h"

static fov_grid_sample make(ptrdiff_t row, ptrdiff_t column, size_t rows, size_t columns,
                            const float weights[4], float value) {
  fov_grid_sample sample = {.at = row * (ptrdiff_t)columns + column};
  for (int k = 0; k < 4; k++) {
    const ptrdiff_t y = row + k / 2, x = column + k % 2;
    const bool inside = y >= 0 && (size_t)y < rows && x >= 0 && (size_t)x < columns;
    sample.weight[k] = weights[k];
    if (weights[k] == 0.0f) continue;
    if (inside) {
      sample.pixels |= 1u << k;
    } else {
      sample.outside += weights[k] * value;
    }
  }
  return sample;
}

fov_grid_sample fov_grid_sample_bilinear(double row, double column, size_t rows, size_t columns,
                                         float value) {
  const double top = floor(row), left = floor(column);
  const double down = row - top, right = column - left;
  const float weights[4] = {(float)((1.0 - down) * (1.0 - right)), (float)((1.0 - down) * right),
                            (float)(down * (1.0 - right)), (float)(down * right)};
  return make((ptrdiff_t)top, (ptrdiff_t)left, rows, columns, weights, value);
}

fov_grid_sample fov_grid_sample_nearest(float row, float column, size_t rows, size_t columns,
                                        float value) {
  const float weights[4] = {1.0f};
  return make((ptrdiff_t)nearbyintf(row), (ptrdiff_t)nearbyintf(column), rows, columns, weights,
              value);
}

// `at` may be negative, but not the place of a pixel that is inside.
static float take_some(const fov_grid_sample *sample, const float *plane, size_t columns) {
  float sum = sample->outside;
  for (size_t k = 0; k < 4; k++) {
    if ((sample->pixels >> k & 1u) == 0) continue;
    sum += sample->weight[k] * plane[sample->at + (ptrdiff_t)(k / 2 * columns + k % 2)];
  }
  return sum;
}

// One sample of all planes. Its weights stay in registers.
static void take_all(const fov_grid_sample *sample, const float *planes, size_t channels,
                     size_t plane, size_t columns, float *out, size_t out_plane) {
  if (sample->pixels != 15) {
    for (size_t c = 0; c < channels; c++) {
      out[c * out_plane] = take_some(sample, planes + c * plane, columns);
    }
    return;
  }
  const float a = sample->weight[0], b = sample->weight[1], c = sample->weight[2],
              d = sample->weight[3];
  const float *upper = planes + sample->at, *lower = upper + columns;
  for (size_t k = 0; k < channels; k++, upper += plane, lower += plane, out += out_plane) {
    *out = a * upper[0] + b * upper[1] + c * lower[0] + d * lower[1];
  }
}

// Rows of so few samples go through the planes sample by sample.
#define FEW_SAMPLES 16

void fov_grid_samples_take(const fov_grid_sample *samples, size_t count, const float *planes,
                           size_t channels, size_t plane, size_t columns, float *out,
                           size_t out_plane) {
  if (count <= FEW_SAMPLES) {
    for (size_t i = 0; i < count; i++) {
      take_all(&samples[i], planes, channels, plane, columns, out + i, out_plane);
    }
    return;
  }
  for (size_t c = 0; c < channels; c++, planes += plane, out += out_plane) {
    for (size_t i = 0; i < count; i++) {
      const fov_grid_sample *sample = &samples[i];
      if (sample->pixels != 15) {
        out[i] = take_some(sample, planes, columns);
        continue;
      }
      const float *upper = planes + sample->at, *lower = upper + columns;
      out[i] = sample->weight[0] * upper[0] + sample->weight[1] * upper[1] +
               sample->weight[2] * lower[0] + sample->weight[3] * lower[1];
    }
  }
}

fov_status fov_grid_samples_workspace(size_t count, size_t slots, size_t *out_bytes) {
  const bool fits = fov_size_multiply(count, sizeof(fov_grid_sample), out_bytes) &&
                    fov_size_multiply(*out_bytes, slots, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

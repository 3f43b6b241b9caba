// Fovea - samples of planes, each from up to four neighboring pixels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_grid_samples.h"

#include <math.h>

#include "base/fov_size.h"
#include "kernels/fov_inlining.h"
#include "kernels/fov_kernel_set.h"

static fov_grid_sample make(ptrdiff_t row, ptrdiff_t column, size_t rows, size_t columns,
                            const float weights[4], float value) {
  fov_grid_sample sample = {.at = row * (ptrdiff_t)columns + column};
  const bool rows_inside[2] = {(size_t)row < rows, (size_t)(row + 1) < rows};
  const bool columns_inside[2] = {(size_t)column < columns, (size_t)(column + 1) < columns};
  for (int k = 0; k < 4; k++) sample.weight[k] = weights[k];
  if (rows_inside[0] && rows_inside[1] && columns_inside[0] && columns_inside[1] &&
      weights[0] != 0.0f && weights[1] != 0.0f && weights[2] != 0.0f && weights[3] != 0.0f) {
    sample.pixels = 15;
    return sample;
  }
  for (int k = 0; k < 4; k++) {
    if (weights[k] == 0.0f) continue;
    if (rows_inside[k / 2] && columns_inside[k % 2]) {
      sample.pixels |= 1u << k;
    } else {
      sample.outside += weights[k] * value;
    }
  }
  return sample;
}

// The largest integer that is not above x, without a call.
static ptrdiff_t floor_of(double x) {
  const ptrdiff_t whole = (ptrdiff_t)x;
  return (double)whole > x ? whole - 1 : whole;
}

fov_grid_sample fov_grid_sample_bilinear(double row, double column, size_t rows, size_t columns,
                                         float value) {
  const ptrdiff_t top = floor_of(row), left = floor_of(column);
  const double down = row - (double)top, right = column - (double)left;
  const float weights[4] = {(float)((1.0 - down) * (1.0 - right)), (float)((1.0 - down) * right),
                            (float)(down * (1.0 - right)), (float)(down * right)};
  return make(top, left, rows, columns, weights, value);
}

fov_grid_sample fov_grid_sample_nearest(float row, float column, size_t rows, size_t columns,
                                        float value) {
  const float weights[4] = {1.0f};
  return make((ptrdiff_t)nearbyintf(row), (ptrdiff_t)nearbyintf(column), rows, columns, weights,
              value);
}

// Pixels are `step` elements apart. `at` may be negative, but not the place of a pixel that is
// inside.
static float take_some(const fov_grid_sample *sample, const float *plane, size_t step,
                       size_t columns) {
  float sum = sample->outside;
  for (size_t k = 0; k < 4; k++) {
    if ((sample->pixels >> k & 1u) == 0) continue;
    const ptrdiff_t pixel = sample->at + (ptrdiff_t)(k / 2 * columns + k % 2);
    sum += sample->weight[k] * plane[pixel * (ptrdiff_t)step];
  }
  return sum;
}

// How far pixels, channels, and channels of the result are apart, in elements.
typedef struct distances {
  size_t pixel, channel, result;
} distances;

// One sample of several channels. Its weights stay in registers. Inlined, so that channels that lie
// side by side become vectors.
INLINE void take_channels(const fov_grid_sample *sample, const float *in, distances apart,
                          size_t columns, size_t channels, float *restrict out) {
  if (sample->pixels != 15) {
    for (size_t k = 0; k < channels; k++) {
      out[k * apart.result] = take_some(sample, in + k * apart.channel, apart.pixel, columns);
    }
    return;
  }
  const float a = sample->weight[0], b = sample->weight[1], c = sample->weight[2],
              d = sample->weight[3];
  const float *upper = in + sample->at * (ptrdiff_t)apart.pixel;
  const float *lower = upper + columns * apart.pixel;
  for (size_t k = 0; k < channels; k++, upper += apart.channel, lower += apart.channel) {
    out[k * apart.result] =
        a * upper[0] + b * upper[apart.pixel] + c * lower[0] + d * lower[apart.pixel];
  }
}

// Few samples go through the planes one by one.
void fov_grid_samples_take(const fov_grid_sample *samples, size_t count, const float *planes,
                           size_t channels, size_t plane, size_t columns, float *out,
                           size_t out_plane) {
  if (count <= FOV_FEW_SAMPLES) {
    for (size_t i = 0; i < count; i++) {
      take_channels(&samples[i], planes, (distances){1, plane, out_plane}, columns, channels,
                    out + i);
    }
    return;
  }
  for (size_t c = 0; c < channels; c++, planes += plane, out += out_plane) {
    for (size_t i = 0; i < count; i++) {
      const fov_grid_sample *sample = &samples[i];
      if (sample->pixels != 15) {
        out[i] = take_some(sample, planes, 1, columns);
        continue;
      }
      const float *upper = planes + sample->at, *lower = upper + columns;
      out[i] = sample->weight[0] * upper[0] + sample->weight[1] * upper[1] +
               sample->weight[2] * lower[0] + sample->weight[3] * lower[1];
    }
  }
}

// Channels that are taken together.
#define CHANNELS_TOGETHER 32

void fov_grid_samples_take_pixels(const fov_grid_sample *samples, size_t count,
                                  const fov_kernel_set *kernels, const float *pixels,
                                  size_t channels, size_t columns, float *out, size_t out_plane) {
  float taken[FOV_FEW_SAMPLES][CHANNELS_TOGETHER];
  for (size_t begin = 0; begin < channels; begin += CHANNELS_TOGETHER) {
    const size_t together = fov_size_min(CHANNELS_TOGETHER, channels - begin);
    for (size_t i = 0; i < count; i++) {
      take_channels(&samples[i], pixels + begin, (distances){channels, 1, 1}, columns, together,
                    taken[i]);
    }
    kernels->float32->transpose(taken[0], CHANNELS_TOGETHER, count, together, out, out_plane);
    out += together * out_plane;
  }
}

fov_status fov_grid_samples_workspace(size_t count, size_t slots, size_t *out_bytes) {
  const bool fits = fov_size_multiply(count, sizeof(fov_grid_sample), out_bytes) &&
                    fov_size_multiply(*out_bytes, slots, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

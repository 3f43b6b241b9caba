// Fovea - pixels of any quadrilateral as an upright picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_rectify.h"

#include <math.h>
#include <stdbool.h>

#include "fov_still_exact.h"

static double bounded(double value, double most) {
  // A NaN becomes 0.
  return value > 0 ? (value < most ? value : most) : 0;
}

// Adds the bilinear value at (x, y), in pixels whose centers lie at halves.
static void add_sample(const fov_still_image *picture, double x, double y, float *sums) {
  x = bounded(x - 0.5, picture->width - 1);
  y = bounded(y - 0.5, picture->height - 1);
  const int left = (int)x, top = (int)y;
  const size_t channels = (size_t)picture->channels;
  const size_t right = left + 1 < picture->width ? channels : 0;
  const size_t below = top + 1 < picture->height ? picture->row_bytes : 0;
  const float u = (float)(x - left), v = (float)(y - top);
  const uint8_t *at = picture->bytes + (size_t)top * picture->row_bytes + (size_t)left * channels;
  for (size_t c = 0; c < channels; c++) {
    const float upper = at[c] + u * ((float)at[c + right] - at[c]);
    const float lower = at[below + c] + u * ((float)at[below + right + c] - at[below + c]);
    sums[c] += upper + v * (lower - upper);
  }
}

static bool is_valid(const fov_still_image *picture, int width, int height, int samples) {
  if (picture == NULL || picture->bytes == NULL || picture->width < 1 || picture->height < 1) {
    return false;
  }
  if (picture->channels != 1 && picture->channels != 3) return false;
  if (picture->row_bytes < (size_t)picture->width * (size_t)picture->channels) return false;
  return width >= 1 && height >= 1 && samples >= 1 && samples <= 8;
}

int fov_rectify(const fov_still_image *picture, const fov_perspective *map, int width, int height,
                int samples, uint8_t *out_pixels) {
  if (map == NULL || out_pixels == NULL || !is_valid(picture, width, height, samples)) return -1;
  const double *m = map->m;
  const double step = 1.0 / samples;
  const float share = 1.0f / (float)(samples * samples);
  for (int row = 0; row < height; row++) {
    for (int column = 0; column < width; column++) {
      float sums[3] = {0, 0, 0};
      for (int i = 0; i < samples * samples; i++) {
        const double x = column + (i % samples + 0.5) * step;
        const double y = row + (i / samples + 0.5) * step;
        const double w = m[6] * x + m[7] * y + m[8];
        if (!(w > 0)) continue;
        add_sample(picture, (m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w,
                   sums);
      }
      for (int c = 0; c < picture->channels; c++) {
        *out_pixels++ = (uint8_t)(sums[c] * share + 0.5f);
      }
    }
  }
  return 0;
}

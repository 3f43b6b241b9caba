// Fovea - levels of a picture across the side of a quadrilateral.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_profiles.h"

#include <string.h>

// The fourth level is none: vectors have four.
typedef float colors[FOV_QUAD_SAMPLES][FOV_QUAD_ACROSS][4];

// Compiled once for each kind of picture: this is where most time goes.
#define ONCE_FOR_EACH static inline __attribute__((always_inline))

// The bilinear levels at a point, in pixels whose centers lie at halves. The edge repeats, unless
// the point is known to lie `inside`, a pixel or more away from it.
ONCE_FOR_EACH void read(const fov_still_image *picture, float x, float y, size_t channels,
                        bool linear, bool inside, float out[4]) {
  x -= 0.5f;
  y -= 0.5f;
  if (!inside) {
    x = fov_bounded(x, 0, (float)(picture->width - 1));
    y = fov_bounded(y, 0, (float)(picture->height - 1));
  }
  const int left = (int)x, top = (int)y;
  const size_t right = inside || left + 1 < picture->width ? channels : 0;
  const size_t below = inside || top + 1 < picture->height ? picture->row_bytes : 0;
  const float u = x - (float)left, v = y - (float)top;
  const uint8_t *at = picture->bytes + (size_t)top * picture->row_bytes + (size_t)left * channels;
  for (size_t c = 0; c < channels; c++) {
    float a = at[c], b = at[right + c], d = at[below + c], e = at[below + right + c];
    if (linear) {
      // The square is near enough to the curve of pictures.
      a *= a * (1.0f / 255);
      b *= b * (1.0f / 255);
      d *= d * (1.0f / 255);
      e *= e * (1.0f / 255);
    }
    const float upper = a + u * (b - a), lower = d + u * (e - d);
    out[c] = upper + v * (lower - upper);
  }
}

typedef float four __attribute__((vector_size(16)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

ONCE_FOR_EACH four levels_at(const uint8_t *at, bool linear) {
  four_bytes bytes;
  memcpy(&bytes, at, sizeof bytes);
  const four levels = __builtin_convertvector(bytes, four);
  return linear ? levels * (levels * (1.0f / 255)) : levels;
}

// The same of a point inside a picture of colors, with the same roundings. Of the next pixel a byte
// is read, too.
ONCE_FOR_EACH void read_color(const fov_still_image *picture, float x, float y, bool linear,
                              float out[4]) {
  x -= 0.5f;
  y -= 0.5f;
  const int left = (int)x, top = (int)y;
  const float u = x - (float)left, v = y - (float)top;
  const uint8_t *at = picture->bytes + (size_t)top * picture->row_bytes + (size_t)left * 3;
  const uint8_t *below = at + picture->row_bytes;
  const four a = levels_at(at, linear), b = levels_at(at + 3, linear);
  const four d = levels_at(below, linear), e = levels_at(below + 3, linear);
  const four upper = a + u * (b - a), lower = d + u * (e - d);
  const four mixed = upper + v * (lower - upper);
  memcpy(out, &mixed, sizeof mixed);
}

// The levels across a side at `middle`, half a unit apart, from outside to inside.
ONCE_FOR_EACH void read_line(const fov_still_image *picture, fov_point middle, fov_point inward,
                             float unit, size_t channels, bool linear,
                             float out[FOV_QUAD_ACROSS][4]) {
  const float reach = 0.5f * unit * FOV_QUAD_REACH + 2;
  const bool inside = middle.x > reach && middle.x < (float)picture->width - reach &&
                      middle.y > reach && middle.y < (float)picture->height - reach;
  for (int k = 0; k < FOV_QUAD_ACROSS; k++) {
    const float o = (float)(k - FOV_QUAD_REACH) * 0.5f * unit;
    const float x = middle.x + o * inward.x, y = middle.y + o * inward.y;
    if (inside && channels == 3) {
      read_color(picture, x, y, linear, out[k]);
    } else {
      read(picture, x, y, channels, linear, inside, out[k]);
    }
  }
}

// How much each channel counts: by what it changes across the side. Where the changes cancel each
// other, the side has no sign of its own, and channels count as for brightness.
ONCE_FOR_EACH void weigh(colors values, int count, int channels, float out_weights[3],
                         float *out_signs) {
  float sums[3] = {0, 0, 0}, sizes = 0, total = 0;
  for (int i = 0; i < count; i++) {
    for (int c = 0; c < channels; c++) {
      float difference = 0;
      for (int k = 3; k <= 8; k++) {
        difference += values[i][FOV_QUAD_REACH + k][c] - values[i][FOV_QUAD_REACH - k][c];
      }
      sums[c] += difference;
      sizes += fabsf(difference);
    }
  }
  float squares = 0;
  for (int c = 0; c < channels; c++) {
    total += fabsf(sums[c]);
    squares += sums[c] * sums[c];
  }
  *out_signs = sizes > 0 ? total / sizes : 0;
  const float brightness[3] = {0.3f, 0.6f, 0.1f};
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
  const bool signless = *out_signs < 0.3f || squares <= 0;
  for (int c = 0; c < 3; c++) {
    out_weights[c] = channels == 1 ? (c == 0 && sums[0] < 0 ? -1.0f
                                      : c == 0              ? 1.0f
                                                            : 0)
                     : signless    ? brightness[c]
                                   : sums[c] * scale;
  }
}

// Colors become levels along the difference of inside and outside.
ONCE_FOR_EACH void mix_channels(colors values, int channels, fov_quad_profiles *out) {
  float weights[3];
  weigh(values, out->count, channels, weights, &out->signs);
  float total = 0;
  for (int i = 0; i < out->count; i++) {
    for (int k = 0; k < FOV_QUAD_ACROSS; k++) {
      float sum = 0;
      for (int c = 0; c < channels; c++) sum += weights[c] * values[i][k][c];
      out->levels[i][k] = sum;
    }
    for (int k = 3; k <= 8; k++) {
      total += out->levels[i][FOV_QUAD_REACH + k] - out->levels[i][FOV_QUAD_REACH - k];
    }
  }
  out->step = total / (float)(6 * out->count);
}

void fov_quad_sample(const fov_still_image *picture, fov_point a, fov_point b, float start,
                     float end, float unit, bool linear, fov_quad_profiles *out) {
  const fov_point side = fov_minus(b, a);
  const float length = fov_most(fov_length(side), 1e-3f);
  const int count = (int)fov_bounded(length * (end - start) / (2 * unit), 12, FOV_QUAD_SAMPLES);
  out->count = count;
  out->length = length;
  out->unit = unit;
  out->from = a;
  out->along = (fov_point){side.x / length, side.y / length};
  // To the right of a clockwise side lies the inside, where y points down.
  out->inward = (fov_point){-out->along.y, out->along.x};
  colors values;
  for (int i = 0; i < count; i++) {
    const float t = start + (end - start) * ((float)i + 0.5f) / (float)count;
    out->places[i] = t * length;
    const fov_point p = fov_between(a, b, t);
    if (picture->channels == 1 && linear) {
      read_line(picture, p, out->inward, unit, 1, true, values[i]);
    } else if (picture->channels == 1) {
      read_line(picture, p, out->inward, unit, 1, false, values[i]);
    } else if (linear) {
      read_line(picture, p, out->inward, unit, 3, true, values[i]);
    } else {
      read_line(picture, p, out->inward, unit, 3, false, values[i]);
    }
  }
  if (picture->channels == 1) {
    mix_channels(values, 1, out);
  } else {
    mix_channels(values, 3, out);
  }
}

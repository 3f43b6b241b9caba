// Fovea - what a filter sees of a window: gradients by direction, brightness and color.
// SPDX-License-Identifier: Apache-2.0
#include "fov_features.h"

#include <math.h>
#include <string.h>

// MARK: Gradients

// The angle of (x, y) in radians, y >= 0: 0 ... pi, to about 0.0003.
FOV_INLINE float angle_of(float x, float y) {
  const float ax = fabsf(x), low = ax < y ? ax : y, high = ax < y ? y : ax;
  const float a = low / (high + 1e-6f), s = a * a;
  const float r = ((-0.0464964749f * s + 0.15931422f) * s - 0.327622764f) * s * a + a;
  const float half = y > ax ? 1.5707963f - r : r;
  return x < 0 ? 3.1415927f - half : half;
}

// Splits each pixel of a row between two neighboring directions of `bins`.
static void row_gradients(fov_feature_scratch *s, const float *above, const float *here,
                          const float *below, size_t width, bool is_signed) {
  const float scale = 9 / 3.1415927f;
  const int32_t bins = is_signed ? 18 : 9;
  float *restrict low = s->magnitude[0], *restrict high = s->magnitude[1];
  int32_t *restrict first = s->bin[0], *restrict second = s->bin[1];
  for (size_t i = 0; i < width; i++) {
    const size_t before = i > 0 ? i - 1 : 0, after = i + 1 < width ? i + 1 : i;
    const float x = here[after] - here[before], y = below[i] - above[i];
    low[i] = x;
    high[i] = y;
  }
  for (size_t i = 0; i < width; i++) {
    const float x = low[i], y = high[i];
    const float turned = y < 0 ? -x : x, up = fabsf(y);
    const float magnitude = sqrtf(x * x + y * y);
    const float position = angle_of(turned, up) * scale + (is_signed && y < 0 ? 9.0f : 0.0f);
    const int32_t bin = (int32_t)position;
    const float part = position - (float)bin;
    first[i] = bin >= bins ? bin - bins : bin;
    second[i] = bin + 1 >= bins ? bin + 1 - bins : bin + 1;
    high[i] = magnitude * part;
    low[i] = magnitude - magnitude * part;
  }
}

static void spread_row(fov_feature_scratch *s, size_t width, size_t stride) {
  static const float near_share[4] = {0.625f, 0.875f, 0.875f, 0.625f};
  float *row = (float *)s->row;
  for (size_t x = 0; x < width; x++) {
    const size_t side = x % 4;
    float *own = row + (x / 4 + 1) * stride, *other = side < 2 ? own - stride : own + stride;
    const float near = near_share[side], far = 1 - near;
    const size_t a = (size_t)s->bin[0][x], b = (size_t)s->bin[1][x];
    const float low = s->magnitude[0][x], high = s->magnitude[1][x];
    own[a] += near * low;
    own[b] += near * high;
    other[a] += far * low;
    other[b] += far * high;
  }
}

// Sums of gradients by cell and direction; each pixel counts for its four nearest cells.
static void histograms(fov_feature_scratch *s, size_t cells, size_t vectors, bool is_signed) {
  static const float near_share[4] = {0.625f, 0.875f, 0.875f, 0.625f};
  const size_t width = cells * FOV_CELL, line = cells * vectors;
  memset(s->cells, 0, (cells + 2) * line * sizeof(fov_lanes));
  for (size_t y = 0; y < width; y++) {
    const float *here = s->pixels + y * width;
    row_gradients(s, y > 0 ? here - width : here, here, y + 1 < width ? here + width : here, width,
                  is_signed);
    memset(s->row, 0, (cells + 2) * vectors * sizeof(fov_lanes));
    spread_row(s, width, vectors * FOV_LANES);
    const size_t side = y % 4, own = y / 4 + 1, other = side < 2 ? own - 1 : own + 1;
    const float near = near_share[side], far = 1 - near;
    fov_lanes *a = s->cells + own * line, *b = s->cells + other * line;
    const fov_lanes *row = s->row + vectors;
    for (size_t i = 0; i < line; i++) {
      a[i] += row[i] * near;
      b[i] += row[i] * far;
    }
  }
}

// MARK: Normalization

static void energies(fov_feature_scratch *s, size_t cells, size_t vectors, bool is_signed) {
  const size_t edge = cells + 2;
  for (size_t y = 0; y < cells; y++) {
    for (size_t x = 0; x < cells; x++) {
      const float *h = (const float *)(s->cells + ((y + 1) * cells + x) * vectors);
      float sum = 0;
      for (size_t o = 0; o < 9; o++) {
        const float v = is_signed ? h[o] + h[o + 9] : h[o];
        sum += v * v;
      }
      s->energy[(y + 1) * edge + x + 1] = sum;
    }
  }
  for (size_t i = 0; i < edge; i++) {
    const size_t j = i < 1 ? 1 : i > cells ? cells : i;
    s->energy[i] = s->energy[edge + j];
    s->energy[(edge - 1) * edge + i] = s->energy[(edge - 2) * edge + j];
  }
  for (size_t y = 0; y < edge; y++) {
    s->energy[y * edge] = s->energy[y * edge + 1];
    s->energy[y * edge + edge - 1] = s->energy[y * edge + edge - 2];
  }
}

// One over the strength of the four blocks of 2 x 2 cells around a cell.
FOV_INLINE void block_norms(const float *energy, size_t edge, float *out) {
  for (size_t k = 0; k < 4; k++) {
    const float *e = energy + (ptrdiff_t)(k / 2) * (ptrdiff_t)edge + (ptrdiff_t)(k % 2);
    out[k] = 1 / sqrtf(e[0] + e[1] + e[edge] + e[edge + 1] + 4.0f);
  }
}

// out = at most 0.2 of v times norm
FOV_INLINE void cut(const fov_lanes *v, float norm, fov_lanes *out) {
  const fov_lanes a = *v * norm;
  for (size_t i = 0; i < FOV_LANES; i++) (*out)[i] = a[i] < 0.2f ? a[i] : 0.2f;
}

static void few_channels(const fov_lanes *h, const float *norms, const float *colors,
                         fov_lanes *out) {
  fov_lanes low = {0}, high = {0};
  float texture[4];
  for (size_t k = 0; k < 4; k++) {
    fov_lanes a, b;
    cut(h, norms[k], &a);
    cut(h + 1, norms[k], &b);
    low += a;
    high += b;
    texture[k] = (fov_lanes_sum(&a) + b[0]) * 0.2357f;
  }
  out[0] = low * 0.5f;
  high = high * 0.5f;
  out[1] = (fov_lanes){high[0],    colors[0],  colors[1],  colors[2],
                       texture[0], texture[1], texture[2], texture[3]};
}

static void many_channels(const fov_lanes *h, const float *norms, const float *colors,
                          fov_lanes *out) {
  fov_lanes sums[3] = {{0}, {0}, {0}};
  float unsigned_sums[9] = {0}, texture[4];
  const float *d = (const float *)h;
  for (size_t k = 0; k < 4; k++) {
    fov_lanes total = {0};
    for (size_t i = 0; i < 3; i++) {
      fov_lanes a;
      cut(h + i, norms[k], &a);
      sums[i] += a;
      total += a;
    }
    for (size_t o = 0; o < 9; o++) {
      const float v = (d[o] + d[o + 9]) * norms[k];
      unsigned_sums[o] += v < 0.2f ? v : 0.2f;
    }
    texture[k] = fov_lanes_sum(&total) * 0.2357f;
  }
  float *all = (float *)out;
  const float *directions = (const float *)sums;
  for (size_t o = 0; o < 18; o++) all[o] = directions[o] * 0.5f;
  for (size_t o = 0; o < 9; o++) all[18 + o] = unsigned_sums[o] * 0.5f;
  for (size_t c = 0; c < 3; c++) all[27 + c] = colors[c];
  all[30] = texture[0] + texture[3];
  all[31] = texture[1] + texture[2];
}

// MARK: Channels

static float cell_mean(const float *pixels, size_t width) {
  float sum = 0;
  for (size_t y = 0; y < FOV_CELL; y++) {
    const float *row = pixels + y * width;
    sum += (row[0] + row[1]) + (row[2] + row[3]);
  }
  return sum * (1.0f / (FOV_CELL * FOV_CELL));
}

static void sample_colors(fov_feature_scratch *s, const fov_picture *picture,
                          const fov_follow_box *window, size_t cells) {
  const fov_plane *planes[2] = {&picture->blue, &picture->red};
  float *outs[2] = {s->blue, s->red};
  for (size_t i = 0; i < 2; i++) {
    if (!planes[i]->bytes) {
      for (size_t k = 0; k < cells * cells; k++) outs[i][k] = 128;
      continue;
    }
    // Of an odd side, half is rounded up: 321 pixels of luma have 161 of color.
    const float across = 1 / floorf((float)picture->luma.width / (float)planes[i]->width + 0.5f);
    const float down = 1 / floorf((float)picture->luma.height / (float)planes[i]->height + 0.5f);
    const fov_follow_box part = {window->left * across, window->top * down, window->width * across,
                                 window->height * down};
    fov_patch_sample(&s->patch, planes[i], &part, cells, cells, outs[i]);
  }
}

void fov_features(fov_feature_scratch *s, const fov_picture *picture, const fov_follow_box *window,
                  size_t cells, size_t groups, fov_lanes *out_map) {
  const bool is_signed = groups == 4;
  const size_t width = cells * FOV_CELL, vectors = is_signed ? 3 : 2, edge = cells + 2;
  fov_patch_sample(&s->patch, &picture->luma, window, width, width, s->pixels);
  sample_colors(s, picture, window, cells);
  histograms(s, cells, vectors, is_signed);
  energies(s, cells, vectors, is_signed);
  for (size_t y = 0; y < cells; y++) {
    for (size_t x = 0; x < cells; x++) {
      float norms[4];
      block_norms(s->energy + y * edge + x, edge, norms);
      const size_t i = y * cells + x;
      const float colors[3] = {
          cell_mean(s->pixels + y * FOV_CELL * width + x * FOV_CELL, width) / 255 - 0.5f,
          (s->blue[i] - 128) / 128, (s->red[i] - 128) / 128};
      const fov_lanes *h = s->cells + ((y + 1) * cells + x) * vectors;
      if (is_signed) {
        many_channels(h, norms, colors, out_map + i * groups);
      } else {
        few_channels(h, norms, colors, out_map + i * groups);
      }
    }
  }
}

void fov_features_taper(size_t cells, size_t groups, const float *taper, fov_lanes *map) {
  for (size_t y = 0; y < cells; y++) {
    for (size_t x = 0; x < cells; x++) {
      fov_lanes *cell = map + (y * cells + x) * groups;
      for (size_t g = 0; g < groups; g++) cell[g] = cell[g] * (taper[x] * taper[y]);
    }
  }
}

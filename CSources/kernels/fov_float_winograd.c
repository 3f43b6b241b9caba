// Fovea - 3 x 3 convolutions in float32 with fewer multiplications: Winograd's F(4x4, 3x3).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_float_winograd.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_int8_kernels.h"

#define TILE FOV_WINOGRAD_TILE
#define WINDOW FOV_WINOGRAD_WINDOW
#define PLANES FOV_WINOGRAD_PLANES

// Channels that are transformed side by side.
#define LANES FOV_PANEL

// MARK: Weights

bool fov_float_winograd_plan(size_t output_channels, size_t input_channels,
                             fov_float_winograd *out_winograd) {
  const size_t one[2] = {1, 1};
  return fov_float_packing_plan(output_channels, input_channels, one, &out_winograd->plane) &&
         fov_size_multiply(out_winograd->plane.bytes, PLANES, &out_winograd->bytes);
}

// G taps G^T in double, rounded once.
static void fov_winograd_transform_taps(const float taps[9], float out[PLANES]) {
  static const double g[WINDOW][3] = {
      {1.0 / 4, 0, 0},
      {-1.0 / 6, -1.0 / 6, -1.0 / 6},
      {-1.0 / 6, 1.0 / 6, -1.0 / 6},
      {1.0 / 24, 1.0 / 12, 1.0 / 6},
      {1.0 / 24, -1.0 / 12, 1.0 / 6},
      {0, 0, 1},
  };
  for (size_t i = 0; i < WINDOW; i++) {
    for (size_t j = 0; j < WINDOW; j++) {
      double sum = 0;
      for (size_t tap = 0; tap < 9; tap++) sum += g[i][tap / 3] * g[j][tap % 3] * (double)taps[tap];
      out[i * WINDOW + j] = (float)sum;
    }
  }
}

void fov_float_winograd_add(const fov_float_winograd *winograd, size_t output_channel,
                            const float *taps, float *weights) {
  const fov_float_packing *plane = &winograd->plane;
  const size_t lane = output_channel % FOV_PANEL;
  const bool last = output_channel == plane->output_channels - 1;
  const size_t plane_floats = plane->panels * plane->panel_floats;
  float *out = weights + output_channel / FOV_PANEL * plane->panel_floats;
  for (size_t i = 0; i < plane->input_channels; i++, out += FOV_PANEL) {
    float transformed[PLANES];
    fov_winograd_transform_taps(taps + 9 * i, transformed);
    for (size_t k = 0; k < PLANES; k++) {
      float *place = out + k * plane_floats;
      place[lane] = transformed[k];
      for (size_t missing = lane + 1; last && missing < FOV_PANEL; missing++) place[missing] = 0;
    }
  }
}

// MARK: Workspace
//
//   inputs   [plane][tile][input pixel]      pixels padded so that no two tiles share all their
//   products [plane][tile][output pixel]     sets of the first cache
//   zeros    [panels * FOV_PANEL]            the bias of the planes

typedef struct fov_winograd_layout {
  size_t tiles_in_row, tiles;
  size_t input_pixel, output_pixel;
  size_t input_plane, output_plane;
  size_t zeros, floats;
} fov_winograd_layout;

static size_t fov_winograd_pixel(size_t channels) {
  const size_t padded = fov_size_parts(channels, FOV_PANEL) * FOV_PANEL;
  return padded % 64 == 0 ? padded + FOV_PANEL : padded;
}

static bool fov_winograd_lay_out(const fov_float_convolution *c, size_t tile_rows,
                                 fov_winograd_layout *out_layout) {
  fov_winograd_layout l;
  size_t inputs, products;
  l.tiles_in_row = fov_size_parts(c->pools ? 2 * c->columns : c->columns, TILE);
  l.input_pixel = fov_winograd_pixel(c->channels);
  l.output_pixel = fov_winograd_pixel(c->output_channels);
  l.zeros = fov_size_parts(c->output_channels, FOV_PANEL) * FOV_PANEL;
  const bool fits = fov_size_multiply(l.tiles_in_row, tile_rows, &l.tiles) &&
                    fov_size_multiply(l.tiles, l.input_pixel, &l.input_plane) &&
                    fov_size_multiply(l.tiles, l.output_pixel, &l.output_plane) &&
                    fov_size_multiply(l.input_plane, PLANES, &inputs) &&
                    fov_size_multiply(l.output_plane, PLANES, &products) &&
                    fov_size_add(inputs, products, &l.floats) &&
                    fov_size_add(l.floats, l.zeros, &l.floats);
  *out_layout = l;
  return fits;
}

size_t fov_float_winograd_tile_rows(const fov_float_convolution *c) {
  return fov_size_parts(c->pools ? 2 * c->rows : c->rows, TILE);
}

bool fov_float_winograd_workspace(const fov_float_convolution *c, size_t tile_rows,
                                  size_t *out_floats) {
  fov_winograd_layout layout;
  const bool fits = fov_winograd_lay_out(c, tile_rows, &layout);
  *out_floats = layout.floats;
  return fits;
}

// MARK: Transforms

// B^T of six vectors `step` apart.
static void fov_winograd_inputs(const float (*in)[LANES], size_t step, float (*out)[LANES]) {
  const float *d0 = in[0], *d1 = in[step], *d2 = in[2 * step];
  const float *d3 = in[3 * step], *d4 = in[4 * step], *d5 = in[5 * step];
  for (size_t i = 0; i < LANES; i++) {
    const float even = d4[i] - 4 * d2[i], odd = d3[i] - 4 * d1[i];
    const float outer = d4[i] - d2[i], inner = 2 * (d3[i] - d1[i]);
    out[0][i] = 4 * d0[i] - 5 * d2[i] + d4[i];
    out[1][i] = even + odd;
    out[2][i] = even - odd;
    out[3][i] = outer + inner;
    out[4][i] = outer - inner;
    out[5][i] = 4 * d1[i] - 5 * d3[i] + d5[i];
  }
}

// A^T of six vectors `step` apart: four.
static void fov_winograd_results(const float (*in)[LANES], size_t step, float (*out)[LANES]) {
  const float *m0 = in[0], *m1 = in[step], *m2 = in[2 * step];
  const float *m3 = in[3 * step], *m4 = in[4 * step], *m5 = in[5 * step];
  for (size_t i = 0; i < LANES; i++) {
    const float sum1 = m1[i] + m2[i], difference1 = m1[i] - m2[i];
    const float sum2 = m3[i] + m4[i], difference2 = m3[i] - m4[i];
    out[0][i] = m0[i] + sum1 + sum2;
    out[1][i] = difference1 + 2 * difference2;
    out[2][i] = sum1 + 4 * sum2;
    out[3][i] = difference1 + 8 * difference2 + m5[i];
  }
}

// One tile, LANES channels from `channel` on; what lies outside the windows is 0.
static void fov_winograd_tile_inputs(const fov_float_convolution *c, const fov_winograd_layout *l,
                                     size_t tile_row, size_t tile_column, size_t channel,
                                     float *out) {
  float window[PLANES][LANES], half[PLANES][LANES], whole[WINDOW][LANES];
  const size_t windows = c->pools ? 2 : 1;
  const size_t rows = fov_size_min(c->rows * windows + 2 - tile_row * TILE, WINDOW);
  const size_t columns = fov_size_min(c->columns * windows + 2 - tile_column * TILE, WINDOW);
  const size_t lanes = fov_size_min(c->channels - channel, LANES);
  const float *from = c->input + (ptrdiff_t)(tile_row * TILE) * c->input_row +
                      (ptrdiff_t)(tile_column * TILE) * c->input_pixel + channel;
  if (rows < WINDOW || columns < WINDOW || lanes < LANES) memset(window, 0, sizeof window);
  for (size_t y = 0; y < rows; y++) {
    for (size_t x = 0; x < columns; x++) {
      const float *pixel = from + (ptrdiff_t)y * c->input_row + (ptrdiff_t)x * c->input_pixel;
      float *place = window[y * WINDOW + x];
      if (lanes == LANES) {
        memcpy(place, pixel, LANES * sizeof(float));
      } else {
        memcpy(place, pixel, lanes * sizeof(float));
      }
    }
  }
  for (size_t y = 0; y < WINDOW; y++)
    fov_winograd_inputs(window + y * WINDOW, 1, half + y * WINDOW);
  for (size_t x = 0; x < WINDOW; x++) {
    fov_winograd_inputs(half + x, WINDOW, whole);
    for (size_t y = 0; y < WINDOW; y++)
      memcpy(out + (y * WINDOW + x) * l->input_plane, whole[y], sizeof whole[y]);
  }
}

// Bias, slope, residual and bounds, as fov_float_kernels.h says.
static void fov_winograd_write(const fov_float_convolution *c, const float *sums, size_t row,
                               size_t column, size_t channel) {
  const fov_float_epilogue *e = &c->epilogue;
  const size_t lanes = fov_size_min(c->output_channels - channel, LANES);
  const float *bias = e->bias + channel;
  float v[LANES];
  for (size_t i = 0; i < LANES; i++) {
    const float sum = sums[i] + bias[i], scaled = sum * e->slope;
    v[i] = scaled > sum ? scaled : sum;
  }
  if (e->residual != NULL) {
    const float *residual = e->residual + (ptrdiff_t)row * e->residual_row +
                            (ptrdiff_t)column * e->residual_pixel + channel;
    for (size_t i = 0; i < lanes; i++) v[i] += residual[i];
  }
  for (size_t i = 0; i < LANES; i++) {
    v[i] = v[i] < e->lowest ? e->lowest : v[i];
    v[i] = v[i] > e->highest ? e->highest : v[i];
  }
  float *out = c->output + (ptrdiff_t)row * c->output_row + (ptrdiff_t)column * c->output_pixel +
               (ptrdiff_t)channel;
  if (lanes == LANES) {
    memcpy(out, v, sizeof v);
  } else {
    memcpy(out, v, lanes * sizeof(float));
  }
}

static void fov_winograd_tile_results(const fov_float_convolution *c, const fov_winograd_layout *l,
                                      const float *products, size_t tile_row, size_t tile_column,
                                      size_t channel) {
  float planes[PLANES][LANES], half[TILE * WINDOW][LANES], y[TILE][TILE][LANES];
  for (size_t k = 0; k < PLANES; k++)
    memcpy(planes[k], products + k * l->output_plane, sizeof planes[k]);
  for (size_t i = 0; i < WINDOW; i++) {
    float column[TILE][LANES];
    fov_winograd_results(planes + i, WINDOW, column);
    for (size_t j = 0; j < TILE; j++) memcpy(half[j * WINDOW + i], column[j], sizeof column[j]);
  }
  for (size_t j = 0; j < TILE; j++) fov_winograd_results(half + j * WINDOW, 1, y[j]);

  const size_t windows = c->pools ? 2 : 1, side = TILE / windows;
  for (size_t r = 0; r < side && tile_row * side + r < c->rows; r++) {
    for (size_t x = 0; x < side && tile_column * side + x < c->columns; x++) {
      float *sums = y[r * windows][x * windows];
      for (size_t other = 1; other < windows * windows; other++) {
        const float *more = y[r * windows + other / 2][x * windows + other % 2];
        for (size_t i = 0; i < LANES; i++) sums[i] = more[i] > sums[i] ? more[i] : sums[i];
      }
      fov_winograd_write(c, sums, tile_row * side + r, tile_column * side + x, channel);
    }
  }
}

// MARK: Run

void fov_float_winograd_run(const fov_float_winograd *winograd, const fov_float_kernels *kernels,
                            const fov_float_convolution *c, size_t tile_row_begin,
                            size_t tile_row_end, float *workspace) {
  fov_winograd_layout l;
  if (!fov_winograd_lay_out(c, tile_row_end - tile_row_begin, &l) || l.tiles == 0) return;
  float *inputs = workspace, *products = inputs + PLANES * l.input_plane;
  float *zeros = products + PLANES * l.output_plane;
  memset(zeros, 0, l.zeros * sizeof(float));

  for (size_t tile = 0; tile < l.tiles; tile++) {
    const size_t row = tile_row_begin + tile / l.tiles_in_row, column = tile % l.tiles_in_row;
    for (size_t channel = 0; channel < c->channels; channel += LANES)
      fov_winograd_tile_inputs(c, &l, row, column, channel,
                               inputs + tile * l.input_pixel + channel);
  }

  fov_float_convolution plane = {
      .input_pixel = (ptrdiff_t)l.input_pixel,
      .kernel = {1, 1},
      .stride = {1, 1},
      .dilation = {1, 1},
      .channels = c->channels,
      .block = winograd->plane.block,
      .panel_floats = winograd->plane.panel_floats,
      .rows = 1,
      .columns = l.tiles,
      .output_channels = c->output_channels,
      .output_pixel = (ptrdiff_t)l.output_pixel,
      .epilogue = {.bias = zeros, .slope = 1, .lowest = -INFINITY, .highest = INFINITY},
  };
  for (size_t k = 0; k < PLANES; k++) {
    plane.input = inputs + k * l.input_plane;
    plane.output = products + k * l.output_plane;
    plane.weights = c->weights + k * winograd->plane.panels * winograd->plane.panel_floats;
    kernels->convolution(&plane, 0, 1, 0, winograd->plane.panels);
  }

  for (size_t tile = 0; tile < l.tiles; tile++) {
    const size_t row = tile_row_begin + tile / l.tiles_in_row, column = tile % l.tiles_in_row;
    for (size_t channel = 0; channel < c->output_channels; channel += LANES)
      fov_winograd_tile_results(c, &l, products + tile * l.output_pixel + channel, row, column,
                                channel);
  }
}

// Fovea - the convolution kernel, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// A tile of `pixels` neighbouring pixels of a row times `vectors` vectors of channels is summed in
// registers over all taps and input channels; each weight that is loaded serves all its pixels,
// each input all its channels:
//
//                    w0  w1          weights of one input channel: 2 vectors
//        pixel 0  x0 s00 s01         s += x * w
//        pixel 1  x1 s10 s11
//        ...
//
// The functions here are inlined with constant pixels and vectors, so that sums are registers.
// Included behind a vector header; gives fov_set_convolution.
#ifndef FOV_FLOAT_CONVOLUTION_BODY_H
#define FOV_FLOAT_CONVOLUTION_BODY_H

#include "base/fov_size.h"
#include "kernels/fov_float_epilogue_body.h"
#include "kernels/fov_int8_kernels.h"

// Weights that may be walked anew for every row: they stay in the second cache.
#define FOV_RESIDENT_BYTES ((size_t)256 << 10)

// Loads are not to be moved across it: compilers like to load the inputs of several channels ahead
// and keep sums in memory instead.
#define FOV_KEEP_ORDER() __asm__ volatile("" ::: "memory")

// How the taps of one output pixel lie in memory. A kernel row whose pixels touch is one long tap.
typedef struct fov_taps {
  size_t rows, columns, channels, block;
  ptrdiff_t row_step, column_step;  // floats from tap to tap
  ptrdiff_t pixel_step;             // from the window of an output pixel to the next
  ptrdiff_t window_row;             // from the windows of a row to those of the next
  size_t panel_floats;
} fov_taps;

// What the taps of a tile allow.
typedef enum fov_tap_kind {
  fov_tap_kind_any,
  fov_tap_kind_one,      // a single run of channels
  fov_tap_kind_picture,  // 3 x 3 taps of 3 channels: too short for loops
} fov_tap_kind;

typedef struct fov_tile {
  const fov_taps *taps;
  const fov_float_epilogue *epilogue;
  const float *window;   // of the first pixel
  const float *weights;  // of the first panel
  const float *bias;
  bool pools;
  fov_target target;
} fov_tile;

static fov_taps fov_taps_of(const fov_float_convolution *c) {
  fov_taps taps = {
      .rows = c->kernel[0],
      .columns = c->kernel[1],
      .channels = c->channels,
      .block = c->block,
      .row_step = (ptrdiff_t)c->dilation[0] * c->input_row,
      .column_step = (ptrdiff_t)c->dilation[1] * c->input_pixel,
      .pixel_step = (ptrdiff_t)c->stride[1] * c->input_pixel,
      .window_row = (ptrdiff_t)c->stride[0] * c->input_row,
      .panel_floats = c->panel_floats,
  };
  if (taps.block >= taps.channels && taps.column_step == (ptrdiff_t)taps.channels) {
    taps.channels *= taps.columns;
    taps.columns = 1;
    taps.block = taps.channels;
  }
  return taps;
}

// The weights of vector v of a tile, from those of vector 0.
FOV_INLINE size_t fov_weights_offset(const fov_taps *taps, size_t v) {
  const size_t channel = v * FOV_VECTOR_WIDTH;
  return channel / FOV_PANEL * taps->panel_floats + channel % FOV_PANEL;
}

FOV_INLINE void fov_weights_load(const fov_taps *taps, const float *weights, size_t vectors,
                                 fov_tap_kind kind, fov_vector *out) {
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const float *from = weights + fov_weights_offset(taps, v);
    out[v] = fov_vector_load(from);
    const bool new_line = v * FOV_VECTOR_WIDTH % FOV_PANEL == 0;
    if (new_line && kind == fov_tap_kind_any) __builtin_prefetch(from + FOV_PREFETCH);
  }
}

// `run` input channels of one tap. Returns the weights behind.
FOV_INLINE const float *fov_sum_run(const fov_taps *taps, const float *x, const float *weights,
                                    size_t run, size_t pixels, size_t vectors, fov_tap_kind kind,
                                    fov_vector *sums) {
  fov_vector w[FOV_TILE_VECTORS];
  size_t c = 0;
  for (; c + FOV_INPUTS <= run; c += FOV_INPUTS) {
    fov_inputs inputs[16];
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++)
      inputs[p] = fov_inputs_load(x + (ptrdiff_t)p * taps->pixel_step + c);
#pragma GCC unroll 4
    for (size_t i = 0; i < FOV_INPUTS; i++, weights += FOV_PANEL) {
      FOV_KEEP_ORDER();
      fov_weights_load(taps, weights, vectors, kind, w);
#pragma GCC unroll 16
      for (size_t p = 0; p < pixels; p++) {
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
          sums[p * vectors + v] = fov_vector_fma_input(w[v], inputs[p], i, sums[p * vectors + v]);
      }
    }
  }
#pragma GCC unroll 1
  for (; c < run; c++, weights += FOV_PANEL) {
    fov_weights_load(taps, weights, vectors, kind, w);
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) {
      const float *input = x + (ptrdiff_t)p * taps->pixel_step + c;
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; v++)
        sums[p * vectors + v] = fov_vector_fma_one(w[v], input, sums[p * vectors + v]);
    }
  }
  return weights;
}

FOV_INLINE void fov_sum_window(const fov_taps *taps, const float *window, const float *weights,
                               size_t pixels, size_t vectors, fov_vector *sums) {
  for (size_t begin = 0; begin < taps->channels; begin += taps->block) {
    const size_t run = fov_size_min(taps->block, taps->channels - begin);
    for (size_t row = 0; row < taps->rows; row++) {
      const float *x = window + (ptrdiff_t)row * taps->row_step + begin;
      for (size_t column = 0; column < taps->columns; column++, x += taps->column_step)
        weights =
            fov_sum_run(taps, x, weights, run, pixels, vectors, fov_tap_kind_any, sums);
    }
  }
}

FOV_INLINE void fov_sum_picture(const fov_taps *taps, const float *window, const float *weights,
                                size_t pixels, size_t vectors, fov_vector *sums) {
  fov_vector w[FOV_TILE_VECTORS];
  for (size_t row = 0; row < 3; row++, window += taps->row_step) {
    const float *tap = window;
#pragma GCC unroll 1
    for (size_t column = 0; column < 3; column++, tap += taps->column_step) {
#pragma GCC unroll 3
      for (size_t i = 0; i < 3; i++, weights += FOV_PANEL) {
        fov_weights_load(taps, weights, vectors, fov_tap_kind_picture, w);
        const float *x = tap + i;
#pragma GCC unroll 16
        for (size_t p = 0; p < pixels; p++, x += taps->pixel_step) {
#pragma GCC unroll 4
          for (size_t v = 0; v < vectors; v++)
            sums[p * vectors + v] = fov_vector_fma_one(w[v], x, sums[p * vectors + v]);
        }
      }
    }
  }
}

// The sums of a row of windows, bias included.
FOV_INLINE void fov_tile_sum(const fov_tile *tile, const float *window, size_t pixels,
                             size_t vectors, fov_tap_kind kind, fov_vector *sums) {
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const fov_vector bias = fov_vector_load(tile->bias + v * FOV_VECTOR_WIDTH);
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) sums[p * vectors + v] = bias;
  }
  const fov_taps *taps = tile->taps;
  switch (kind) {
    case fov_tap_kind_any:
      fov_sum_window(taps, window, tile->weights, pixels, vectors, sums);
      break;
    case fov_tap_kind_one:
      fov_sum_run(taps, window, tile->weights, taps->channels, pixels, vectors, kind, sums);
      break;
    case fov_tap_kind_picture:
      fov_sum_picture(taps, window, tile->weights, pixels, vectors, sums);
      break;
  }
}

FOV_INLINE void fov_tile_run(const fov_tile *tile, size_t pixels, size_t vectors,
                             fov_tap_kind kind) {
  fov_vector sums[32];
  fov_tile_sum(tile, tile->window, pixels, vectors, kind, sums);
  fov_target_write(&tile->target, tile->epilogue, pixels, vectors, sums);
}

// Two rows of windows one after the other; the maxima of pairs of the upper row wait in memory.
FOV_INLINE void fov_tile_run_pooled(const fov_tile *tile, size_t pixels, size_t vectors,
                                    fov_tap_kind kind) {
  fov_vector pooled[16];
  const float *window = tile->window;
#pragma GCC unroll 1
  for (size_t row = 0; row < 2; row++, window += tile->taps->window_row) {
    fov_vector sums[32];
    fov_tile_sum(tile, window, pixels, vectors, kind, sums);
#pragma GCC unroll 8
    for (size_t p = 0; p < pixels / 2; p++) {
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; v++) {
        const fov_vector pair =
            fov_vector_maximum(sums[2 * p * vectors + v], sums[(2 * p + 1) * vectors + v]);
        pooled[p * vectors + v] =
            row == 0 ? pair : fov_vector_maximum(pooled[p * vectors + v], pair);
      }
    }
  }
  fov_target_write(&tile->target, tile->epilogue, pixels / 2, vectors, pooled);
}

// A constant number of pixels. Those that no tile of this set has cost nothing.
FOV_INLINE void fov_tile_run_constant(const fov_tile *tile, size_t pixels, size_t vectors,
                                      fov_tap_kind kind) {
  if (pixels > FOV_TILE_PIXELS(vectors)) return;
  if (!tile->pools) {
    fov_tile_run(tile, pixels, vectors, kind);
  } else if (pixels % 2 == 0) {
    fov_tile_run_pooled(tile, pixels, vectors, kind);
  }
}

FOV_INLINE void fov_tile_run_any(const fov_tile *tile, size_t pixels, size_t vectors,
                                 fov_tap_kind kind) {
  switch (pixels) {
    case 1: fov_tile_run_constant(tile, 1, vectors, kind); break;
    case 2: fov_tile_run_constant(tile, 2, vectors, kind); break;
    case 3: fov_tile_run_constant(tile, 3, vectors, kind); break;
    case 4: fov_tile_run_constant(tile, 4, vectors, kind); break;
    case 5: fov_tile_run_constant(tile, 5, vectors, kind); break;
    case 6: fov_tile_run_constant(tile, 6, vectors, kind); break;
    case 7: fov_tile_run_constant(tile, 7, vectors, kind); break;
    case 8: fov_tile_run_constant(tile, 8, vectors, kind); break;
    case 9: fov_tile_run_constant(tile, 9, vectors, kind); break;
    case 10: fov_tile_run_constant(tile, 10, vectors, kind); break;
    case 11: fov_tile_run_constant(tile, 11, vectors, kind); break;
    case 12: fov_tile_run_constant(tile, 12, vectors, kind); break;
    case 13: fov_tile_run_constant(tile, 13, vectors, kind); break;
    case 14: fov_tile_run_constant(tile, 14, vectors, kind); break;
  }
}

typedef void (*fov_tile_function)(const fov_tile *tile, size_t pixels);

static void fov_tile_run_wide(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS, fov_tap_kind_any);
}

static void fov_tile_run_narrow(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS / 2, fov_tap_kind_any);
}

static void fov_tile_run_wide_one(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS, fov_tap_kind_one);
}

static void fov_tile_run_narrow_one(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS / 2, fov_tap_kind_one);
}

static void fov_tile_run_picture(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_PICTURE_VECTORS, fov_tap_kind_picture);
}

// The function for tiles of so many channels, and how many vectors these are.
static fov_tile_function fov_tile_choose(const fov_float_convolution *c, const fov_taps *taps,
                                         size_t lanes, size_t *out_vectors) {
  const bool three = c->channels == 3 && c->block >= 3 && c->kernel[0] == 3 && c->kernel[1] == 3;
  if (three && lanes == FOV_PICTURE_VECTORS * FOV_VECTOR_WIDTH) {
    *out_vectors = FOV_PICTURE_VECTORS;
    return fov_tile_run_picture;
  }
  const bool one = taps->rows == 1 && taps->columns == 1 && taps->block >= taps->channels;
  if (lanes > FOV_TILE_VECTORS / 2 * FOV_VECTOR_WIDTH) {
    *out_vectors = FOV_TILE_VECTORS;
    return one ? fov_tile_run_wide_one : fov_tile_run_wide;
  }
  *out_vectors = FOV_TILE_VECTORS / 2;
  return one ? fov_tile_run_narrow_one : fov_tile_run_narrow;
}

// One row of the result, channels [channel, channel + tile width) of it, in nearly equal tiles: the
// last is not to be a rest of one or two pixels, whose sums would wait for one another.
static void fov_row_run(const fov_float_convolution *c, const fov_taps *taps, size_t row,
                        size_t channel, size_t channel_end) {
  const size_t lanes = fov_size_min(channel_end - channel, FOV_TILE_VECTORS * FOV_VECTOR_WIDTH);
  size_t vectors;
  const fov_tile_function run = fov_tile_choose(c, taps, lanes, &vectors);
  const fov_float_epilogue *epilogue = &c->epilogue;
  const size_t windows = c->pools ? 2 : 1;
  fov_tile tile = {
      .taps = taps,
      .epilogue = epilogue,
      .window = c->input + (ptrdiff_t)(row * windows) * taps->window_row,
      .weights = c->weights + channel / FOV_PANEL * c->panel_floats,
      .bias = epilogue->bias + channel,
      .pools = c->pools,
      .target = {
          .output = c->output + (ptrdiff_t)row * c->output_row + channel,
          .output_pixel = c->output_pixel,
          .residual = epilogue->residual,
          .residual_pixel = epilogue->residual_pixel,
          .lanes = lanes,
      },
  };
  if (tile.target.residual != NULL)
    tile.target.residual += (ptrdiff_t)row * epilogue->residual_row + (ptrdiff_t)channel;

  size_t tiles = fov_size_parts(c->columns, FOV_TILE_PIXELS(vectors) / windows);
  for (size_t left = c->columns; left > 0; tiles--) {
    const size_t pixels = fov_size_parts(left, tiles);
    run(&tile, pixels * windows);
    left -= pixels;
    tile.window += (ptrdiff_t)(pixels * windows) * taps->pixel_step;
    tile.target.output += (ptrdiff_t)pixels * c->output_pixel;
    if (tile.target.residual != NULL)
      tile.target.residual += (ptrdiff_t)pixels * epilogue->residual_pixel;
  }
}

// Few weights: row by row, so that inputs are read once. Many: panel by panel, so that these are.
static void fov_set_convolution(const fov_float_convolution *c, size_t row_begin, size_t row_end,
                                size_t panel_begin, size_t panel_end) {
  const fov_taps taps = fov_taps_of(c);
  const size_t first = panel_begin * FOV_PANEL;
  const size_t end = fov_size_min(panel_end * FOV_PANEL, c->output_channels);
  const size_t step = FOV_TILE_VECTORS * FOV_VECTOR_WIDTH;
  if ((panel_end - panel_begin) * c->panel_floats * sizeof(float) <= FOV_RESIDENT_BYTES) {
    for (size_t row = row_begin; row < row_end; row++) {
      for (size_t channel = first; channel < end; channel += step)
        fov_row_run(c, &taps, row, channel, end);
    }
  } else {
    for (size_t channel = first; channel < end; channel += step) {
      for (size_t row = row_begin; row < row_end; row++)
        fov_row_run(c, &taps, row, channel, end);
    }
  }
}

#endif

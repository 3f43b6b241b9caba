// Fovea - the convolution kernel, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// A tile of `pixels` neighboring pixels of a row times `vectors` vectors of channels is summed in
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

// With so few channels the end of a tile weighs: the end of a smaller one hides behind the next.
#define FOV_SHORT_CHANNELS 32

// Loads are not to be moved across it: compilers like to load the inputs of several channels ahead
// and keep sums in memory instead.
#define FOV_KEEP_ORDER() __asm__ volatile("" ::: "memory")

#if FOV_HAS_FEW_CHANNELS
#include "kernels/fov_float_few_channels_body.h"
#endif

// Weights that may be walked anew for every row: they stay in the second cache.
#define FOV_RESIDENT_BYTES ((size_t)256 << 10)

// How the taps of one output pixel lie in memory. A kernel row whose pixels touch is one long tap.
typedef struct fov_taps {
  size_t rows, columns, channels, block;
  ptrdiff_t row_step, column_step;  // floats from tap to tap
  ptrdiff_t pixel_step;             // from the window of an output pixel to the next
  ptrdiff_t window_row;             // from the windows of a row to those of the next
  size_t panel_floats;
  size_t ahead;                     // floats to weights that will be wanted
  const float *pairs;               // weights of the last panel as fov_float_pairs_body.h wants
                                    // them; NULL: none
} fov_taps;

typedef struct fov_tile {
  const fov_taps *taps;
  const fov_float_epilogue *epilogue;
  const float *window;   // of the first pixel
  const float *weights;  // of the first panel
  const float *bias;
  float *pooled;         // not NULL: pixels are pooled, and the maxima of pairs in the upper row here
  bool upper;            // of two rows that are pooled
  fov_target target;
} fov_tile;

#define FOV_TAPS_ARE_ONE(taps) \
  ((taps)->rows == 1 && (taps)->columns == 1 && (taps)->block >= (taps)->channels)

typedef void (*fov_tile_function)(const fov_tile *tile, size_t pixels);

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

// Where the pixels of a tile are. A processor adds an index once or twice to an address for nothing: one
// register reaches four pixels, and loops are left with enough of them.
#define FOV_REACH 4
#define FOV_POINTERS(pixels) (((pixels) + FOV_REACH - 1) / FOV_REACH)

// Compilers like to keep an address of each pixel instead, most of them in memory.
#define FOV_KEEP_REGISTER(value) __asm__("" : "+r"(value))

typedef struct fov_pixels {
  const float *at[FOV_POINTERS(16)];
  ptrdiff_t step, steps3;  // floats
} fov_pixels;

FOV_INLINE void fov_pixels_set(const fov_taps *taps, const float *first, size_t pixels,
                               fov_pixels *out) {
  out->step = taps->pixel_step;
  out->steps3 = 3 * taps->pixel_step;
  FOV_KEEP_REGISTER(out->steps3);
#pragma GCC unroll 4
  for (size_t i = 0; i < FOV_POINTERS(pixels); i++) {
    out->at[i] = first + (ptrdiff_t)(i * FOV_REACH) * out->step;
    FOV_KEEP_REGISTER(out->at[i]);
  }
}

FOV_INLINE const float *fov_pixels_at(const fov_pixels *all, size_t p) {
  const float *first = all->at[p / FOV_REACH];
  switch (p % FOV_REACH) {
    case 0: return first;
    case 1: return first + all->step;
    case 2: return first + 2 * all->step;
    default: return first + all->steps3;
  }
}

FOV_INLINE void fov_pixels_advance(fov_pixels *all, size_t pixels, size_t channels) {
#pragma GCC unroll 4
  for (size_t i = 0; i < FOV_POINTERS(pixels); i++) {
    all->at[i] += channels;
    FOV_KEEP_REGISTER(all->at[i]);
  }
}

// The weights of one input channel: vector v of a tile lies in panel v * width / FOV_PANEL.
FOV_INLINE void fov_weights_load(const float *weights, size_t panel_floats, size_t vectors,
                                 fov_vector *out) {
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const size_t channel = v * FOV_VECTOR_WIDTH;
    const float *from = weights + channel / FOV_PANEL * panel_floats + channel % FOV_PANEL;
    out[v] = fov_vector_load(from);
  }
}

// Asks for weights that are wanted later, in the next tile or in this one.
FOV_INLINE void fov_weights_ask(const float *weights, size_t panel_floats) {
#pragma GCC unroll 4
  for (size_t panel = 0; panel < FOV_TILE_VECTORS * FOV_VECTOR_WIDTH / FOV_PANEL; panel++)
    __builtin_prefetch(weights + panel * panel_floats);
}

// `run` input channels of one tap. Returns the weights behind.
FOV_INLINE const float *fov_sum_run(const fov_taps *taps, const float *x, const float *weights,
                                    size_t run, size_t pixels, size_t vectors, fov_vector *sums) {
  const size_t panel_floats = taps->panel_floats, ahead = taps->ahead;
  fov_vector w[FOV_TILE_VECTORS];
  fov_pixels all;
  fov_pixels_set(taps, x, pixels, &all);
  for (; run >= FOV_RUN_STEP; run -= FOV_RUN_STEP) {
    fov_inputs inputs[16];
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) inputs[p] = fov_inputs_load(fov_pixels_at(&all, p));
#pragma GCC unroll 4
    for (size_t i = 0; i < FOV_RUN_STEP; i++, weights += FOV_PANEL) {
      if (vectors == FOV_TILE_VECTORS) FOV_KEEP_ORDER();
      fov_weights_load(weights, panel_floats, vectors, w);
      if (vectors == FOV_TILE_VECTORS) fov_weights_ask(weights + ahead, panel_floats);
#pragma GCC unroll 16
      for (size_t p = 0; p < pixels; p++) {
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
          sums[p * vectors + v] = fov_vector_fma_input(w[v], inputs[p], i, sums[p * vectors + v]);
      }
    }
    fov_pixels_advance(&all, pixels, FOV_RUN_STEP);
  }
  if (FOV_RUN_STEP == 1) return weights;
#pragma GCC unroll 1
  for (; run > 0; run--, weights += FOV_PANEL) {
    fov_weights_load(weights, panel_floats, vectors, w);
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) {
      const float *input = fov_pixels_at(&all, p);
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; v++)
        sums[p * vectors + v] = fov_vector_fma_one(w[v], input, sums[p * vectors + v]);
    }
    fov_pixels_advance(&all, pixels, 1);
  }
  return weights;
}

FOV_INLINE void fov_sum_window(const fov_taps *taps, const float *window, const float *weights,
                               size_t pixels, size_t vectors, fov_vector *sums) {
  size_t begin = 0;
  do {
    const size_t run = fov_size_min(taps->block, taps->channels - begin);
    const float *first = window + begin;
    size_t rows = taps->rows;
    do {
      const float *x = first;
      size_t columns = taps->columns;
      do {
        weights = fov_sum_run(taps, x, weights, run, pixels, vectors, sums);
        x += taps->column_step;
      } while (--columns > 0);
      first += taps->row_step;
    } while (--rows > 0);
    begin += taps->block;
  } while (begin < taps->channels);
}

// 3 x 3 taps of 3 channels are too short for loops.
FOV_INLINE void fov_sum_image(const fov_taps *taps, const float *window, const float *weights,
                                size_t pixels, size_t vectors, fov_vector *sums) {
  const size_t panel_floats = taps->panel_floats;
  fov_vector w[FOV_TILE_VECTORS];
#pragma GCC unroll 1
  for (size_t row = 0; row < 3; row++, window += taps->row_step) {
    fov_pixels all;
    fov_pixels_set(taps, window, pixels, &all);
#pragma GCC unroll 1
    for (size_t column = 0; column < 3; column++) {
#pragma GCC unroll 3
      for (size_t i = 0; i < 3; i++, weights += FOV_PANEL) {
        fov_weights_load(weights, panel_floats, vectors, w);
#pragma GCC unroll 16
        for (size_t p = 0; p < pixels; p++) {
          const float *x = fov_pixels_at(&all, p) + i;
#pragma GCC unroll 4
          for (size_t v = 0; v < vectors; v++)
            sums[p * vectors + v] = fov_vector_fma_one(w[v], x, sums[p * vectors + v]);
        }
      }
      fov_pixels_advance(&all, pixels, (size_t)taps->column_step);
    }
  }
}

FOV_INLINE void fov_tile_pool(const fov_tile *tile, size_t pixels, size_t vectors,
                              fov_vector *sums) {
#pragma GCC unroll 8
  for (size_t p = 0; p < pixels; p++) {
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; v++)
      sums[p * vectors + v] =
          fov_vector_maximum(sums[2 * p * vectors + v], sums[(2 * p + 1) * vectors + v]);
  }
  if (tile->upper) {
#pragma GCC unroll 16
    for (size_t i = 0; i < pixels * vectors; i++)
      fov_vector_store(tile->pooled + i * FOV_VECTOR_WIDTH, sums[i]);
  } else {
#pragma GCC unroll 16
    for (size_t i = 0; i < pixels * vectors; i++)
      sums[i] = fov_vector_maximum(sums[i], fov_vector_load(tile->pooled + i * FOV_VECTOR_WIDTH));
    fov_target_write(&tile->target, tile->epilogue, pixels, vectors, sums);
  }
}

// pixels and vectors are constants.
FOV_INLINE void fov_tile_run(const fov_tile *tile, size_t pixels, size_t vectors, bool image) {
  if (pixels > FOV_TILE_PIXELS(vectors)) return;
  fov_vector sums[32];
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const fov_vector bias = fov_vector_load(tile->bias + v * FOV_VECTOR_WIDTH);
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) sums[p * vectors + v] = bias;
  }
  if (image) {
    fov_sum_image(tile->taps, tile->window, tile->weights, pixels, vectors, sums);
  } else {
    fov_sum_window(tile->taps, tile->window, tile->weights, pixels, vectors, sums);
  }
  if (tile->pooled == NULL) {
    fov_target_write(&tile->target, tile->epilogue, pixels, vectors, sums);
  } else if (pixels % 2 == 0) {
    fov_tile_pool(tile, pixels / 2, vectors, sums);
  }
}

// A constant number of pixels. Those that no tile of this set has cost nothing.
FOV_INLINE void fov_tile_run_any(const fov_tile *tile, size_t pixels, size_t vectors,
                                 bool image) {
  switch (pixels) {
    case 1: fov_tile_run(tile, 1, vectors, image); break;
    case 2: fov_tile_run(tile, 2, vectors, image); break;
    case 3: fov_tile_run(tile, 3, vectors, image); break;
    case 4: fov_tile_run(tile, 4, vectors, image); break;
    case 5: fov_tile_run(tile, 5, vectors, image); break;
    case 6: fov_tile_run(tile, 6, vectors, image); break;
    case 7: fov_tile_run(tile, 7, vectors, image); break;
    case 8: fov_tile_run(tile, 8, vectors, image); break;
    case 9: fov_tile_run(tile, 9, vectors, image); break;
    case 10: fov_tile_run(tile, 10, vectors, image); break;
    case 11: fov_tile_run(tile, 11, vectors, image); break;
    case 12: fov_tile_run(tile, 12, vectors, image); break;
    case 13: fov_tile_run(tile, 13, vectors, image); break;
    case 14: fov_tile_run(tile, 14, vectors, image); break;
  }
}

static void fov_tile_run_wide(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS, false);
}

static void fov_tile_run_narrow(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_TILE_VECTORS / 2, false);
}

static void fov_tile_run_image(const fov_tile *tile, size_t pixels) {
  fov_tile_run_any(tile, pixels, FOV_IMAGE_VECTORS, true);
}

// The function for tiles of so many channels, and how many vectors these are.
static fov_tile_function fov_tile_choose(const fov_float_convolution *c, size_t lanes,
                                         size_t *out_vectors) {
  const bool three = c->channels == 3 && c->block >= 3 && c->kernel[0] == 3 && c->kernel[1] == 3;
  if (three && lanes == FOV_IMAGE_VECTORS * FOV_VECTOR_WIDTH) {
    *out_vectors = FOV_IMAGE_VECTORS;
    return fov_tile_run_image;
  }
  const bool wide = lanes > FOV_TILE_VECTORS / 2 * FOV_VECTOR_WIDTH;
  *out_vectors = wide ? FOV_TILE_VECTORS : FOV_TILE_VECTORS / 2;
  return wide ? fov_tile_run_wide : fov_tile_run_narrow;
}

#if FOV_HAS_FEW_CHANNELS
#include "kernels/fov_float_pairs_body.h"
#define FOV_PAIRS_FLOATS (FOV_PAIRS_CHANNELS * FOV_PANEL)
#else
#define FOV_PAIRS_FLOATS 1
#endif

// fov_float_few_channels_body.h, if it serves this convolution: a row of some panels.
static bool fov_row_run_few_channels(const fov_float_convolution *c, const fov_tile *tile) {
#if FOV_HAS_FEW_CHANNELS
  const fov_taps *taps = tile->taps;
  const bool image = c->kernel[0] == 3 && c->kernel[1] == 3 && c->channels == 3;
  // Of 16 channels two panels together need fewer loads than each in registers.
  const bool few = taps->channels == 8 || (taps->channels == 16 && c->output_channels <= FOV_PANEL);
  const bool one = FOV_TAPS_ARE_ONE(taps) && few;
  if (!(image || one) || c->pools || c->block < c->channels) return false;
  fov_few_channels narrow = {
      .epilogue = *tile->epilogue,
      .target = tile->target,
      .input = tile->window,
      .pixel_step = taps->pixel_step,
      .weights = tile->weights,
  };
  const size_t lanes = tile->target.lanes;
  for (size_t begin = 0; begin < lanes; begin += FOV_PANEL) {
    narrow.target.lanes = fov_size_min(lanes - begin, FOV_PANEL);
    narrow.target.output = tile->target.output + begin;
    if (tile->target.residual != NULL) narrow.target.residual = tile->target.residual + begin;
    narrow.epilogue.bias = tile->bias + begin;
    if (image) {
      const ptrdiff_t steps[2] = {taps->row_step, taps->column_step};
      fov_few_channels_row_image(&narrow, steps, c->columns);
    } else {
      fov_few_channels_row(&narrow, taps->channels, c->columns);
    }
    narrow.weights += taps->panel_floats;
  }
  return true;
#else
  (void)c;
  (void)tile;
  return false;
#endif
}

// Orders the weights of the last panel, if it stands alone and fov_float_pairs_body.h serves it.
static const float *fov_order_pairs(const fov_float_convolution *c, const fov_taps *taps,
                                    size_t first, size_t end, float *memory) {
#if FOV_HAS_FEW_CHANNELS
  const size_t last = (end - first) % (2 * FOV_PANEL);
  if (last <= 8 || last > FOV_PANEL || !FOV_TAPS_ARE_ONE(taps) || taps->channels % 2 != 0 ||
      taps->channels > FOV_PAIRS_CHANNELS || c->pools || c->columns < FOV_PAIRS_PIXELS)
    return NULL;
  fov_pairs_order(c->weights + (end - last) / FOV_PANEL * c->panel_floats, taps->channels, memory);
  return memory;
#else
  (void)c, (void)taps, (void)first, (void)end, (void)memory;
  return NULL;
#endif
}

// One row of the result, channels [channel, channel + tile width) of it, in nearly equal tiles: the
// last is not to be a rest of one or two pixels, whose sums would wait for one another.
static void fov_row_run(const fov_float_convolution *c, const fov_taps *taps, size_t row,
                        size_t channel, size_t channel_end) {
  const size_t lanes = fov_size_min(channel_end - channel, FOV_TILE_VECTORS * FOV_VECTOR_WIDTH);
  size_t vectors;
  fov_tile_function run = fov_tile_choose(c, lanes, &vectors);
  const fov_float_epilogue *epilogue = &c->epilogue;
  const size_t windows = c->pools ? 2 : 1;
  fov_tile tile = {
      .taps = taps,
      .epilogue = epilogue,
      .window = c->input + (ptrdiff_t)(row * windows) * taps->window_row,
      .weights = c->weights + channel / FOV_PANEL * c->panel_floats,
      .bias = epilogue->bias + channel,
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

  if (fov_row_run_few_channels(c, &tile)) return;
#if FOV_HAS_FEW_CHANNELS
  if (taps->pairs != NULL && lanes <= FOV_PANEL) {
    run = fov_tile_run_pairs;
    tile.weights = taps->pairs;
  }
#endif
  _Alignas(64) float pooled[16 * FOV_VECTOR_WIDTH];
  const bool is_short = vectors == FOV_TILE_VECTORS && FOV_TAPS_ARE_ONE(taps) &&
                        taps->channels <= FOV_SHORT_CHANNELS;
  const size_t most = is_short ? FOV_SHORT_PIXELS : FOV_TILE_PIXELS(vectors);
  const size_t tiles = fov_size_parts(c->columns, most / windows);
  const size_t length = c->columns / tiles, longer = c->columns % tiles;
  for (size_t i = 0; i < tiles; i++) {
    const size_t pixels = i < longer ? length + 1 : length;
    if (c->pools) {
      tile.pooled = pooled;
      tile.upper = true;
      run(&tile, 2 * pixels);
      tile.upper = false;
      tile.window += taps->window_row;
      run(&tile, 2 * pixels);
      tile.window -= taps->window_row;
    } else {
      run(&tile, pixels);
    }
    tile.window += (ptrdiff_t)(pixels * windows) * taps->pixel_step;
    tile.target.output += (ptrdiff_t)pixels * c->output_pixel;
    if (tile.target.residual != NULL)
      tile.target.residual += (ptrdiff_t)pixels * epilogue->residual_pixel;
  }
}

// Whether rows are too short for a tile, and columns are longer. Images have tiles of their own.
static bool fov_is_narrow(const fov_float_convolution *c, size_t rows) {
  return !c->pools && c->columns <= FOV_TILE_PIXELS(FOV_TILE_VECTORS) / 2 && rows > c->columns &&
         c->channels > FOV_GROUP;
}

// Makes `rows` rows of the result from `row_begin` on its columns, and its columns rows.
static void fov_swap_rows_and_columns(fov_float_convolution *c, fov_taps *taps, size_t row_begin, size_t rows) {
  const ptrdiff_t begin = (ptrdiff_t)row_begin;
  c->input += begin * taps->window_row;
  c->output += begin * c->output_row;
  if (c->epilogue.residual != NULL) c->epilogue.residual += begin * c->epilogue.residual_row;
  fov_distances_swap(&taps->window_row, &taps->pixel_step);
  fov_distances_swap(&c->output_row, &c->output_pixel);
  fov_distances_swap(&c->epilogue.residual_row, &c->epilogue.residual_pixel);
  c->rows = c->columns;
  c->columns = rows;
}

// Few weights: row by row, so that inputs are read once. Many: panel by panel, so that these are.
static void fov_set_convolution(const fov_float_convolution *convolution, size_t row_begin,
                                size_t row_end, size_t panel_begin, size_t panel_end) {
  fov_float_convolution turned = *convolution;
  const fov_float_convolution *c = &turned;
  fov_taps taps = fov_taps_of(c);
  if (fov_is_narrow(c, row_end - row_begin)) {
    fov_swap_rows_and_columns(&turned, &taps, row_begin, row_end - row_begin);
    row_begin = 0;
    row_end = turned.rows;
  }
  const size_t first = panel_begin * FOV_PANEL;
  const size_t end = fov_size_min(panel_end * FOV_PANEL, c->output_channels);
  const size_t step = FOV_TILE_VECTORS * FOV_VECTOR_WIDTH;
  if (first >= end) return;
  _Alignas(64) float pairs[FOV_PAIRS_FLOATS];
  taps.pairs = fov_order_pairs(c, &taps, first, end, pairs);
  const bool few =
      (panel_end - panel_begin) * c->panel_floats * sizeof(float) <= FOV_RESIDENT_BYTES;
  taps.ahead = few ? step / FOV_PANEL * c->panel_floats : FOV_PREFETCH;
  if (few) {
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

// Fovea - the convolution kernel, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// A tile is `pixels` neighboring pixels of a row times `vectors` vectors of channels. Its sums over
// all taps and input channels stay in registers. Each weight that is loaded is used for all pixels,
// and each input for all channels:
//
//                    w0  w1          weights of one input channel: 2 vectors
//        pixel 0  x0 s00 s01         s += x * w
//        pixel 1  x1 s10 s11
//        ...
//
// The functions are inlined with constant pixels and vectors, so that sums are registers. Included
// after a vector header. Defines convolution.
#ifndef FOV_FLOAT_CONVOLUTION_BODY_H
#define FOV_FLOAT_CONVOLUTION_BODY_H

#include "base/fov_size.h"
#include "kernels/float/fov_float_tile_body.h"
#include "kernels/int8/fov_int8_kernels.h"

#if HAS_FEW_CHANNELS
#include "kernels/float/fov_float_few_channels_body.h"
#include "kernels/float/fov_float_pairs_body.h"
#define PAIRS_FLOATS (PAIRS_CHANNELS * FOV_PANEL)
#else
#define PAIRS_FLOATS 1
#endif

// With so few channels, finishing a tile takes much of its time. Smaller tiles are then faster,
// since the end of one overlaps with the sums of the next.
#define SHORT_CHANNELS 32

// So many bytes of weights stay in the second cache, and can be read again for every row.
#define RESIDENT_BYTES ((size_t)256 << 10)

// The weights of one input channel: vector v of a tile lies in panel v * width / FOV_PANEL.
INLINE void weights_load(const float *weights, size_t panel_floats, size_t vectors, vector *out) {
  UNROLLED for (size_t v = 0; v < vectors; v++) {
    const size_t channel = v * VECTOR_LANES;
    const float *from = weights + channel / FOV_PANEL * panel_floats + channel % FOV_PANEL;
    out[v] = vector_load(from);
  }
}

// Prefetches weights for later, in this tile or in the next.
INLINE void weights_ask(const float *weights, size_t panel_floats) {
  UNROLLED for (size_t panel = 0; panel < TILE_VECTORS * VECTOR_LANES / FOV_PANEL; panel++) {
    __builtin_prefetch(weights + panel * panel_floats);
  }
}

// Adds the products of `run` input channels of one tap. Returns the weights after these.
INLINE const float *sum_run(const window_taps *taps, const float *x, const float *weights,
                            size_t run, size_t pixels, size_t vectors, vector *sums) {
  const size_t panel_floats = taps->panel_floats, ahead = taps->ahead;
  vector w[TILE_VECTORS];
  pixel_addresses all;
  pixel_addresses_set(taps, x, pixels, &all);
  for (; run >= RUN_STEP; run -= RUN_STEP) {
    pixel_inputs inputs[16];
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      inputs[p] = pixel_inputs_load(pixel_addresses_at(&all, p));
    }
    UNROLLED for (size_t i = 0; i < RUN_STEP; i++, weights += FOV_PANEL) {
      if (vectors == TILE_VECTORS) KEEP_LOADS_IN_ORDER();
      weights_load(weights, panel_floats, vectors, w);
      if (vectors == TILE_VECTORS) weights_ask(weights + ahead, panel_floats);
      UNROLLED for (size_t p = 0; p < pixels; p++) {
        UNROLLED for (size_t v = 0; v < vectors; v++) {
          sums[p * vectors + v] = vector_fma_input(w[v], inputs[p], i, sums[p * vectors + v]);
        }
      }
    }
    pixel_addresses_advance(&all, pixels, RUN_STEP);
  }
  if (RUN_STEP == 1) return weights;
  ONE_BY_ONE for (; run > 0; run--, weights += FOV_PANEL) {
    weights_load(weights, panel_floats, vectors, w);
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      const float *input = pixel_addresses_at(&all, p);
      UNROLLED for (size_t v = 0; v < vectors; v++) {
        sums[p * vectors + v] = vector_fma_one(w[v], input, sums[p * vectors + v]);
      }
    }
    pixel_addresses_advance(&all, pixels, 1);
  }
  return weights;
}

INLINE void sum_window(const window_taps *taps, const float *window, const float *weights,
                       size_t pixels, size_t vectors, vector *sums) {
  size_t begin = 0;
  do {
    const size_t run = fov_size_min(taps->block, taps->channels - begin);
    const float *first = window + begin;
    size_t rows = taps->rows;
    do {
      const float *x = first;
      size_t columns = taps->columns;
      do {
        weights = sum_run(taps, x, weights, run, pixels, vectors, sums);
        x += taps->column_step;
      } while (--columns > 0);
      first += taps->row_step;
    } while (--rows > 0);
    begin += taps->block;
  } while (begin < taps->channels);
}

// 3 x 3 taps of 3 channels, for which the loops of sum_window cost too much.
INLINE void sum_image(const window_taps *taps, const float *window, const float *weights,
                      size_t pixels, size_t vectors, vector *sums) {
  const size_t panel_floats = taps->panel_floats;
  vector w[TILE_VECTORS];
  ONE_BY_ONE for (size_t row = 0; row < 3; row++, window += taps->row_step) {
    pixel_addresses all;
    pixel_addresses_set(taps, window, pixels, &all);
    ONE_BY_ONE for (size_t column = 0; column < 3; column++) {
      UNROLLED for (size_t i = 0; i < 3; i++, weights += FOV_PANEL) {
        weights_load(weights, panel_floats, vectors, w);
        UNROLLED for (size_t p = 0; p < pixels; p++) {
          const float *x = pixel_addresses_at(&all, p) + i;
          UNROLLED for (size_t v = 0; v < vectors; v++) {
            sums[p * vectors + v] = vector_fma_one(w[v], x, sums[p * vectors + v]);
          }
        }
      }
      pixel_addresses_advance(&all, pixels, (size_t)taps->column_step);
    }
  }
}

INLINE void tile_pool(const tile *tile, size_t pixels, size_t vectors, vector *sums) {
  UNROLLED for (size_t p = 0; p < pixels; p++) {
    UNROLLED for (size_t v = 0; v < vectors; v++) {
      sums[p * vectors + v] =
          vector_maximum(sums[2 * p * vectors + v], sums[(2 * p + 1) * vectors + v]);
    }
  }
  if (tile->upper) {
    UNROLLED for (size_t i = 0; i < pixels * vectors; i++) {
      vector_store(tile->pooled + i * VECTOR_LANES, sums[i]);
    }
  } else {
    UNROLLED for (size_t i = 0; i < pixels * vectors; i++) {
      sums[i] = vector_maximum(sums[i], vector_load(tile->pooled + i * VECTOR_LANES));
    }
    target_write(&tile->target, tile->epilogue, pixels, vectors, sums);
  }
}

// pixels and vectors are constants.
INLINE void tile_run(const tile *tile, size_t pixels, size_t vectors, bool image) {
  if (pixels > TILE_PIXELS(vectors)) return;
  vector sums[32];
  UNROLLED for (size_t v = 0; v < vectors; v++) {
    const vector bias = vector_load(tile->bias + v * VECTOR_LANES);
    UNROLLED for (size_t p = 0; p < pixels; p++) sums[p * vectors + v] = bias;
  }
  if (image) {
    sum_image(tile->taps, tile->window, tile->weights, pixels, vectors, sums);
  } else {
    sum_window(tile->taps, tile->window, tile->weights, pixels, vectors, sums);
  }
  if (tile->pooled == NULL) {
    target_write(&tile->target, tile->epilogue, pixels, vectors, sums);
  } else if (pixels % 2 == 0) {
    tile_pool(tile, pixels / 2, vectors, sums);
  }
}

// Calls tile_run with a constant number of pixels. Cases that no tile of this set has take no code.
INLINE void tile_run_any(const tile *tile, size_t pixels, size_t vectors, bool image) {
  switch (pixels) {
    case 1: tile_run(tile, 1, vectors, image); break;
    case 2: tile_run(tile, 2, vectors, image); break;
    case 3: tile_run(tile, 3, vectors, image); break;
    case 4: tile_run(tile, 4, vectors, image); break;
    case 5: tile_run(tile, 5, vectors, image); break;
    case 6: tile_run(tile, 6, vectors, image); break;
    case 7: tile_run(tile, 7, vectors, image); break;
    case 8: tile_run(tile, 8, vectors, image); break;
    case 9: tile_run(tile, 9, vectors, image); break;
    case 10: tile_run(tile, 10, vectors, image); break;
    case 11: tile_run(tile, 11, vectors, image); break;
    case 12: tile_run(tile, 12, vectors, image); break;
    case 13: tile_run(tile, 13, vectors, image); break;
    case 14: tile_run(tile, 14, vectors, image); break;
  }
}

static void tile_run_wide(const tile *tile, size_t pixels) {
  tile_run_any(tile, pixels, TILE_VECTORS, false);
}

static void tile_run_narrow(const tile *tile, size_t pixels) {
  tile_run_any(tile, pixels, TILE_VECTORS / 2, false);
}

static void tile_run_image(const tile *tile, size_t pixels) {
  tile_run_any(tile, pixels, IMAGE_VECTORS, true);
}

// The function for tiles of `lanes` channels, and the number of their vectors.
static tile_function tile_choose(const fov_float_convolution *c, size_t lanes,
                                 size_t *out_vectors) {
  const bool three = c->channels == 3 && c->block >= 3 && c->kernel[0] == 3 && c->kernel[1] == 3;
  if (three && lanes == IMAGE_VECTORS * VECTOR_LANES) {
    *out_vectors = IMAGE_VECTORS;
    return tile_run_image;
  }
  const bool wide = lanes > TILE_VECTORS / 2 * VECTOR_LANES;
  *out_vectors = wide ? TILE_VECTORS : TILE_VECTORS / 2;
  return wide ? tile_run_wide : tile_run_narrow;
}

// Computes a row of some panels by fov_float_few_channels_body.h. false if that does not apply.
static bool run_row_of_few_channels(const fov_float_convolution *c, const tile *tile) {
#if HAS_FEW_CHANNELS
  const window_taps *taps = tile->taps;
  const bool image = c->kernel[0] == 3 && c->kernel[1] == 3 && c->channels == 3;
  // Of 16 channels two panels together need fewer loads than each in registers.
  const bool few = taps->channels == 8 || (taps->channels == 16 && c->output_channels <= FOV_PANEL);
  const bool one = TAPS_ARE_ONE(taps) && few;
  if (!(image || one) || c->pools || c->in_order || c->block < c->channels) return false;
  few_channels narrow = {
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
      few_channels_row_image(&narrow, steps, c->columns);
    } else {
      few_channels_row(&narrow, taps->channels, c->columns);
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

// Orders the weights of the last panel for fov_float_pairs_body.h. NULL if that does not apply.
static const float *order_pairs(const fov_float_convolution *c, const window_taps *taps,
                                size_t first, size_t end, float *memory) {
#if HAS_FEW_CHANNELS
  const size_t last = (end - first) % (2 * FOV_PANEL);
  if (last <= 8 || last > FOV_PANEL || !TAPS_ARE_ONE(taps) || taps->channels % 2 != 0 ||
      taps->channels > PAIRS_CHANNELS || c->pools || c->in_order || c->columns < PAIRS_PIXELS) {
    return NULL;
  }
  pairs_order(c->weights + (end - last) / FOV_PANEL * c->panel_floats, taps->channels, memory);
  return memory;
#else
  (void)c, (void)taps, (void)first, (void)end, (void)memory;
  return NULL;
#endif
}

// One row of the result, and at most the channels of a tile from `channel` on. Tiles have nearly
// the same number of pixels. In a last tile of one or two pixels, each product would wait for the
// one before.
static void run_row(const fov_float_convolution *c, const window_taps *taps, size_t row,
                    size_t channel, size_t channel_end) {
  const size_t lanes = fov_size_min(channel_end - channel, TILE_VECTORS * VECTOR_LANES);
  size_t vectors;
  tile_function run = tile_choose(c, lanes, &vectors);
  const fov_float_epilogue *epilogue = &c->epilogue;
  const size_t windows = c->pools ? 2 : 1;
  tile tile = {
      .taps = taps,
      .epilogue = epilogue,
      .window = c->input + (ptrdiff_t)(row * windows) * taps->window_row,
      .weights = c->weights + channel / FOV_PANEL * c->panel_floats,
      .bias = epilogue->bias + channel,
      .target =
          {
              .output = c->output + (ptrdiff_t)row * c->output_row + channel,
              .output_pixel = c->output_pixel,
              .residual = epilogue->residual,
              .residual_pixel = epilogue->residual_pixel,
              .lanes = lanes,
          },
  };
  if (tile.target.residual != NULL) {
    tile.target.residual += (ptrdiff_t)row * epilogue->residual_row + (ptrdiff_t)channel;
  }

  if (run_row_of_few_channels(c, &tile)) return;
#if HAS_FEW_CHANNELS
  if (taps->pairs != NULL && lanes <= FOV_PANEL) {
    run = tile_run_pairs;
    tile.weights = taps->pairs;
  }
#endif
  _Alignas(64) float pooled[16 * VECTOR_LANES];
  const bool is_short =
      vectors == TILE_VECTORS && TAPS_ARE_ONE(taps) && taps->channels <= SHORT_CHANNELS;
  const size_t most = is_short ? SHORT_PIXELS : TILE_PIXELS(vectors);
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
    if (tile.target.residual != NULL) {
      tile.target.residual += (ptrdiff_t)pixels * epilogue->residual_pixel;
    }
  }
}

// Whether rows are too short for a tile, and columns are longer. Not for images, which have their
// own tiles.
static bool is_narrow(const fov_float_convolution *c, size_t rows) {
  return !c->pools && c->columns <= TILE_PIXELS(TILE_VECTORS) / 2 && rows > c->columns &&
         c->channels > FOV_GROUP;
}

// Swaps rows and columns of the result, for `rows` rows from `row_begin` on.
static void swap_rows_and_columns(fov_float_convolution *c, window_taps *taps, size_t row_begin,
                                  size_t rows) {
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

// With few weights row by row, so that inputs are read once. With many weights panel by panel, so
// that weights are read once.
static void convolution(const fov_float_convolution *convolution, size_t row_begin, size_t row_end,
                        size_t panel_begin, size_t panel_end) {
  fov_float_convolution swapped = *convolution;
  const fov_float_convolution *c = &swapped;
  window_taps taps = window_taps_of(c);
  if (is_narrow(c, row_end - row_begin)) {
    swap_rows_and_columns(&swapped, &taps, row_begin, row_end - row_begin);
    row_begin = 0;
    row_end = swapped.rows;
  }
  const size_t first = panel_begin * FOV_PANEL;
  const size_t end = fov_size_min(panel_end * FOV_PANEL, c->output_channels);
  const size_t step = TILE_VECTORS * VECTOR_LANES;
  if (first >= end) return;
  _Alignas(64) float pairs[PAIRS_FLOATS];
  taps.pairs = order_pairs(c, &taps, first, end, pairs);
  const bool few = (panel_end - panel_begin) * c->panel_floats * sizeof(float) <= RESIDENT_BYTES;
  taps.ahead = few ? step / FOV_PANEL * c->panel_floats : PREFETCH_FLOATS;
  if (few) {
    for (size_t row = row_begin; row < row_end; row++) {
      for (size_t channel = first; channel < end; channel += step) {
        run_row(c, &taps, row, channel, end);
      }
    }
  } else {
    for (size_t channel = first; channel < end; channel += step) {
      for (size_t row = row_begin; row < row_end; row++) run_row(c, &taps, row, channel, end);
    }
  }
}

#endif

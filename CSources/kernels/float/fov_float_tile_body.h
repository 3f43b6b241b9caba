// Fovea - a tile of a float convolution: its window, its weights, and where its pixels are.
// SPDX-License-Identifier: Apache-2.0
//
// Included after a vector header, by the bodies of a convolution.
#ifndef FOV_FLOAT_TILE_BODY_H
#define FOV_FLOAT_TILE_BODY_H

#include "kernels/float/fov_float_epilogue_body.h"

// The compiler does not move loads across it. Otherwise it may load the inputs of several channels
// early, and move sums to memory.
#define KEEP_LOADS_IN_ORDER() __asm__ volatile("" ::: "memory")

// Where the taps of one output pixel are in memory. A kernel row of contiguous pixels is one long
// tap.
typedef struct window_taps {
  size_t rows, columns, channels, block;
  ptrdiff_t row_step, column_step;  // floats from tap to tap
  ptrdiff_t pixel_step;             // from the window of an output pixel to the next
  ptrdiff_t window_row;             // from the windows of a row to those of the next
  size_t panel_floats;
  size_t ahead;        // floats to weights that will be wanted
  const float *pairs;  // weights of the last panel as fov_float_pairs_body.h wants
                       // them; NULL: none
} window_taps;

typedef struct tile {
  const window_taps *taps;
  const fov_float_epilogue *epilogue;
  const float *window;   // of the first pixel
  const float *weights;  // of the first panel
  const float *bias;
  float *pooled;  // not NULL: pixels are pooled, and the maxima of pairs in the upper row here
  bool upper;     // of two rows that are pooled
  store_target target;
} tile;

#define TAPS_ARE_ONE(taps) \
  ((taps)->rows == 1 && (taps)->columns == 1 && (taps)->block >= (taps)->channels)

typedef void (*tile_function)(const tile *tile, size_t pixels);

static window_taps window_taps_of(const fov_float_convolution *c) {
  window_taps taps = {
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

// The addresses of a tile's pixels. An address with an index, once or twice, costs a load nothing,
// so that one register serves four pixels. By itself a compiler may keep one address for each
// pixel, most of them in memory.
#define PIXELS_PER_ADDRESS 4
#define ADDRESSES(pixels) (((pixels) + PIXELS_PER_ADDRESS - 1) / PIXELS_PER_ADDRESS)

typedef struct pixel_addresses {
  const float *at[ADDRESSES(16)];
  ptrdiff_t step, steps3;  // floats
} pixel_addresses;

INLINE void pixel_addresses_set(const window_taps *taps, const float *first, size_t pixels,
                                pixel_addresses *out) {
  out->step = taps->pixel_step;
  out->steps3 = 3 * taps->pixel_step;
  KEEP_REGISTER(out->steps3);
  UNROLLED for (size_t i = 0; i < ADDRESSES(pixels); i++) {
    out->at[i] = first + (ptrdiff_t)(i * PIXELS_PER_ADDRESS) * out->step;
    KEEP_REGISTER(out->at[i]);
  }
}

INLINE const float *pixel_addresses_at(const pixel_addresses *all, size_t p) {
  const float *first = all->at[p / PIXELS_PER_ADDRESS];
  switch (p % PIXELS_PER_ADDRESS) {
    case 0: return first;
    case 1: return first + all->step;
    case 2: return first + 2 * all->step;
    default: return first + all->steps3;
  }
}

INLINE void pixel_addresses_advance(pixel_addresses *all, size_t pixels, size_t channels) {
  UNROLLED for (size_t i = 0; i < ADDRESSES(pixels); i++) {
    all->at[i] += channels;
    KEEP_REGISTER(all->at[i]);
  }
}

#endif

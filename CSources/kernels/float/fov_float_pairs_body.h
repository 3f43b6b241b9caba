// Fovea - 1x1 convolutions of 16 results, two channels at a time.
// SPDX-License-Identifier: Apache-2.0
//
// With one vector of results, each product needs an input of its own, and loads limit the speed. A
// vector of 8 results times two channels, as in fov_float_few_channels_body.h, needs one load for
// two channels:
//
//     x0 w00  x1 w10  x0 w01  x1 w11  ...  |  the same for results 8 ... 15
//
// Weights are brought into this order in every call, which costs less than it gains from a few
// pixels on. Included by the body of a convolution.
#ifndef FOV_FLOAT_PAIRS_BODY_H
#define FOV_FLOAT_PAIRS_BODY_H

#include "kernels/float/fov_float_tile_body.h"

#define PAIRS_CHANNELS 256

static void pairs_order(const float *weights, size_t channels, float *out) {
  for (size_t c = 0; c < channels; c += 2, weights += 2 * FOV_PANEL, out += 2 * FOV_PANEL) {
    const vector a = vector_load(weights), b = vector_load(weights + FOV_PANEL);
    vector_store(out, pairs_of(a, b));
    vector_store(out + FOV_PANEL, pairs_of_last(a, b));
  }
}

// pixels is a constant; weights: ordered.
INLINE void pairs_tile(const tile *tile, size_t pixels) {
  const float *weights = tile->weights;
  vector sums[32];
  pixel_addresses all;
  UNROLLED for (size_t i = 0; i < 2 * pixels; i++) sums[i] = vector_fill(0);
  pixel_addresses_set(tile->taps, tile->window, pixels, &all);
  for (size_t left = tile->taps->channels; left > 0; left -= 2, weights += 2 * FOV_PANEL) {
    KEEP_LOADS_IN_ORDER();
    const vector w0 = vector_load(weights), w1 = vector_load(weights + FOV_PANEL);
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      const vector pair = pairs_fill(pixel_addresses_at(&all, p));
      sums[2 * p] = vector_fma(w0, pair, sums[2 * p]);
      sums[2 * p + 1] = vector_fma(w1, pair, sums[2 * p + 1]);
    }
    pixel_addresses_advance(&all, pixels, 2);
  }
  const vector bias = vector_load(tile->bias);
  UNROLLED for (size_t p = 0; p < pixels; p++) {
    sums[p] = vector_add(pairs_sum(sums[2 * p], sums[2 * p + 1]), bias);
  }
  target_write(&tile->target, tile->epilogue, pixels, 1, sums);
}

// Rows of fewer than PAIRS_PIXELS pixels are left to other tiles.
#define PAIRS_PIXELS 7

static void tile_run_pairs(const tile *tile, size_t pixels) {
  switch (pixels) {
    case 7: pairs_tile(tile, 7); break;
    case 8: pairs_tile(tile, 8); break;
    case 9: pairs_tile(tile, 9); break;
    case 10: pairs_tile(tile, 10); break;
    case 11: pairs_tile(tile, 11); break;
    case 12: pairs_tile(tile, 12); break;
    case 13: pairs_tile(tile, 13); break;
  }
}

#endif

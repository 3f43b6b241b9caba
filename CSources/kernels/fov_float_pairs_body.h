// Fovea - 1x1 convolutions of 16 results, two channels at a time.
// SPDX-License-Identifier: Apache-2.0
//
// With one vector of results each product wants an input of its own, and loads bound the tile. A vector
// of 8 results times two channels, as in fov_float_few_channels_body.h, takes one load for two channels:
//
//     x0 w00  x1 w10  x0 w01  x1 w11  ...  |  the same of results 8 ... 15
//
// Weights are put into that order in every call, since few pixels suffice to pay for it.
// Included by the body of a convolution, behind fov_float_few_channels_body.h.
#ifndef FOV_FLOAT_PAIRS_BODY_H
#define FOV_FLOAT_PAIRS_BODY_H

#define FOV_PAIRS_CHANNELS 256

static void fov_pairs_order(const float *weights, size_t channels, float *out) {
  for (size_t c = 0; c < channels; c += 2, weights += 2 * FOV_PANEL, out += 2 * FOV_PANEL) {
    const fov_vector a = fov_vector_load(weights), b = fov_vector_load(weights + FOV_PANEL);
    fov_vector_store(out, fov_pairs_of(a, b));
    fov_vector_store(out + FOV_PANEL, fov_pairs_of_last(a, b));
  }
}

// pixels is a constant; weights: ordered.
FOV_INLINE void fov_pairs_tile(const fov_tile *tile, size_t pixels) {
  const float *weights = tile->weights;
  fov_vector sums[32];
  fov_pixels all;
#pragma GCC unroll 32
  for (size_t i = 0; i < 2 * pixels; i++) sums[i] = fov_vector_fill(0);
  fov_pixels_set(tile->taps, tile->window, pixels, &all);
  for (size_t left = tile->taps->channels; left > 0; left -= 2, weights += 2 * FOV_PANEL) {
    FOV_KEEP_ORDER();
    const fov_vector w0 = fov_vector_load(weights), w1 = fov_vector_load(weights + FOV_PANEL);
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++) {
      const fov_vector pair = fov_pairs_fill(fov_pixels_at(&all, p));
      sums[2 * p] = fov_vector_fma(w0, pair, sums[2 * p]);
      sums[2 * p + 1] = fov_vector_fma(w1, pair, sums[2 * p + 1]);
    }
    fov_pixels_advance(&all, pixels, 2);
  }
  const fov_vector bias = fov_vector_load(tile->bias);
#pragma GCC unroll 16
  for (size_t p = 0; p < pixels; p++)
    sums[p] = fov_vector_add(fov_pairs_sum(sums[2 * p], sums[2 * p + 1]), bias);
  fov_target_write(&tile->target, tile->epilogue, pixels, 1, sums);
}

// Rows of fewer than FOV_PAIRS_PIXELS pixels are left to other tiles.
#define FOV_PAIRS_PIXELS 7

static void fov_tile_run_pairs(const fov_tile *tile, size_t pixels) {
  switch (pixels) {
    case 7: fov_pairs_tile(tile, 7); break;
    case 8: fov_pairs_tile(tile, 8); break;
    case 9: fov_pairs_tile(tile, 9); break;
    case 10: fov_pairs_tile(tile, 10); break;
    case 11: fov_pairs_tile(tile, 11); break;
    case 12: fov_pairs_tile(tile, 12); break;
    case 13: fov_pairs_tile(tile, 13); break;
  }
}

#endif

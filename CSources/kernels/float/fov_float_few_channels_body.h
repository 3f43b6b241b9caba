// Fovea - convolutions of so few channels that their weights stay in registers along a row.
// SPDX-License-Identifier: Apache-2.0
//
// For 1x1 kernels of 8 or 16 channels, and for 3x3 kernels of an image's 3 channels. The sums of a
// pixel are so short that beginning and ending a tile would take half of the time. With the weights
// in registers, a tile is a few pixels, without a call and loops of its own.
//
// Included by the body of a convolution, for sets with enough registers. A panel is one vector.
#ifndef FOV_FLOAT_FEW_CHANNELS_BODY_H
#define FOV_FLOAT_FEW_CHANNELS_BODY_H

#include "base/fov_size.h"
#include "kernels/float/fov_float_tile_body.h"

// Pixels of a row with the same channels. Functions take copies, which the compiler keeps in
// registers. Through a pointer they would be read again after every store.
typedef struct few_channels {
  fov_float_epilogue epilogue;
  store_target target;
  const float *input;
  ptrdiff_t pixel_step;
  const float *weights;  // of one panel
  vector bias;
} few_channels;

INLINE void few_channels_advance(few_channels *few, size_t pixels) {
  few->target.output += (ptrdiff_t)pixels * few->target.output_pixel;
  if (few->target.residual != NULL) {
    few->target.residual += (ptrdiff_t)pixels * few->target.residual_pixel;
  }
}

// MARK: 9 to 16 results

INLINE void few_channels_pixels(few_channels *few, const vector *w, size_t channels,
                                size_t pixels) {
  vector sums[8];
  UNROLLED for (size_t p = 0; p < pixels; p++) sums[p] = few->bias;
  UNROLLED for (size_t c = 0; c < channels; c++) {
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      sums[p] = vector_fma_one(w[c], few->input + (ptrdiff_t)p * few->pixel_step + c, sums[p]);
    }
  }
  few->input += (ptrdiff_t)pixels * few->pixel_step;
  target_write(&few->target, &few->epilogue, pixels, 1, sums);
  few_channels_advance(few, pixels);
}

// channels and pixels are constants.
INLINE void few_channels_row_of_16(few_channels few, size_t columns, size_t channels,
                                   size_t pixels) {
  vector w[16];
  UNROLLED for (size_t c = 0; c < channels; c++) w[c] = vector_load(few.weights + c * FOV_PANEL);
  for (; columns >= pixels; columns -= pixels) few_channels_pixels(&few, w, channels, pixels);
  ONE_BY_ONE for (; columns > 0; columns--) few_channels_pixels(&few, w, channels, 1);
}

// MARK: Up to 8 results

// A vector holds the products of two channels for each of 8 results,
//
//     x0 w00  x1 w10  x0 w01  x1 w11  ...      w10: weight of channel 1 for result 0
//
// Its halves are added when all channels are summed. One of the two pixels may be missing.
INLINE void few_channels_finish_two(const few_channels *few, vector sums, bool both) {
  const fov_float_epilogue *epilogue = &few->epilogue;
  const store_target *target = &few->target;
  sums = vector_add(sums, few->bias);
  if (epilogue->slope != 1) {
    sums = vector_maximum(vector_multiply(sums, vector_fill(epilogue->slope)), sums);
  }
  if (target->residual != NULL) {
    const float *second = target->residual + (both ? target->residual_pixel : 0);
    sums = vector_add(sums, halves_load(target->residual, second, target->lanes));
  }
  sums = vector_maximum(vector_fill(epilogue->lowest), sums);
  sums = vector_minimum(vector_fill(epilogue->highest), sums);
  halves_store(target->output, target->output + (both ? target->output_pixel : 0), sums,
               target->lanes);
}

INLINE void few_channels_pixels_of_8(few_channels *few, const vector *w, size_t channels,
                                     size_t pixels) {
  vector sums[4];
  UNROLLED for (size_t p = 0; p < pixels; p++) sums[p] = vector_fill(0);
  UNROLLED for (size_t c = 0; c < channels; c += 2) {
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      const float *x = few->input + (ptrdiff_t)p * few->pixel_step + c;
      sums[p] = vector_fma(w[c / 2], pairs_fill(x), sums[p]);
    }
  }
  few->input += (ptrdiff_t)pixels * few->pixel_step;
  if (pixels == 1) {
    few_channels_finish_two(few, pairs_sum(sums[0], sums[0]), false);
    few_channels_advance(few, 1);
  }
  UNROLLED for (size_t p = 0; p + 1 < pixels; p += 2) {
    few_channels_finish_two(few, pairs_sum(sums[p], sums[p + 1]), true);
    few_channels_advance(few, 2);
  }
}

INLINE void few_channels_row_of_8(few_channels few, size_t columns, size_t channels) {
  vector w[8];
  UNROLLED for (size_t c = 0; c < channels; c += 2) {
    const float *from = few.weights + c * FOV_PANEL;
    w[c / 2] = pairs_of(vector_load(from), vector_load(from + FOV_PANEL));
  }
  for (; columns >= 4; columns -= 4) few_channels_pixels_of_8(&few, w, channels, 4);
  ONE_BY_ONE for (; columns > 0; columns--) few_channels_pixels_of_8(&few, w, channels, 1);
}

// MARK: Images

#define IMAGE_WEIGHTS 27  // 3 x 3 pixels of 3 channels

// The sums of two windows, `apart` floats from each other. Registers are left for two pixels only.
// Each has two sums, so that products wait less for one another.
INLINE void few_channels_windows(const few_channels *few, const float *window, ptrdiff_t apart,
                                 const ptrdiff_t steps[2], const vector *w, vector *out) {
  vector sums[4];
  UNROLLED for (size_t i = 0; i < 4; i++) {
    sums[i] = i < 2 ? vector_load(few->epilogue.bias) : vector_fill(0);
  }
  UNROLLED for (size_t i = 0; i < IMAGE_WEIGHTS; i++) {
    const size_t sum = i % 2 * 2;
    const ptrdiff_t row = (ptrdiff_t)(i / 9), column = (ptrdiff_t)(i / 3 % 3);
    const float *x = window + row * steps[0] + column * steps[1] + i % 3;
    KEEP_LOADS_IN_ORDER();
    sums[sum] = vector_fma_one(w[i], x, sums[sum]);
    sums[sum + 1] = vector_fma_one(w[i], x + apart, sums[sum + 1]);
  }
  out[0] = vector_add(sums[0], sums[2]);
  out[1] = vector_add(sums[1], sums[3]);
}

// taps_steps: from row to row and from column to column of the taps. A single last pixel is
// computed twice.
SEPARATE void few_channels_row_image(const few_channels *few, const ptrdiff_t taps_steps[2],
                                     size_t columns) {
  const ptrdiff_t steps[2] = {taps_steps[0], taps_steps[1]};
  const float *window = few->input;
  store_target target = few->target;
  vector w[IMAGE_WEIGHTS], sums[2];
  UNROLLED for (size_t i = 0; i < IMAGE_WEIGHTS; i++) {
    w[i] = vector_load(few->weights + i * FOV_PANEL);
  }
  for (size_t left = columns; left > 0;) {
    const size_t pixels = fov_size_min(left, 2);
    const ptrdiff_t apart = pixels == 2 ? few->pixel_step : 0;
    if (pixels == 1) target.output_pixel = target.residual_pixel = 0;
    few_channels_windows(few, window, apart, steps, w, sums);
    target_write(&target, &few->epilogue, 2, 1, sums);
    window += 2 * apart;
    target.output += 2 * target.output_pixel;
    if (target.residual != NULL) target.residual += 2 * target.residual_pixel;
    left -= pixels;
  }
}

// MARK: Rows

SEPARATE void few_channels_row_8_to_8(const few_channels *few, size_t columns) {
  few_channels_row_of_8(*few, columns, 8);
}
SEPARATE void few_channels_row_16_to_8(const few_channels *few, size_t columns) {
  few_channels_row_of_8(*few, columns, 16);
}
SEPARATE void few_channels_row_8_to_16(const few_channels *few, size_t columns) {
  few_channels_row_of_16(*few, columns, 8, 4);
}
SEPARATE void few_channels_row_16_to_16(const few_channels *few, size_t columns) {
  few_channels_row_of_16(*few, columns, 16, 8);
}

// A row of up to 16 results each.
static void few_channels_row(few_channels *few, size_t channels, size_t columns) {
  if (few->target.lanes > 8) {
    few->bias = vector_load(few->epilogue.bias);
    (channels == 8 ? few_channels_row_8_to_16 : few_channels_row_16_to_16)(few, columns);
  } else {
    few->bias = halves_load(few->epilogue.bias, few->epilogue.bias, 8);
    (channels == 8 ? few_channels_row_8_to_8 : few_channels_row_16_to_8)(few, columns);
  }
}

#endif

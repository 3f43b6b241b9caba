// Fovea - convolutions of so few channels that their weights stay in registers along a row.
// SPDX-License-Identifier: Apache-2.0
//
// 1x1 of 8 or 16 channels, and 3x3 of an image's 3. The sums of a pixel are so short that beginning
// and ending a tile takes half of its time; with weights in registers a few pixels are a tile, without a
// function and loops of its own.
//
// Included by the body of a convolution for sets with enough registers: a panel is one vector.
#ifndef FOV_FLOAT_FEW_CHANNELS_BODY_H
#define FOV_FLOAT_FEW_CHANNELS_BODY_H

#include "kernels/fov_float_epilogue_body.h"
#include "kernels/fov_inlining.h"

// Pixels of a row, all of the same channels. Copies that the compiler keeps in registers: through
// pointers, every store could have changed them.
typedef struct fov_few_channels {
  fov_float_epilogue epilogue;
  fov_target target;
  const float *input;
  ptrdiff_t pixel_step;
  const float *weights;  // of one panel
  fov_vector bias;
} fov_few_channels;

FOV_INLINE void fov_few_channels_advance(fov_few_channels *few, size_t pixels) {
  few->target.output += (ptrdiff_t)pixels * few->target.output_pixel;
  if (few->target.residual != NULL)
    few->target.residual += (ptrdiff_t)pixels * few->target.residual_pixel;
}

// MARK: 9 to 16 results

FOV_INLINE void fov_few_channels_pixels(fov_few_channels *few, const fov_vector *w, size_t channels,
                                size_t pixels) {
  fov_vector sums[8];
#pragma GCC unroll 8
  for (size_t p = 0; p < pixels; p++) sums[p] = few->bias;
#pragma GCC unroll 16
  for (size_t c = 0; c < channels; c++) {
#pragma GCC unroll 8
    for (size_t p = 0; p < pixels; p++)
      sums[p] = fov_vector_fma_one(w[c], few->input + (ptrdiff_t)p * few->pixel_step + c,
                                   sums[p]);
  }
  few->input += (ptrdiff_t)pixels * few->pixel_step;
  fov_target_write(&few->target, &few->epilogue, pixels, 1, sums);
  fov_few_channels_advance(few, pixels);
}

// channels and pixels are constants.
FOV_INLINE void fov_few_channels_row_of_16(fov_few_channels few, size_t columns, size_t channels, size_t pixels) {
  fov_vector w[16];
#pragma GCC unroll 16
  for (size_t c = 0; c < channels; c++) w[c] = fov_vector_load(few.weights + c * FOV_PANEL);
  for (; columns >= pixels; columns -= pixels) fov_few_channels_pixels(&few, w, channels, pixels);
#pragma GCC unroll 1
  for (; columns > 0; columns--) fov_few_channels_pixels(&few, w, channels, 1);
}

// MARK: Up to 8 results

// A vector holds the products of two channels for each of 8 results,
//
//     x0 w00  x1 w10  x0 w01  x1 w11  ...      w10: weight of channel 1 for result 0
//
// whose halves are added when all channels are summed. One of two pixels may be missing.
FOV_INLINE void fov_few_channels_finish_two(const fov_few_channels *few, fov_vector sums, bool both) {
  const fov_float_epilogue *epilogue = &few->epilogue;
  const fov_target *target = &few->target;
  sums = fov_vector_add(sums, few->bias);
  if (epilogue->slope != 1)
    sums = fov_vector_maximum(fov_vector_multiply(sums, fov_vector_fill(epilogue->slope)), sums);
  if (target->residual != NULL) {
    const float *second = target->residual + (both ? target->residual_pixel : 0);
    sums = fov_vector_add(sums, fov_halves_load(target->residual, second, target->lanes));
  }
  sums = fov_vector_maximum(fov_vector_fill(epilogue->lowest), sums);
  sums = fov_vector_minimum(fov_vector_fill(epilogue->highest), sums);
  fov_halves_store(target->output, target->output + (both ? target->output_pixel : 0), sums,
                   target->lanes);
}

FOV_INLINE void fov_few_channels_pixels_of_8(fov_few_channels *few, const fov_vector *w, size_t channels,
                                     size_t pixels) {
  fov_vector sums[4];
#pragma GCC unroll 4
  for (size_t p = 0; p < pixels; p++) sums[p] = fov_vector_fill(0);
#pragma GCC unroll 8
  for (size_t c = 0; c < channels; c += 2) {
#pragma GCC unroll 4
    for (size_t p = 0; p < pixels; p++) {
      const float *x = few->input + (ptrdiff_t)p * few->pixel_step + c;
      sums[p] = fov_vector_fma(w[c / 2], fov_pairs_fill(x), sums[p]);
    }
  }
  few->input += (ptrdiff_t)pixels * few->pixel_step;
  if (pixels == 1) {
    fov_few_channels_finish_two(few, fov_pairs_sum(sums[0], sums[0]), false);
    fov_few_channels_advance(few, 1);
  }
#pragma GCC unroll 4
  for (size_t p = 0; p + 1 < pixels; p += 2) {
    fov_few_channels_finish_two(few, fov_pairs_sum(sums[p], sums[p + 1]), true);
    fov_few_channels_advance(few, 2);
  }
}

FOV_INLINE void fov_few_channels_row_of_8(fov_few_channels few, size_t columns, size_t channels) {
  fov_vector w[8];
#pragma GCC unroll 8
  for (size_t c = 0; c < channels; c += 2) {
    const float *from = few.weights + c * FOV_PANEL;
    w[c / 2] = fov_pairs_of(fov_vector_load(from), fov_vector_load(from + FOV_PANEL));
  }
  for (; columns >= 4; columns -= 4) fov_few_channels_pixels_of_8(&few, w, channels, 4);
#pragma GCC unroll 1
  for (; columns > 0; columns--) fov_few_channels_pixels_of_8(&few, w, channels, 1);
}

// MARK: Images

#define FOV_IMAGE_WEIGHTS 27  // 3 x 3 pixels of 3 channels

// The sums of two windows, `apart` floats from each other: two sums of each, since registers are left
// for two pixels only.
FOV_INLINE void fov_few_channels_windows(const fov_few_channels *few, const float *window, ptrdiff_t apart,
                                 const ptrdiff_t steps[2], const fov_vector *w, fov_vector *out) {
  fov_vector sums[4];
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++)
    sums[i] = i < 2 ? fov_vector_load(few->epilogue.bias) : fov_vector_fill(0);
#pragma GCC unroll 27
  for (size_t i = 0; i < FOV_IMAGE_WEIGHTS; i++) {
    const size_t sum = i % 2 * 2;
    const ptrdiff_t row = (ptrdiff_t)(i / 9), column = (ptrdiff_t)(i / 3 % 3);
    const float *x = window + row * steps[0] + column * steps[1] + i % 3;
    FOV_KEEP_ORDER();
    sums[sum] = fov_vector_fma_one(w[i], x, sums[sum]);
    sums[sum + 1] = fov_vector_fma_one(w[i], x + apart, sums[sum + 1]);
  }
  out[0] = fov_vector_add(sums[0], sums[2]);
  out[1] = fov_vector_add(sums[1], sums[3]);
}

// steps: from row to row and from column to column of the taps. One pixel that is left over is its own
// neighbor.
SEPARATE void fov_few_channels_row_image(const fov_few_channels *few, const ptrdiff_t taps_steps[2],
                                   size_t columns) {
  const ptrdiff_t steps[2] = {taps_steps[0], taps_steps[1]};
  const float *window = few->input;
  fov_target target = few->target;
  fov_vector w[FOV_IMAGE_WEIGHTS], sums[2];
#pragma GCC unroll 27
  for (size_t i = 0; i < FOV_IMAGE_WEIGHTS; i++)
    w[i] = fov_vector_load(few->weights + i * FOV_PANEL);
  for (size_t left = columns; left > 0;) {
    const size_t pixels = fov_size_min(left, 2);
    const ptrdiff_t apart = pixels == 2 ? few->pixel_step : 0;
    if (pixels == 1) target.output_pixel = target.residual_pixel = 0;
    fov_few_channels_windows(few, window, apart, steps, w, sums);
    fov_target_write(&target, &few->epilogue, 2, 1, sums);
    window += 2 * apart;
    target.output += 2 * target.output_pixel;
    if (target.residual != NULL) target.residual += 2 * target.residual_pixel;
    left -= pixels;
  }
}

// MARK: Rows

SEPARATE void fov_few_channels_row_8_to_8(const fov_few_channels *few, size_t columns) {
  fov_few_channels_row_of_8(*few, columns, 8);
}
SEPARATE void fov_few_channels_row_16_to_8(const fov_few_channels *few, size_t columns) {
  fov_few_channels_row_of_8(*few, columns, 16);
}
SEPARATE void fov_few_channels_row_8_to_16(const fov_few_channels *few, size_t columns) {
  fov_few_channels_row_of_16(*few, columns, 8, 4);
}
SEPARATE void fov_few_channels_row_16_to_16(const fov_few_channels *few, size_t columns) {
  fov_few_channels_row_of_16(*few, columns, 16, 8);
}

// A row of up to 16 results each.
static void fov_few_channels_row(fov_few_channels *few, size_t channels, size_t columns) {
  if (few->target.lanes > 8) {
    few->bias = fov_vector_load(few->epilogue.bias);
    (channels == 8 ? fov_few_channels_row_8_to_16 : fov_few_channels_row_16_to_16)(few, columns);
  } else {
    few->bias = fov_halves_load(few->epilogue.bias, few->epilogue.bias, 8);
    (channels == 8 ? fov_few_channels_row_8_to_8 : fov_few_channels_row_16_to_8)(few, columns);
  }
}

#endif

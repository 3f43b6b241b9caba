// Fovea - Winograd convolutions of random shapes against direct ones in double.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check_float.h"
#include "check_float_data.h"
#include "kernel_check.h"
#include "kernels/winograd/fov_winograd.h"
#include "weights/fov_float_packing.h"

// Transforms have factors of up to 8, and results are differences of larger sums. So errors are
// several times those of a direct sum, for which check_tolerance is made. Twice as much was too
// little, 4 times was enough in thousands of cases.
static const double check_amplification = 10;

static double check_sum(const fov_float_convolution *c, const float *taps, size_t row,
                        size_t column, size_t channel, double *magnitude) {
  double sum = (double)c->epilogue.bias[channel], absolute = fabs(sum);
  for (size_t i = 0; i < c->channels; i++) {
    for (size_t tap = 0; tap < 9; tap++) {
      const double product = (double)taps[(channel * c->channels + i) * 9 + tap] *
                             (double)c->input[(row + tap / 3) * (size_t)c->input_row +
                                              (column + tap % 3) * (size_t)c->input_pixel + i];
      sum += product;
      absolute += fabs(product);
    }
  }
  *magnitude = fmax(*magnitude, absolute);
  return sum;
}

static bool result_is_right(const fov_float_convolution *c, const float *taps,
                            size_t output_floats) {
  const size_t windows = c->pools ? 2 : 1;
  for (size_t i = 0; i < output_floats; i++) {
    const size_t row = i / (size_t)c->output_row, in_row = i % (size_t)c->output_row;
    const size_t column = in_row / (size_t)c->output_pixel;
    const size_t channel = in_row % (size_t)c->output_pixel;
    if (column >= c->columns || channel >= c->output_channels) {
      if (check_is_guard(c->output[i])) continue;
      fprintf(stderr, "winograd: wrote elsewhere, element %zu of row %zu\n", in_row, row);
      return false;
    }
    double greatest = -INFINITY, magnitude = 0;
    for (size_t k = 0; k < windows * windows; k++)
      greatest = fmax(greatest, check_sum(c, taps, row * windows + k / 2, column * windows + k % 2,
                                          channel, &magnitude));
    const double expected = check_epilogue_apply(&c->epilogue, greatest, row, column, channel);
    const double allowed = check_amplification * check_tolerance(9 * c->channels, magnitude, false);
    if (fabs((double)c->output[i] - expected) <= allowed) continue;
    fprintf(stderr,
            "winograd: %zu -> %zu channels, pools %d, %zu x %zu pixels:"
            " (%zu, %zu) channel %zu is %.9g, not %.9g\n",
            c->channels, c->output_channels, c->pools, c->rows, c->columns, row, column, channel,
            (double)c->output[i], expected);
    return false;
  }
  return true;
}

bool check_float_winograd(const fov_winograd_kernels *kernels, uint64_t seed, int count) {
  static const size_t channels[] = {1, 3, 5, 15, 16, 17, 32, 33, 64};
  uint64_t state = seed;
  bool right = true;
  for (int i = 0; i < count && right; i++) {
    fov_float_convolution c = {.kernel = {3, 3}, .stride = {1, 1}, .dilation = {1, 1}};
    c.channels = check_random_choice(&state, channels, sizeof channels / sizeof *channels);
    c.output_channels = check_random_choice(&state, channels, sizeof channels / sizeof *channels);
    c.pools = check_random(&state) % 2;
    c.rows = check_random_size(&state, 1, 9);
    c.columns = check_random_size(&state, 1, 14);
    const size_t windows = c.pools ? 2 : 1;
    c.input_pixel = (ptrdiff_t)(c.channels + check_random_size(&state, 0, 3));
    c.input_row = c.input_pixel * (ptrdiff_t)(c.columns * windows + 2);
    c.output_pixel = (ptrdiff_t)(c.output_channels + check_random_size(&state, 0, 3));
    c.output_row = c.output_pixel * (ptrdiff_t)(c.columns + 1);
    const size_t output_floats = c.rows * (size_t)c.output_row;
    const size_t input_floats = (c.rows * windows + 1) * (size_t)c.input_row +
                                (c.columns * windows + 1) * (size_t)c.input_pixel + c.channels;
    float *input = check_floats_random(&state, input_floats, false);
    float *taps = check_floats_random(&state, c.output_channels * c.channels * 9, false);
    c.input = input;
    c.output = check_floats_guarded(output_floats);
    check_epilogue epilogue =
        check_epilogue_random(&state, false, c.output_channels, c.rows, c.columns, !c.pools);
    c.epilogue = epilogue.epilogue;

    const size_t kernel[2] = {3, 3}, blocks[] = {1, 3, 16, 20, 512};
    fov_float_packing packing;
    right = fov_float_packing_plan(c.output_channels, c.channels, kernel, &packing);
    const size_t block = check_random_choice(&state, blocks, sizeof blocks / sizeof *blocks);
    packing.block = block < c.channels ? block : c.channels;
    c.block = packing.block;
    c.panel_floats = packing.panel_floats;
    float *weights = check_floats_guarded(packing.bytes / sizeof(float));
    for (size_t o = 0; o < c.output_channels; o++)
      fov_float_packing_add(&packing, o, taps + o * c.channels * 9, weights);
    c.weights = weights;
    const winograd_shape shape = {c.rows * windows, c.columns * windows, c.channels, c.block,
                                  c.output_channels};
    right = right && check_winograd_run(kernels, &c, &shape, check_random(&state)) &&
            result_is_right(&c, taps, output_floats);
    check_epilogue_free(&epilogue);
    free(input);
    free(taps);
    free(weights);
    free(c.output);
  }
  return right;
}

// Fovea - float depthwise convolutions of random shapes against arithmetic in double.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check_float.h"
#include "check_float_data.h"
#include "weights/fov_float_packing.h"

static void check_shape(fov_float_depthwise *d, uint64_t *state) {
  static const size_t channels[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 67};
  d->channels = check_random_choice(state, channels, sizeof channels / sizeof *channels);
  const bool usual = check_random(state) % 2;  // 3 x 3, stride 1 or 2
  for (int axis = 0; axis < 2; axis++) {
    d->kernel[axis] = usual ? 3 : check_random_size(state, 1, 7);
    d->stride[axis] = check_random_size(state, 1, usual ? 2 : 3);
    d->dilation[axis] = usual || check_random(state) % 2 ? 1 : check_random_size(state, 1, 3);
  }
  d->rows = check_random_size(state, 1, 4);
  d->columns = check_random_size(state, 1, 19);
}

// Gives the number of floats of input and of output.
static void check_strides(fov_float_depthwise *d, uint64_t *state, size_t *out_input,
                          size_t *out_output) {
  const size_t reach[2] = {
      (d->rows - 1) * d->stride[0] + (d->kernel[0] - 1) * d->dilation[0],
      (d->columns - 1) * d->stride[1] + (d->kernel[1] - 1) * d->dilation[1],
  };
  d->input_pixel = (ptrdiff_t)(d->channels + check_random_size(state, 0, 9));
  d->input_row = d->input_pixel * (ptrdiff_t)(reach[1] + 1 + check_random_size(state, 0, 2));
  *out_input = reach[0] * (size_t)d->input_row + reach[1] * (size_t)d->input_pixel + d->channels;
  d->output_pixel = (ptrdiff_t)(d->channels + check_random_size(state, 0, 9));
  d->output_row = d->output_pixel * (ptrdiff_t)(d->columns + check_random_size(state, 0, 2));
  *out_output = d->rows * (size_t)d->output_row;
}

static bool check_pixel(const fov_float_depthwise *d, const float *taps, bool whole, size_t row,
                        size_t column, size_t channel, float result) {
  const size_t count = d->kernel[0] * d->kernel[1];
  double sum = (double)d->epilogue.bias[channel], magnitude = fabs(sum);
  for (size_t tap = 0; tap < count; tap++) {
    const size_t y = row * d->stride[0] + tap / d->kernel[1] * d->dilation[0];
    const size_t x = column * d->stride[1] + tap % d->kernel[1] * d->dilation[1];
    const double product =
        (double)taps[channel * count + tap] *
        (double)d->input[y * (size_t)d->input_row + x * (size_t)d->input_pixel + channel];
    sum += product;
    magnitude += fabs(product);
  }
  const double expected = check_epilogue_apply(&d->epilogue, sum, row, column, channel);
  if (fabs((double)result - expected) <= check_tolerance(count, magnitude, whole)) return true;
  fprintf(stderr,
          "depthwise: %zu channels, kernel %zu x %zu, stride %zu x %zu, dilation %zu x %zu,"
          " %zu x %zu pixels: (%zu, %zu) channel %zu is %.9g, not %.9g\n",
          d->channels, d->kernel[0], d->kernel[1], d->stride[0], d->stride[1], d->dilation[0],
          d->dilation[1], d->rows, d->columns, row, column, channel, (double)result, expected);
  return false;
}

static bool check_result(const fov_float_depthwise *d, const float *taps, bool whole,
                         const size_t rows[2], size_t output_floats) {
  for (size_t i = 0; i < output_floats; i++) {
    const size_t row = i / (size_t)d->output_row, in_row = i % (size_t)d->output_row;
    const size_t column = in_row / (size_t)d->output_pixel;
    const size_t channel = in_row % (size_t)d->output_pixel;
    const bool asked =
        row >= rows[0] && row < rows[1] && column < d->columns && channel < d->channels;
    if (asked) {
      if (!check_pixel(d, taps, whole, row, column, channel, d->output[i])) return false;
    } else if (!check_is_guard(d->output[i])) {
      fprintf(stderr, "depthwise: wrote elsewhere, element %zu of row %zu\n", in_row, row);
      return false;
    }
  }
  return true;
}

bool check_float_depthwise(const fov_float_kernels *kernels, uint64_t seed, int count) {
  uint64_t state = seed;
  bool right = true;
  for (int i = 0; i < count && right; i++) {
    const bool whole = check_random(&state) % 2;
    fov_float_depthwise d = {0};
    size_t input_floats, output_floats;
    check_shape(&d, &state);
    check_strides(&d, &state, &input_floats, &output_floats);
    float *input = check_floats_random(&state, input_floats, whole);
    float *output = check_floats_guarded(output_floats);
    check_epilogue epilogue =
        check_epilogue_random(&state, whole, d.channels, d.rows, d.columns, true);

    fov_float_packing packing;
    right = fov_float_packing_plan_depthwise(d.channels, d.kernel, &packing);
    const size_t taps_floats = d.channels * d.kernel[0] * d.kernel[1];
    float *taps = check_floats_random(&state, taps_floats, whole);
    float *weights = check_floats_guarded(right ? packing.bytes / sizeof(float) : 0);
    for (size_t c = 0; c < d.channels && right; c++)
      fov_float_packing_add(&packing, c, taps + c * d.kernel[0] * d.kernel[1], weights);

    d.input = input;
    d.weights = weights;
    d.output = output;
    d.epilogue = epilogue.epilogue;
    size_t rows[2] = {0, d.rows};
    if (check_random(&state) % 2) {
      rows[0] = check_random_size(&state, 0, d.rows);
      rows[1] = check_random_size(&state, rows[0], d.rows);
    }
    if (right) {
      kernels->depthwise(&d, rows[0], rows[1]);
      right = check_result(&d, taps, whole, rows, output_floats);
    }
    check_epilogue_free(&epilogue);
    free(input);
    free(output);
    free(taps);
    free(weights);
  }
  return right;
}

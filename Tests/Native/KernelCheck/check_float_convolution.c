// Fovea - float convolutions of random shapes against arithmetic in double.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check_float.h"
#include "check_float_data.h"
#include "kernels/int8/fov_int8_kernels.h"
#include "weights/fov_float_packing.h"

typedef struct check_case {
  fov_float_convolution convolution;
  fov_float_packing packing;
  check_epilogue epilogue;
  bool whole;
  size_t input_floats, output_floats;
  float *input, *taps, *weights, *output;
} check_case;

static void check_case_shape(check_case *made, uint64_t *state) {
  static const size_t channels[] = {1, 2, 3, 3, 4, 5, 7, 8, 11, 13, 16, 17, 24, 31, 32, 64, 67};
  static const size_t outputs[] = {1,  3,  4,  7,  8,  9,  13, 16, 16,
                                   17, 24, 25, 31, 32, 33, 40, 47, 63};
  static const size_t kernels[] = {1, 1, 1, 2, 3, 3, 3, 4, 5, 7};
  fov_float_convolution *c = &made->convolution;
  c->channels = check_random_choice(state, channels, sizeof channels / sizeof *channels);
  c->output_channels = check_random_choice(state, outputs, sizeof outputs / sizeof *outputs);
  const bool square = check_random(state) % 4 != 0;
  for (int axis = 0; axis < 2; axis++) {
    c->kernel[axis] = check_random_choice(state, kernels, sizeof kernels / sizeof *kernels);
    c->stride[axis] = check_random(state) % 2 ? 1 : check_random_size(state, 1, 3);
    c->dilation[axis] = check_random(state) % 2 ? 1 : check_random_size(state, 1, 3);
  }
  if (square) c->kernel[1] = c->kernel[0];
  c->pools = check_random(state) % 3 == 0;
  c->in_order = check_random(state) % 4 == 0;
  if (c->in_order) {
    c->pools = false;
    c->kernel[0] = c->kernel[1] = 1;
  }
  c->rows = check_random_size(state, 1, 4);
  c->columns = check_random_size(state, 1, 33);
}

// The window of pixel (row, column), before pooling.
static const float *check_window(const fov_float_convolution *c, size_t row, size_t column) {
  return c->input + (ptrdiff_t)(row * c->stride[0]) * c->input_row +
         (ptrdiff_t)(column * c->stride[1]) * c->input_pixel;
}

static void check_case_memory(check_case *made, uint64_t *state) {
  fov_float_convolution *c = &made->convolution;
  const size_t windows = c->pools ? 2 : 1;
  size_t reach[2];  // of all windows, in pixels
  reach[0] = (c->rows * windows - 1) * c->stride[0] + (c->kernel[0] - 1) * c->dilation[0];
  reach[1] = (c->columns * windows - 1) * c->stride[1] + (c->kernel[1] - 1) * c->dilation[1];

  // A pixel has exactly the channels, or is a view into a wider one.
  const size_t wider = check_random(state) % 2 ? check_random_size(state, 0, 9) : 0;
  c->input_pixel = (ptrdiff_t)(c->channels + wider);
  c->input_row = c->input_pixel * (ptrdiff_t)(reach[1] + 1 + check_random_size(state, 0, 2));
  made->input_floats =
      reach[0] * (size_t)c->input_row + reach[1] * (size_t)c->input_pixel + c->channels;
  made->input = check_floats_random(state, made->input_floats, made->whole);
  c->input = made->input;

  c->output_pixel = (ptrdiff_t)(c->output_channels + check_random_size(state, 0, 9));
  c->output_row = c->output_pixel * (ptrdiff_t)(c->columns + check_random_size(state, 0, 2));
  made->output_floats = c->rows * (size_t)c->output_row;
  made->output = check_floats_guarded(made->output_floats);
  c->output = made->output;
}

static bool check_case_weights(check_case *made, uint64_t *state) {
  fov_float_convolution *c = &made->convolution;
  if (!fov_float_packing_plan(c->output_channels, c->channels, c->kernel, &made->packing))
    return false;
  // Any block is correct, not only the fastest.
  if (check_random(state) % 2) made->packing.block = check_random_size(state, 1, c->channels);
  const size_t row = c->channels * c->kernel[0] * c->kernel[1];
  made->taps = check_floats_random(state, c->output_channels * row, made->whole);
  made->weights = check_floats_guarded(made->packing.bytes / sizeof(float));
  for (size_t o = 0; o < c->output_channels; o++)
    fov_float_packing_add(&made->packing, o, made->taps + o * row, made->weights);
  c->block = made->packing.block;
  c->panel_floats = made->packing.panel_floats;
  c->weights = made->weights;
  return true;
}

static void check_case_free(check_case *made) {
  free(made->input);
  free(made->taps);
  free(made->weights);
  free(made->output);
  check_epilogue_free(&made->epilogue);
}

// The sum of one window, and of its absolute products.
static double check_sum(const check_case *made, size_t row, size_t column, size_t channel,
                        double *out_magnitude) {
  const fov_float_convolution *c = &made->convolution;
  const float *window = check_window(c, row, column);
  const float *tap = made->taps + channel * c->channels * c->kernel[0] * c->kernel[1];
  double sum = (double)c->epilogue.bias[channel], magnitude = fabs(sum);
  for (size_t i = 0; i < c->channels; i++) {
    for (size_t y = 0; y < c->kernel[0]; y++) {
      for (size_t x = 0; x < c->kernel[1]; x++, tap++) {
        const double product =
            (double)*tap *
            (double)window[(ptrdiff_t)(y * c->dilation[0]) * c->input_row +
                           (ptrdiff_t)(x * c->dilation[1]) * c->input_pixel + (ptrdiff_t)i];
        sum += product;
        magnitude += fabs(product);
      }
    }
  }
  *out_magnitude = fmax(*out_magnitude, magnitude);
  return sum;
}

// The value of one fused multiply-add after another.
static bool check_sum_in_order(const check_case *made, size_t row, size_t column, size_t channel,
                               float result) {
  const fov_float_convolution *c = &made->convolution;
  const float *window = check_window(c, row, column), *tap = made->taps + channel * c->channels;
  float sum = c->epilogue.bias[channel];
  for (size_t i = 0; i < c->channels; i++) sum = fmaf(window[i], tap[i], sum);
  if (result == sum) return true;
  fprintf(stderr, "convolution in order: (%zu, %zu) channel %zu is %.9g, not %.9g\n", row, column,
          channel, (double)result, (double)sum);
  return false;
}

static bool check_pixel(const check_case *made, size_t row, size_t column, size_t channel,
                        float result) {
  const fov_float_convolution *c = &made->convolution;
  if (c->in_order) return check_sum_in_order(made, row, column, channel, result);
  const size_t windows = c->pools ? 2 : 1;
  double greatest = -INFINITY, magnitude = 0;
  for (size_t y = row * windows; y < (row + 1) * windows; y++) {
    for (size_t x = column * windows; x < (column + 1) * windows; x++)
      greatest = fmax(greatest, check_sum(made, y, x, channel, &magnitude));
  }
  const double expected = check_epilogue_apply(&c->epilogue, greatest, row, column, channel);
  const size_t terms = c->channels * c->kernel[0] * c->kernel[1];
  const double allowed = check_tolerance(terms, magnitude, made->whole);
  if (fabs((double)result - expected) <= allowed) return true;
  fprintf(stderr,
          "convolution: %zu -> %zu channels, kernel %zu x %zu, stride %zu x %zu,"
          " dilation %zu x %zu, block %zu, pools %d, %zu x %zu pixels:"
          " (%zu, %zu) channel %zu is %.9g, not %.9g\n",
          c->channels, c->output_channels, c->kernel[0], c->kernel[1], c->stride[0], c->stride[1],
          c->dilation[0], c->dilation[1], c->block, c->pools, c->rows, c->columns, row, column,
          channel, (double)result, expected);
  return false;
}

// Checks the requested rows and panels, and that nothing else was written.
static bool check_result(const check_case *made, const size_t rows[2], const size_t panels[2]) {
  const fov_float_convolution *c = &made->convolution;
  for (size_t i = 0; i < made->output_floats; i++) {
    const size_t row = i / (size_t)c->output_row, in_row = i % (size_t)c->output_row;
    const size_t column = in_row / (size_t)c->output_pixel;
    const size_t channel = in_row % (size_t)c->output_pixel;
    const bool asked = row >= rows[0] && row < rows[1] && column < c->columns &&
                       channel >= panels[0] * FOV_PANEL && channel < panels[1] * FOV_PANEL &&
                       channel < c->output_channels;
    if (asked) {
      if (!check_pixel(made, row, column, channel, made->output[i])) return false;
    } else if (!check_is_guard(made->output[i])) {
      fprintf(stderr, "convolution: wrote elsewhere, element %zu of row %zu\n", in_row, row);
      return false;
    }
  }
  return true;
}

bool check_float_convolution(const fov_float_kernels *kernels, uint64_t seed, int count) {
  uint64_t state = seed;
  bool right = true;
  for (int i = 0; i < count && right; i++) {
    check_case made = {.whole = check_random(&state) % 2};
    fov_float_convolution *c = &made.convolution;
    check_case_shape(&made, &state);
    check_case_memory(&made, &state);
    made.epilogue = check_epilogue_random(&state, made.whole, c->output_channels, c->rows,
                                          c->columns, !c->pools);
    c->epilogue = made.epilogue.epilogue;
    if (c->in_order) {
      c->epilogue.slope = 1.0f;
      c->epilogue.lowest = -INFINITY;
      c->epilogue.highest = INFINITY;
      c->epilogue.residual = NULL;
    }
    right = check_case_weights(&made, &state);
    if (right) {
      size_t rows[2] = {0, c->rows}, panels[2] = {0, made.packing.panels};
      if (check_random(&state) % 2) {
        rows[0] = check_random_size(&state, 0, c->rows);
        rows[1] = check_random_size(&state, rows[0], c->rows);
        panels[0] = check_random_size(&state, 0, panels[1]);
        panels[1] = check_random_size(&state, panels[0], panels[1]);
      }
      kernels->convolution(c, rows[0], rows[1], panels[0], panels[1]);
      right = check_result(&made, rows, panels);
    }
    check_case_free(&made);
  }
  return right;
}

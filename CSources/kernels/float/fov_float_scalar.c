// Fovea - float kernels in plain C: the specification of all others.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/float/fov_float_sets.h"

#include <math.h>

#include "base/fov_size.h"
#include "kernels/int8/fov_int8_kernels.h"

// As the instructions for vectors: b if one of the two is NaN.
static inline float greater(float a, float b) { return a > b ? a : b; }
static inline float less(float a, float b) { return a < b ? a : b; }

// The result of a sum, which includes the bias.
static float finish(const fov_float_epilogue *epilogue, float v, size_t row, size_t column,
                    size_t channel) {
  if (epilogue->slope != 1) v = greater(v * epilogue->slope, v);
  if (epilogue->residual != NULL) {
    v += epilogue->residual[(ptrdiff_t)row * epilogue->residual_row +
                            (ptrdiff_t)column * epilogue->residual_pixel + (ptrdiff_t)channel];
  }
  return less(epilogue->highest, greater(epilogue->lowest, v));
}

// The sum of output pixel (row, column) before pooling.
static float window_sum(const fov_float_convolution *c, size_t row, size_t column, size_t channel) {
  const float *weight = c->weights + channel / FOV_PANEL * c->panel_floats + channel % FOV_PANEL;
  const float *window = c->input + (ptrdiff_t)(row * c->stride[0]) * c->input_row +
                        (ptrdiff_t)(column * c->stride[1]) * c->input_pixel;
  float sum = c->epilogue.bias[channel];
  for (size_t begin = 0; begin < c->channels; begin += c->block) {
    const size_t end = fov_size_min(begin + c->block, c->channels);
    for (size_t y = 0; y < c->kernel[0]; y++) {
      for (size_t x = 0; x < c->kernel[1]; x++) {
        const float *pixel = window + (ptrdiff_t)(y * c->dilation[0]) * c->input_row +
                             (ptrdiff_t)(x * c->dilation[1]) * c->input_pixel;
        for (size_t i = begin; i < end; i++, weight += FOV_PANEL) {
          sum = c->in_order ? fmaf(pixel[i], *weight, sum) : sum + pixel[i] * *weight;
        }
      }
    }
  }
  return sum;
}

static void convolution(const fov_float_convolution *c, size_t row_begin, size_t row_end,
                        size_t panel_begin, size_t panel_end) {
  const size_t channel_end = fov_size_min(panel_end * FOV_PANEL, c->output_channels);
  for (size_t row = row_begin; row < row_end; row++) {
    for (size_t column = 0; column < c->columns; column++) {
      float *out = c->output + (ptrdiff_t)row * c->output_row + (ptrdiff_t)column * c->output_pixel;
      for (size_t channel = panel_begin * FOV_PANEL; channel < channel_end; channel++) {
        float v;
        if (c->pools) {
          const size_t y = 2 * row, x = 2 * column;
          const float upper =
              greater(window_sum(c, y, x, channel), window_sum(c, y, x + 1, channel));
          const float lower =
              greater(window_sum(c, y + 1, x, channel), window_sum(c, y + 1, x + 1, channel));
          v = greater(lower, upper);
        } else {
          v = window_sum(c, row, column, channel);
        }
        out[channel] = finish(&c->epilogue, v, row, column, channel);
      }
    }
  }
}

static void depthwise(const fov_float_depthwise *d, size_t row_begin, size_t row_end) {
  const size_t panel_floats = d->kernel[0] * d->kernel[1] * FOV_PANEL;
  for (size_t row = row_begin; row < row_end; row++) {
    for (size_t column = 0; column < d->columns; column++) {
      const float *window = d->input + (ptrdiff_t)(row * d->stride[0]) * d->input_row +
                            (ptrdiff_t)(column * d->stride[1]) * d->input_pixel;
      float *out = d->output + (ptrdiff_t)row * d->output_row + (ptrdiff_t)column * d->output_pixel;
      for (size_t channel = 0; channel < d->channels; channel++) {
        const float *weight = d->weights + channel / FOV_PANEL * panel_floats + channel % FOV_PANEL;
        float v = d->epilogue.bias[channel];
        for (size_t y = 0; y < d->kernel[0]; y++) {
          for (size_t x = 0; x < d->kernel[1]; x++, weight += FOV_PANEL) {
            v += *weight *
                 window[(ptrdiff_t)(y * d->dilation[0]) * d->input_row +
                        (ptrdiff_t)(x * d->dilation[1]) * d->input_pixel + (ptrdiff_t)channel];
          }
        }
        out[channel] = finish(&d->epilogue, v, row, column, channel);
      }
    }
  }
}

static void maximum(const float *a, float *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = greater(a[i], out[i]);
}

static void add(const float *a, const float *b, float lowest, float highest, float *out,
                size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = less(highest, greater(lowest, a[i] + b[i]));
}

static void range(const float *x, size_t count, float *low, float *high) {
  for (size_t i = 0; i < count; i++) {
    *low = fminf(*low, x[i]);
    *high = fmaxf(*high, x[i]);
  }
}

static void transpose(const float *in, size_t in_stride, size_t rows, size_t columns, float *out,
                      size_t out_stride) {
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < columns; c++) out[c * out_stride + r] = in[r * in_stride + c];
  }
}

// Every processor has such vectors, and compilers use them.
#define VECTOR_LANES 4
#include "kernels/float/fov_float_logistic_body.h"
#include "kernels/float/fov_float_softmax_body.h"

const fov_float_kernels fov_float_kernels_scalar = FLOAT_KERNEL_TABLE;

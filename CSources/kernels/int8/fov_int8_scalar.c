// Fovea - int8 and int16 kernels in plain C: the specification of all other sets.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/float/fov_logistic.h"
#include "kernels/int8/fov_int16_kernels.h"
#include "kernels/int8/fov_int8_kernels.h"

static float greater(float a, float b) { return a > b ? a : b; }
static float lesser(float a, float b) { return a < b ? a : b; }

static uint8_t clamp(float v, uint8_t lowest, uint8_t highest) {
  const long rounded = lrintf(v);
  return (uint8_t)(rounded < lowest ? lowest : rounded > highest ? highest : rounded);
}

// Writes channel c of output pixel (row, column), which is at `element` in the output.
static void finish(const fov_int8_epilogue *e, int32_t sum, size_t row, size_t column, size_t c,
                   void *output, ptrdiff_t element) {
  const float f = (float)sum;
  float v = fmaf(f, e->scale[c], e->bias[c]);
  if (e->negative_scale != NULL) {
    v = greater(v, fmaf(f, e->negative_scale[c], e->negative_bias[c]));
  }
  if (e->residual != NULL) {
    const uint8_t residual = e->residual[(ptrdiff_t)row * e->residual_row +
                                         (ptrdiff_t)column * e->residual_pixel + (ptrdiff_t)c];
    v = fmaf(residual, e->residual_scale, v);
  }
  if (e->result != fov_int8_result_codes) {
    v = lesser(greater(v, e->lowest_value), e->highest_value);
    if (e->result == fov_int8_result_floats) {
      ((float *)output)[element] = v;
    } else {
      ((int16_t *)output)[element] = (int16_t)lrintf(v);
    }
  } else {
    if (e->zero != 0.0f) v = rintf(v) + e->zero;
    const uint8_t code = clamp(v, e->lowest, e->highest);
    ((uint8_t *)output)[element] = code;
  }
}

// The sum of products of a group of inputs and the weights of one channel.
typedef int32_t (*group_products)(const uint8_t *input, const int8_t *weights);

static int32_t byte_products(const uint8_t *input, const int8_t *weights) {
  int32_t sum = 0;
  for (size_t j = 0; j < FOV_GROUP; j++) sum += input[j] * weights[j];
  return sum;
}

static int32_t int16_products(const uint8_t *input, const int8_t *weights) {
  int16_t a[FOV_GROUP / 2], w[FOV_GROUP / 2];
  memcpy(a, input, sizeof a);
  memcpy(w, weights, sizeof w);
  return (int32_t)((uint32_t)(a[0] * w[0]) + (uint32_t)(a[1] * w[1]));
}

// The sum for one channel of a panel, at pixel (y, x) before pooling. Wraps around, as vectors do.
static int32_t dense_sum(const fov_int8_convolution *k, group_products products,
                         const int8_t *weights, size_t y, size_t x) {
  uint32_t sum = 0;
  for (size_t begin = 0; begin < k->channels; begin += k->block) {
    const size_t block = fov_size_min(k->block, k->channels - begin);
    for (size_t tap = 0; tap < k->kernel[0] * k->kernel[1]; tap++) {
      const size_t row = y * k->stride[0] + tap / k->kernel[1] * k->dilation[0];
      const size_t column = x * k->stride[1] + tap % k->kernel[1] * k->dilation[1];
      const uint8_t *input =
          k->input + (ptrdiff_t)row * k->input_row + (ptrdiff_t)column * k->input_pixel + begin;
      for (size_t i = 0; i < block; i += FOV_GROUP, weights += FOV_PANEL * FOV_GROUP) {
        sum += (uint32_t)products(input + i, weights);
      }
    }
  }
  return (int32_t)sum;
}

static void convolve(const fov_int8_convolution *k, group_products products, size_t row_begin,
                     size_t row_end, size_t panel_begin, size_t panel_end) {
  const size_t end = fov_size_min(panel_end * FOV_PANEL, k->output_channels);
  for (size_t y = row_begin; y < row_end; y++) {
    for (size_t x = 0; x < k->columns; x++) {
      for (size_t c = panel_begin * FOV_PANEL; c < end; c++) {
        const int8_t *weights =
            k->weights + c / FOV_PANEL * k->panel_bytes + c % FOV_PANEL * FOV_GROUP;
        int32_t sum = INT32_MIN;
        for (size_t i = 0; i < (k->pools ? 4 : 1); i++) {
          const size_t scale = k->pools ? 2 : 1;
          const int32_t one = dense_sum(k, products, weights, y * scale + i / 2, x * scale + i % 2);
          if (one > sum) sum = one;
        }
        finish(&k->epilogue, sum, y, x, c, k->output,
               (ptrdiff_t)y * k->output_row + (ptrdiff_t)x * k->output_pixel + (ptrdiff_t)c);
      }
    }
  }
}

static void convolution(const fov_int8_convolution *k, size_t row_begin, size_t row_end,
                        size_t panel_begin, size_t panel_end) {
  convolve(k, byte_products, row_begin, row_end, panel_begin, panel_end);
}

static void int16_convolution(const fov_int8_convolution *k, size_t row_begin, size_t row_end,
                              size_t panel_begin, size_t panel_end) {
  convolve(k, int16_products, row_begin, row_end, panel_begin, panel_end);
}

static int32_t depthwise_sum(const fov_int8_depthwise *k, size_t y, size_t x, size_t c) {
  const size_t groups = fov_size_parts(k->kernel[0], FOV_GROUP);
  const int8_t *panel = k->weights + c / FOV_PANEL * k->kernel[1] * groups * FOV_PANEL * FOV_GROUP +
                        c % FOV_PANEL * FOV_GROUP;
  int32_t sum = 0;
  for (size_t i = 0; i < k->kernel[0]; i++) {
    for (size_t j = 0; j < k->kernel[1]; j++) {
      const size_t row = y * k->stride[0] + i * k->dilation[0];
      const size_t column = x * k->stride[1] + j * k->dilation[1];
      const uint8_t code = k->input[(ptrdiff_t)row * k->input_row +
                                    (ptrdiff_t)column * k->input_pixel + (ptrdiff_t)c];
      const size_t group = j * groups + i / FOV_GROUP;
      sum += code * panel[group * FOV_PANEL * FOV_GROUP + i % FOV_GROUP];
    }
  }
  return sum;
}

static void depthwise(const fov_int8_depthwise *k, size_t row_begin, size_t row_end) {
  for (size_t y = row_begin; y < row_end; y++) {
    for (size_t x = 0; x < k->columns; x++) {
      for (size_t c = 0; c < k->channels; c++) {
        finish(&k->epilogue, depthwise_sum(k, y, x, c), y, x, c, k->output,
               (ptrdiff_t)y * k->output_row + (ptrdiff_t)x * k->output_pixel + (ptrdiff_t)c);
      }
    }
  }
}

static void maximum(const uint8_t *a, uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] > out[i] ? a[i] : out[i];
}

static void add(const uint8_t *a, const uint8_t *b, float a_scale, float b_scale, float bias,
                float zero, uint8_t lowest, uint8_t highest, uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float sum = fmaf(b[i], b_scale, fmaf(a[i], a_scale, bias));
    out[i] = clamp(zero != 0.0f ? rintf(sum) + zero : sum, lowest, highest);
  }
}

// Clamped before rounding, so that every x has a code. NaN gives 0.
static uint8_t code_of(float x, float inverse_scale, float zero_point) {
  return (uint8_t)lrintf(lesser(greater(fmaf(x, inverse_scale, zero_point), 0.0f), 255.0f));
}

static void scale_channels(const uint8_t *a, const float *scales, const float *biases, uint8_t *out,
                           size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = code_of(a[i], scales[i], biases[i]);
}

static void quantize(const float *x, float inverse_scale, float zero_point, uint8_t *out,
                     size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = code_of(x[i], inverse_scale, zero_point);
}

static void quantize_channels(const float *x, float inverse_scale, const uint8_t *zero_points,
                              uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = code_of(x[i], inverse_scale, zero_points[i]);
}

static void dequantize(const uint8_t *a, float scale, float bias, float *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = fmaf(a[i], scale, bias);
}

static void dequantize_channels(const uint8_t *a, float scale, const uint8_t *zero_points,
                                float *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = fmaf(a[i], scale, -(float)zero_points[i] * scale);
}

static float curve_of(const fov_int8_curve *k, float x) {
  switch (k->curve) {
    case fov_float_curve_silu: return fov_logistic_or_zero(x, x);
    case fov_float_curve_sigmoid: return fov_logistic_or_zero(x, 1.0f);
    case fov_float_curve_gelu: return fov_gelu(x);
    default: return fov_hard_silu(x, k->alpha, k->least);
  }
}

static void curve(const fov_int8_curve *k) {
  for (size_t p = 0; p < k->pixels; p++) {
    const float *values = k->values + p * k->value_pixel;
    uint8_t *out = k->output + (ptrdiff_t)p * k->output_pixel;
    for (size_t c = 0; c < k->channels; c++) {
      const float zero = k->zero_points != NULL ? (float)k->zero_points[c] : k->zero_point;
      const float scale = k->inverse_scale * (k->factors != NULL ? k->factors[c] : 1.0f);
      const float offset = k->offsets != NULL ? k->inverse_scale * k->offsets[c] : 0.0f;
      out[c] = code_of(curve_of(k, values[c]), scale, zero + offset);
    }
  }
}

static void quantize_int16(const float *x, float inverse_scale, int16_t *out, size_t count) {
  const float lowest = -FOV_LARGEST_INT16, highest = FOV_LARGEST_INT16;
  for (size_t i = 0; i < count; i++) {
    const float rounded = lesser(greater(fmaf(x[i], inverse_scale, 0.0f), lowest), highest);
    out[i] = (int16_t)lrintf(rounded);
  }
}

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_scalar;
const fov_int8_kernels fov_int8_kernels_scalar = {
    .convolution = convolution,
    .depthwise = depthwise,
    .maximum = maximum,
    .add = add,
    .scale_channels = scale_channels,
    .quantize = quantize,
    .dequantize = dequantize,
    .quantize_channels = quantize_channels,
    .dequantize_channels = dequantize_channels,
    .curve = curve,
};

FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_scalar;
const fov_int16_kernels fov_int16_kernels_scalar = {int16_convolution, quantize_int16};

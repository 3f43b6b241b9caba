// Fovea - convolutions of 8-bit activations with 8-bit weights: layout, arithmetic, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_KERNELS_H
#define FOV_INT8_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "kernels/float/fov_float_kernels.h"

// Output channels come in panels of FOV_PANEL, inputs of one channel in groups of FOV_GROUP:
//
//   weights   [panel][block][kernel row][kernel column][group of the block][FOV_PANEL][FOV_GROUP]
//
// A block is at most `block` input channels, so that the activations of one tile stay in the first
// cache while the kernel goes through a panel. Weights of missing channels are zeros. All panels
// have the same number of bytes and begin at multiples of 64.
//
// Depthwise: [panel][kernel column][group of kernel rows][FOV_PANEL][FOV_GROUP]: a group holds the
// weights of FOV_GROUP rows of one column, missing rows are zeros.
#define FOV_PANEL 16
#define FOV_GROUP 4

typedef enum fov_int8_result {  // what sums become, and its bytes
  fov_int8_result_codes = 1,
  fov_int8_result_int16 = 2,
  fov_int8_result_floats = 4,
} fov_int8_result;

// Sums are int32, and exact on every instruction set. Layers are checked so that sums fit:
// 255 * sum |w| < 2^31.
//
// Requantization. With f = (float)sum, rounded to nearest even,
//
//   v = fma(f, scale[c], bias[c])
//   v = max(v, fma(f, negative_scale[c], negative_bias[c]))          unless they are NULL
//   v = fma((float)residual, residual_scale, v)                      unless there is none
//   v = round_to_nearest_even(v) + zero                              unless zero is 0
//   code = min(max(round_to_nearest_even(v), lowest), highest)
//
// scale and bias combine the scales of input, weights and output, the output's zero points, and the
// correction for the input's zero points. An odd zero point of the output would turn halves away
// from the integer that is even without it. Where halves matter, `zero` is that zero point, and the
// bias is without it. negative_* are the same times a leaky slope. Layers are checked so that |v| <
// 2^30. Every step is rounded once, so that all processors give the same bytes.
//
// A float result is v without rounding, clamped to lowest_value ... highest_value. A 16-bit integer
// is such a result in steps of its scale, rounded (fov_int16_kernels.h).
//
// Pooling takes the maximum of 2x2 sums first. Since scale >= 0 and slope >= 0, this is the same as
// pooling the codes.
typedef struct fov_int8_epilogue {
  const float *scale, *bias;                    // padded to whole panels
  const float *negative_scale, *negative_bias;  // NULL: no slope
  uint8_t lowest, highest;
  float zero;  // of codes
  fov_int8_result result;
  float lowest_value, highest_value;  // of int16, +-FOV_LARGEST_INT16 at most, and floats
  const uint8_t *residual;            // pixel (0, 0); NULL: none. Never with pooling.
  ptrdiff_t residual_row, residual_pixel;
  float residual_scale;
} fov_int8_epilogue;

typedef struct fov_int8_convolution {
  const uint8_t *input;              // where the window of output pixel (0, 0) begins
  ptrdiff_t input_row, input_pixel;  // bytes
  size_t kernel[2], stride[2], dilation[2];
  size_t channels;  // that are read of a pixel: a multiple of FOV_GROUP
  size_t block;     // channels of a block, a multiple of FOV_GROUP
  const int8_t *weights;
  const int32_t *weight_sums;  // (panels * FOV_PANEL,): of all weights of a channel
  const uint8_t *pairs_fit;    // (panels,): see fov_int8_sums in fov_int8_packing.h
  size_t panel_bytes;
  bool pools;            // 2x2 maxima at a stride of 2
  size_t rows, columns;  // of the result, after pooling
  size_t output_channels;
  void *output;                        // channel 0 of pixel (0, 0)
  ptrdiff_t output_row, output_pixel;  // elements
  fov_int8_epilogue epilogue;
} fov_int8_convolution;

typedef struct fov_int8_depthwise {
  const uint8_t *input;
  ptrdiff_t input_row, input_pixel;
  size_t kernel[2], stride[2], dilation[2];
  const int8_t *weights;  // depthwise order
  const int32_t *weight_sums;
  const uint8_t *pairs_fit;
  size_t rows, columns, channels;
  void *output;
  ptrdiff_t output_row, output_pixel;
  fov_int8_epilogue epilogue;
} fov_int8_depthwise;

// The codes of curve(value) for `channels` channels of each pixel:
//
//   code = min(max(round(fma(curve(value), inverse_scale * factors[c], zero_c)), 0), 255)
//   zero_c = zero + inverse_scale * offsets[c]
//
// Values come in whole panels; those of missing channels may be anything.
typedef struct fov_int8_curve {
  fov_float_curve curve;  // not none
  float alpha, least;     // see fov_float_finish
  const float *values;
  size_t value_pixel;  // from pixel to pixel
  float inverse_scale;
  const float *factors, *offsets;  // of the channels; NULL: all are 1, and 0
  const uint8_t *zero_points;      // of the channels; NULL: all are zero_point
  float zero_point;
  uint8_t *output;
  ptrdiff_t output_pixel;
  size_t pixels, channels;
} fov_int8_curve;

// Rows [row_begin, row_end) of the result for panels [panel_begin, panel_end). Nothing outside the
// result's own channels is written.
typedef void (*fov_int8_convolution_kernel)(const fov_int8_convolution *convolution,
                                            size_t row_begin, size_t row_end, size_t panel_begin,
                                            size_t panel_end);
typedef void (*fov_int8_depthwise_kernel)(const fov_int8_depthwise *depthwise, size_t row_begin,
                                          size_t row_end);

// Runs over `count` neighboring elements.
typedef struct fov_int8_kernels {
  fov_int8_convolution_kernel convolution;
  fov_int8_depthwise_kernel depthwise;
  // out[i] = max(a[i], out[i])
  void (*maximum)(const uint8_t *a, uint8_t *out, size_t count);
  // code = min(max(round(fma(b, b_scale, fma(a, a_scale, bias))) + zero, lowest), highest)
  void (*add)(const uint8_t *a, const uint8_t *b, float a_scale, float b_scale, float bias,
              float zero, uint8_t lowest, uint8_t highest, uint8_t *out, size_t count);
  // code = min(max(round(fma(a, scales[i], biases[i])), 0), 255)
  void (*scale_channels)(const uint8_t *a, const float *scales, const float *biases, uint8_t *out,
                         size_t count);
  // code = min(max(round(fma(x, inverse_scale, zero_point)), 0), 255)
  void (*quantize)(const float *x, float inverse_scale, float zero_point, uint8_t *out,
                   size_t count);
  // out = fma(code, scale, bias)
  void (*dequantize)(const uint8_t *a, float scale, float bias, float *out, size_t count);
  // The same with a zero point for each element; bias = -zero_points[i] * scale.
  void (*quantize_channels)(const float *x, float inverse_scale, const uint8_t *zero_points,
                            uint8_t *out, size_t count);
  void (*dequantize_channels)(const uint8_t *a, float scale, const uint8_t *zero_points, float *out,
                              size_t count);
  void (*curve)(const fov_int8_curve *curve);
} fov_int8_kernels;

#endif

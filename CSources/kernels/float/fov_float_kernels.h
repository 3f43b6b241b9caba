// Fovea - convolutions in float32 on channels-last images: layout, arithmetic, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_KERNELS_H
#define FOV_FLOAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// The same structure as the integer kernels (fov_int8_kernels.h), one input channel at a time:
//
//   weights     [panel][block][kernel row][kernel column][channel of the block][FOV_PANEL]
//   depthwise   [panel][kernel row][kernel column][FOV_PANEL]
//
//   v = bias[c] + sum of products, in any order, unless in_order is set
//   v = max(v, v * slope)           unless slope is 1
//   v = v + residual                unless there is none
//   v = min(max(v, lowest), highest)
//
// Pooling takes the maximum of 2x2 sums first; slope >= 0.
typedef struct fov_float_epilogue {
  const float *bias;      // padded to whole panels
  float slope;            // 0 ... 1
  float lowest, highest;  // -INFINITY and INFINITY: no bound
  const float *residual;  // pixel (0, 0); NULL: none. Never with pooling.
  ptrdiff_t residual_row, residual_pixel;
} fov_float_epilogue;

typedef struct fov_float_convolution {
  const float *input;  // where the window of output pixel (0, 0) begins, in the border
  ptrdiff_t input_row, input_pixel;  // floats
  size_t kernel[2], stride[2], dilation[2];
  size_t channels;  // that are read of a pixel: exactly those there are
  size_t block;     // channels of a block
  const float *weights;
  size_t panel_floats;
  bool pools;  // 2x2 maxima at a stride of 2
  // 1x1, without pooling: v = fma(x, weight, v), channel after channel. The same bits on every set.
  bool in_order;
  size_t rows, columns;  // of the result, after pooling
  size_t output_channels;
  float *output;
  ptrdiff_t output_row, output_pixel;  // floats
  fov_float_epilogue epilogue;
} fov_float_convolution;

typedef struct fov_float_depthwise {
  const float *input;
  ptrdiff_t input_row, input_pixel;
  size_t kernel[2], stride[2], dilation[2];
  const float *weights;
  size_t rows, columns, channels;
  float *output;
  ptrdiff_t output_row, output_pixel;
  fov_float_epilogue epilogue;
} fov_float_depthwise;

// Rows [row_begin, row_end) of the result for panels [panel_begin, panel_end). Nothing outside the
// result's own channels is written.
typedef void (*fov_float_convolution_kernel)(const fov_float_convolution *convolution,
                                             size_t row_begin, size_t row_end, size_t panel_begin,
                                             size_t panel_end);
typedef void (*fov_float_depthwise_kernel)(const fov_float_depthwise *depthwise, size_t row_begin,
                                           size_t row_end);

// A function of one element behind the sums of a convolution. It is computed where the sums were
// just written, while they are in the cache: inside the kernels it would need their registers, and
// a copy of its code in each tile.
typedef enum fov_float_curve {
  fov_float_curve_none,
  fov_float_curve_sigmoid,    // fov_logistic(x, 1); 0 for x < -87
  fov_float_curve_silu,       // fov_logistic(x, x); 0 for x < -87
  fov_float_curve_hard_silu,  // x * min(max(alpha * x + 0.5, 0), 1); 0 for x < least
  fov_float_curve_gelu,       // fov_gelu(x)
} fov_float_curve;

// results = curve(sums) + residual for `channels` elements of each pixel
typedef struct fov_float_finish {
  fov_float_curve curve;
  float alpha, least;     // of hard_silu
  const float *sums;      // of the first pixel
  float *results;         // may be the sums
  ptrdiff_t pixel;        // of both
  const float *residual;  // NULL: none
  ptrdiff_t residual_pixel;
  size_t pixels, channels;
} fov_float_finish;

#define FOV_SOFTMAX_COLUMNS 64

typedef struct fov_float_kernels {
  fov_float_convolution_kernel convolution;
  fov_float_depthwise_kernel depthwise;
  // out[i] = max(a[i], out[i]); where a is NaN, out stays, and where out is, it stays NaN
  void (*maximum)(const float *a, float *out, size_t count);
  // out[i] = min(max(a[i] + b[i], lowest), highest); a sum that is NaN stays NaN
  void (*add)(const float *a, const float *b, float lowest, float highest, float *out,
              size_t count);
  // The least and the greatest of x and of what *low and *high hold. NaN is passed over.
  void (*range)(const float *x, size_t count, float *low, float *high);
  // out[i] = fov_logistic(x[i], numerator), the same bits on every set; out may be x
  void (*logistic)(const float *x, float numerator, float *out, size_t count);
  // the same bits on every set
  void (*finish)(const fov_float_finish *finish);
  // out[i] = e^in[i] / sum of e^in, with a relative error below 4e-7; of neighboring elements, or
  // of `columns` columns with elements that are `pitch` apart; columns <= FOV_SOFTMAX_COLUMNS. out
  // may be in. The same bits on every set. All are NaN if one is NaN or +infinity, or if all are
  // -infinity.
  void (*softmax_row)(const float *in, float *out, size_t size);
  void (*softmax_columns)(const float *in, float *out, size_t size, size_t pitch, size_t columns);
  // rows x columns floats, transposed: out[c * out_stride + r] = in[r * in_stride + c]
  void (*transpose)(const float *in, size_t in_stride, size_t rows, size_t columns, float *out,
                    size_t out_stride);
} fov_float_kernels;

#endif

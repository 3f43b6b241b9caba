// Fovea - the parameters of every operation, and the arithmetic it stands for.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OPERATIONS_H
#define FOV_OPERATIONS_H

#include <stdbool.h>

#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Operations on images (convolution, pooling, resize, ...) take arrays of rank 3 or more and
// mean [..., channels, rows, columns]; the dimensions before are a batch. All values are float32
// except the input of `pixels`.

// An image of bytes [rows, columns, channels], or [rows, columns] with one channel, becomes planes
// [1, channels, rows, columns] or [1, 1, channels, rows, columns]:
//   y[c] = x[source(c)] * scale + bias[c]
// source(c) is c, or channels - 1 - c with reverse_channels.
typedef struct fov_pixels {
  float scale;
  float bias[4];          // in the order of the planes
  bool reverse_channels;  // the image is red first, the network blue first
  bool rank_five;         // [1, 1, c, h, w] instead of [1, c, h, w]
} fov_pixels;

// A function of one element x. Each line says what alpha and beta mean.
//
// "quantized" is x as a code of 8 bits can hold it. Its code is
//
//   min(max(round(x / alpha) + beta, 0), 255)      halves go to the even number
//
// alpha is the scale, above 0. beta is the zero point, an integer from 0 to 255; signed codes,
// which begin at -128, have one that is 128 larger. The backend int8 keeps these codes.
typedef enum FOV_CLOSED_ENUM fov_unary_function {
  fov_unary_linear = 0,            // alpha * x + beta
  fov_unary_relu = 1,              // max(x, 0)
  fov_unary_leaky_relu = 2,        // x >= 0 ? x : alpha * x
  fov_unary_thresholded_relu = 3,  // x >= alpha ? x : 0
  fov_unary_clip = 4,              // min(max(x, alpha), beta)
  fov_unary_clamped_relu = 5,      // min(x >= 0 ? x : alpha * x, beta)
  fov_unary_sigmoid = 6,           // 1 / (1 + exp(-x))
  fov_unary_hard_sigmoid = 7,      // min(max(alpha * x + beta, 0), 1)
  fov_unary_tanh = 8,
  fov_unary_scaled_tanh = 9,    // alpha * tanh(beta * x)
  fov_unary_elu = 10,           // x >= 0 ? x : alpha * (exp(x) - 1)
  fov_unary_softsign = 11,      // x / (1 + |x|)
  fov_unary_softplus = 12,      // log(1 + exp(x))
  fov_unary_gelu = 13,          // x * (1 + erf(x / sqrt(2))) / 2
  fov_unary_gelu_tanh = 14,     // x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2
  fov_unary_gelu_sigmoid = 15,  // x / (1 + exp(-1.702 * x))
  fov_unary_sqrt = 16,
  fov_unary_rsqrt = 17,    // 1 / sqrt(x + alpha)
  fov_unary_inverse = 18,  // 1 / (x + alpha)
  fov_unary_power = 19,    // x ^ alpha
  fov_unary_exp = 20,
  fov_unary_exp2 = 21,
  fov_unary_log = 22,
  fov_unary_abs = 23,
  fov_unary_threshold = 24,  // max(x, alpha)
  fov_unary_ceil = 25,
  fov_unary_floor = 26,
  fov_unary_round = 27,  // to nearest, halves to even
  fov_unary_sign = 28,   // -1, 0 or 1
  fov_unary_sin = 29,
  fov_unary_cos = 30,
  fov_unary_tan = 31,
  fov_unary_asin = 32,
  fov_unary_acos = 33,
  fov_unary_atan = 34,
  fov_unary_sinh = 35,
  fov_unary_cosh = 36,
  fov_unary_asinh = 37,
  fov_unary_acosh = 38,
  fov_unary_atanh = 39,
  fov_unary_erf = 40,
  fov_unary_logical_not = 41,  // 1 if x is 0, else 0
  fov_unary_truncate = 42,     // to an integer, toward 0
  fov_unary_silu = 43,         // x / (1 + exp(-x))
  fov_unary_quantized = 44,    // alpha * (code - beta)
  fov_unary_hard_silu = 45,    // x * min(max(alpha * x + 0.5, 0), 1); 0 where x < beta
  fov_unary_coded_silu = 46,   // x * alpha * (code - beta), of the code of 1 / (1 + exp(-x))
} fov_unary_function;

typedef struct fov_unary {
  fov_unary_function function;
  float alpha;
  float beta;
} fov_unary;

typedef enum FOV_CLOSED_ENUM fov_binary_function {
  fov_binary_add = 0,
  fov_binary_subtract = 1,
  fov_binary_multiply = 2,
  fov_binary_divide = 3,
  fov_binary_maximum = 4,
  fov_binary_minimum = 5,
  fov_binary_power = 6,
  fov_binary_modulo = 7,        // what x / y leaves over, with the sign of y
  fov_binary_floor_divide = 8,  // floor(x / y)
  fov_binary_equal = 9,         // this and the following: 1 if it is so, else 0
  fov_binary_not_equal = 10,
  fov_binary_greater = 11,
  fov_binary_greater_equal = 12,
  fov_binary_less = 13,
  fov_binary_less_equal = 14,
  fov_binary_logical_and = 15,  // an element is true if it is not 0
  fov_binary_logical_or = 16,
  fov_binary_logical_xor = 17,
  fov_binary_truncated_divide = 18,  // x / y, cut to an integer toward 0
} fov_binary_function;

// Arrays of two sizes are rows, columns, everywhere below.

// output = floor((size + before + after - ((kernel - 1) * dilation + 1)) / stride) + 1, on each
// axis. Transposed: output = (size - 1) * stride + kernel - before - after + output_extension. The
// extension adds rows and columns at the end.
typedef struct fov_convolution {
  size_t output_channels;
  size_t groups;
  size_t kernel[2];
  size_t stride[2];
  size_t dilation[2];
  size_t before[2];            // zeros added at the top and the left
  size_t after[2];             // zeros added at the bottom and the right
  size_t output_extension[2];  // transposed convolution only
} fov_convolution;

typedef enum FOV_CLOSED_ENUM fov_pooling_function {
  fov_pooling_maximum = 0,
  fov_pooling_average = 1,
  fov_pooling_l2 = 2,  // square root of the sum of squares
} fov_pooling_function;

// The window of output i begins at i * stride - before. It may reach beyond the far border, as far
// as the output size demands. Padding never wins a maximum. It counts in an average unless
// exclude_padding.
typedef struct fov_pooling {
  fov_pooling_function function;
  size_t kernel[2];
  size_t stride[2];
  size_t before[2];
  size_t output[2];      // rows and columns of the result
  bool exclude_padding;  // average: divide by the elements inside the image
} fov_pooling;

// output[i] = input[begin + i * stride] for 0 <= i < count, along each dimension.
typedef struct fov_slice {
  size_t begin[FOV_MAX_RANK];
  size_t count[FOV_MAX_RANK];
  int64_t stride[FOV_MAX_RANK];  // not 0; negative goes backwards
} fov_slice;

typedef enum FOV_CLOSED_ENUM fov_padding_mode {
  fov_padding_constant = 0,
  fov_padding_reflect = 1,    // 2 1 | 0 1 2 | 1 0: the border element is not repeated
  fov_padding_replicate = 2,  // 0 0 | 0 1 2 | 2 2
} fov_padding_mode;

typedef struct fov_padding {
  fov_padding_mode mode;
  float value;  // of constant padding
  size_t before[FOV_MAX_RANK];
  size_t after[FOV_MAX_RANK];
} fov_padding;

typedef enum FOV_CLOSED_ENUM fov_resize_filter {
  fov_resize_nearest = 0,
  fov_resize_bilinear = 1,
} fov_resize_filter;

// Output i samples an input of m elements at x(i) = i * step + offset, clamped to [0, m - 1], along
// each axis. nearest takes element floor(x); bilinear mixes floor(x) and the next one.
typedef struct fov_resize {
  fov_resize_filter filter;
  size_t output[2];
  double step[2];
  double offset[2];
} fov_resize;

typedef enum FOV_CLOSED_ENUM fov_reduce_function {
  fov_reduce_sum = 0,
  fov_reduce_mean = 1,
  fov_reduce_product = 2,
  fov_reduce_log_sum = 3,  // log(sum(x) + epsilon)
  fov_reduce_sum_square = 4,
  fov_reduce_l1 = 5,
  fov_reduce_l2 = 6,
  fov_reduce_maximum = 7,
  fov_reduce_minimum = 8,
  fov_reduce_argmax = 9,  // index of the first maximum, as float32; one axis only
  fov_reduce_log_sum_exp = 10,
} fov_reduce_function;

typedef struct fov_reduce {
  fov_reduce_function function;
  uint32_t axes;  // bit i: reduce dimension i
  bool keep_dimensions;
  float epsilon;
} fov_reduce;

// y = x / (k + alpha / size * sum of squares over `size` neighboring channels) ^ beta
typedef struct fov_local_response_normalization {
  size_t size;
  float alpha;
  float beta;
  float k;
} fov_local_response_normalization;

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

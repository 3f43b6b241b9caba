// Fovea - the loops of training that compute much, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_KERNELS_H
#define FOV_TRAIN_KERNELS_H

#include "fov_train_lanes.h"
#include "fov_train_memory.h"

// What follows a sum while it is in registers: y = min(max(x + bias, slope * (x + bias)), bound).
typedef struct fov_train_end {
  const fov_real *bias;  // of the first column; NULL: nothing follows
  fov_real slope, bound;
} fov_train_end;

// Whether that is what an activation does (NULL: none).
FOV_TRAIN_HIDDEN bool fov_train_end_of(const fov_unary *unary, fov_train_end *out_end);

// A convolution that treats every channel by itself. Weights are [kernel rows, kernel columns,
// stride of a pixel], as the channels of a pixel lie.
typedef struct fov_depthwise {
  size_t channels;  // of a pixel with those behind the last one: its stride
  size_t rows, columns, output_rows, output_columns;
  size_t kernel[2], step[2], dilation[2], before[2];
  size_t first_row, end_row;  // of the output, which are computed
  fov_train_end end;          // of forward
} fov_depthwise;

// What an optimizer changes a row of parameters by.
typedef struct fov_adam {
  fov_real first_decay, second_decay;            // of the two moments
  fov_real first_correction, second_correction;  // 1 / (1 - decay ^ step)
  fov_real rate, weight_decay, epsilon;
  fov_real scale;    // of the gradients
  fov_real average;  // the part of the moving average that stays
} fov_adam;

// out[rows x columns] = (or +=) a[rows x depth] * b[depth x columns]. Number (r, d) of a is at
// r * a_row + d * a_step, so that a may be read as its transpose; rows of b and out are dense.
typedef struct fov_train_product {
  size_t rows, columns, depth;
  const fov_real *a;
  size_t a_row, a_step;
  const fov_real *b;
  size_t b_step;
  fov_real *out;  // overlaps neither side
  size_t out_row;
  bool adds;
  fov_train_end end;  // not with adds
} fov_train_product;

typedef struct fov_train_kernels {
  void (*multiply)(const fov_train_product *product);

  // out = the convolution with its end; or out += without an end, with `adds`.
  void (*depthwise_forward)(const fov_depthwise *shape, const fov_real *in, const fov_real *weights,
                            bool adds, fov_real *out);
  // in_gradient += what an output of any step spread.
  void (*depthwise_spread)(const fov_depthwise *shape, const fov_real *out_gradient,
                           const fov_real *weights, fov_real *in_gradient);
  // weight_gradient += ...
  void (*depthwise_weights)(const fov_depthwise *shape, const fov_real *in,
                            const fov_real *out_gradient, fov_real *weight_gradient);

  // values[i] = function(values[i] + bias of its channel). bias NULL: 0; unary NULL: the identity.
  void (*finish)(const fov_unary *unary, const fov_real *bias, size_t pixels, size_t channels,
                 fov_real *values);
  // gradient[i] *= derivative where the function gave results[i]; then bias_gradient += the sums
  // over pixels. Either may be NULL.
  void (*unfinish)(const fov_unary *unary, const fov_real *results, size_t pixels, size_t channels,
                   fov_real *gradient, fov_real *bias_gradient);
  // out[i] = function(in[i]).
  void (*apply)(const fov_unary *unary, const fov_real *in, size_t count, fov_real *out);
  // in_gradient[i] = (or +=) out_gradient[i] * derivative at in[i].
  void (*derive)(const fov_unary *unary, const fov_real *in, const fov_real *out_gradient,
                 size_t count, bool adds, fov_real *in_gradient);
  // out = a + factor * b, or out += a * factor with b NULL.
  void (*sum)(const fov_real *a, const fov_real *b, fov_real factor, size_t count, fov_real *out);
  // out = (or +=) a * b.
  void (*product)(const fov_real *a, const fov_real *b, size_t count, bool adds, fov_real *out);

  double (*square_sum)(const fov_real *values, size_t count);
  void (*adam)(const fov_adam *adam, const fov_real *gradients, size_t count, fov_real *values,
               fov_real *first, fov_real *second, fov_real *average);
} fov_train_kernels;

FOV_TRAIN_HIDDEN extern const fov_train_kernels fov_train_kernels_plain;
#if defined(__x86_64__)
FOV_TRAIN_HIDDEN extern const fov_train_kernels fov_train_kernels_avx2;
FOV_TRAIN_HIDDEN extern const fov_train_kernels fov_train_kernels_avx512;
#endif

// Those for this processor.
FOV_TRAIN_HIDDEN const fov_train_kernels *fov_train_kernels_best(void);

// Whether the derivative of a function follows from its result.
FOV_TRAIN_HIDDEN bool fov_unary_is_told_by_result(const fov_unary *unary);

#endif

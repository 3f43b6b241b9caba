// Fovea - the functions of a table of kernels, compiled once for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_LOOPS_H
#define FOV_TRAIN_LOOPS_H

#include "fov_train_kernels.h"

// Files that a set includes keep their functions to themselves.
#if !defined(FOV_TRAIN_KERNEL)
#define FOV_TRAIN_KERNEL FOV_TRAIN_HIDDEN
#endif

FOV_TRAIN_KERNEL void fov_train_multiply(const fov_train_product *p);
FOV_TRAIN_KERNEL void fov_train_apply(const fov_unary *unary, const fov_real *in, size_t count,
                                      fov_real *out);
FOV_TRAIN_KERNEL void fov_train_derive(const fov_unary *unary, const fov_real *restrict in,
                                       const fov_real *restrict out_gradient, size_t count,
                                       bool adds, fov_real *restrict in_gradient);
FOV_TRAIN_KERNEL void fov_train_finish(const fov_unary *unary, const fov_real *bias, size_t pixels,
                                       size_t channels, fov_real *values);
FOV_TRAIN_KERNEL void fov_train_unfinish(const fov_unary *unary, const fov_real *results,
                                         size_t pixels, size_t channels, fov_real *gradient,
                                         fov_real *bias_gradient);
FOV_TRAIN_KERNEL void fov_train_depthwise_forward(const fov_depthwise *shape, const fov_real *in,
                                                  const fov_real *weights, bool adds,
                                                  fov_real *out);
FOV_TRAIN_KERNEL void fov_train_depthwise_spread(const fov_depthwise *shape,
                                                 const fov_real *out_gradient,
                                                 const fov_real *weights, fov_real *in_gradient);
FOV_TRAIN_KERNEL void fov_train_depthwise_weights(const fov_depthwise *shape, const fov_real *in,
                                                  const fov_real *out_gradient,
                                                  fov_real *weight_gradient);
FOV_TRAIN_KERNEL void fov_train_sum(const fov_real *a, const fov_real *b, fov_real factor,
                                    size_t count, fov_real *out);
FOV_TRAIN_KERNEL void fov_train_product_of(const fov_real *a, const fov_real *b, size_t count,
                                           bool adds, fov_real *out);
FOV_TRAIN_KERNEL double fov_train_square_sum(const fov_real *values, size_t count);
FOV_TRAIN_KERNEL void fov_train_adam(const fov_adam *adam, const fov_real *restrict gradients,
                                     size_t count, fov_real *restrict values,
                                     fov_real *restrict first, fov_real *restrict second,
                                     fov_real *restrict average);

#define FOV_TRAIN_KERNELS                                                                      \
  {                                                                                            \
    .multiply = fov_train_multiply, .depthwise_forward = fov_train_depthwise_forward,          \
    .depthwise_spread = fov_train_depthwise_spread,                                            \
    .depthwise_weights = fov_train_depthwise_weights, .finish = fov_train_finish,              \
    .unfinish = fov_train_unfinish, .apply = fov_train_apply, .derive = fov_train_derive,      \
    .sum = fov_train_sum, .product = fov_train_product_of, .square_sum = fov_train_square_sum, \
    .adam = fov_train_adam,                                                                    \
  }

#endif

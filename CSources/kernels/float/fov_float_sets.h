// Fovea - the float kernels of each instruction set.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_SETS_H
#define FOV_FLOAT_SETS_H

#include "kernels/float/fov_float_kernels.h"
#include "kernels/winograd/fov_winograd.h"

// The table of a file whose functions have these names.
// clang-format off
#define FLOAT_KERNEL_TABLE             \
  {.convolution = convolution,         \
   .depthwise = depthwise,             \
   .maximum = maximum,                 \
   .add = add,                         \
   .range = range,                     \
   .logistic = logistic,               \
   .finish = finish_pixels,            \
   .softmax_row = softmax_row,         \
   .softmax_columns = softmax_columns, \
   .transpose = transpose}
// clang-format on

// Sets of other architectures do not exist. fov_cpu says which of them this processor can run.
extern FOV_INTERNAL const fov_float_kernels fov_float_kernels_scalar;
#if defined(__x86_64__)
extern FOV_INTERNAL const fov_float_kernels fov_float_kernels_avx2;    // AVX2 and FMA
extern FOV_INTERNAL const fov_float_kernels fov_float_kernels_avx512;  // AVX-512 F, BW, VL, DQ
extern FOV_INTERNAL const fov_winograd_kernels fov_float_winograd_avx2, fov_float_winograd_avx512;
#elif defined(__aarch64__)
extern FOV_INTERNAL const fov_float_kernels fov_float_kernels_neon;
extern FOV_INTERNAL const fov_winograd_kernels fov_float_winograd_neon;
#endif

#endif

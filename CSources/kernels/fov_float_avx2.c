// Fovea - float kernels with AVX2 and FMA.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_float_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#include "kernels/fov_float_vector_avx2.h"

#include "kernels/fov_float_convolution_body.h"
#include "kernels/fov_float_depthwise_body.h"
#include "kernels/fov_float_element_body.h"
#include "kernels/fov_float_logistic_body.h"
#include "kernels/fov_float_winograd_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const fov_float_kernels fov_float_kernels_avx2 = {
    .convolution = fov_set_convolution,
    .depthwise = fov_set_depthwise,
    .maximum = fov_set_maximum,
    .add = fov_set_add,
    .range = fov_set_range,
    .logistic = fov_set_logistic,
    .transpose = fov_set_transpose,
};
const fov_winograd_kernels fov_float_winograd_avx2 = WINOGRAD_KERNEL_TABLE(1.2f, 180, 300, 650);
#endif

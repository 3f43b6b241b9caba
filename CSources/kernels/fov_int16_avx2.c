// Fovea - kernels of 16-bit integers for AVX2: pairs of products of 16 bits, added to sums of 32.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_int16_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#define INT16_PRODUCTS 1
#define INT8_HAS_DOT_PRODUCT 0
#include "kernels/fov_int8_vector_avx2.h"

#include "kernels/fov_int8_groups.h"

#include "kernels/fov_int8_convolution_body.h"
#include "kernels/fov_int16_element_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_avx2;
const fov_int16_kernels fov_int16_kernels_avx2 = {convolution, quantize_int16};

#else
typedef int fov_int16_avx2_is_empty;
#endif

// Fovea - 8-bit kernels for AVX2: products of bytes added in pairs, of 16-bit integers where pairs overflow.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_int8_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#define INT8_HAS_DOT_PRODUCT 0
#include "kernels/fov_int8_winograd_vector_avx2.h"

#include "kernels/fov_int8_groups.h"

#include "kernels/fov_int8_convolution_body.h"
#include "kernels/fov_int8_depthwise_body.h"
#include "kernels/fov_int8_element_body.h"
#include "kernels/fov_int8_winograd_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_avx2;
const fov_int8_kernels fov_int8_kernels_avx2 = INT8_KERNEL_TABLE;

// Products of 16-bit integers share the units that add them up: they take longer than those of bytes.
FOV_INTERNAL extern const fov_winograd_kernels fov_int8_winograd_avx2;
const fov_winograd_kernels fov_int8_winograd_avx2 = WINOGRAD_KERNEL_TABLE(1.5f, 180, 300, 650);

#else
typedef int fov_int8_avx2_is_empty;
#endif

// Fovea - 8-bit kernels for AVX2: products are added in pairs, or exactly where pairs overflow.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int8_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOV_TARGET "avx2,fma"
#include "kernels/fov_target_begin.h"

#define INT8_HAS_DOT_PRODUCT 0
#include "kernels/int8/fov_int8_winograd_vector_avx2.h"

#include "kernels/int8/fov_int8_groups.h"

#include "kernels/int8/fov_int8_convolution_body.h"
#include "kernels/int8/fov_int8_depthwise_body.h"
#include "kernels/int8/fov_int8_element_body.h"
#include "kernels/int8/fov_int8_winograd_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_avx2;
const fov_int8_kernels fov_int8_kernels_avx2 = INT8_KERNEL_TABLE;

// Products of 16-bit integers cost more than those of bytes, since they use the same units as sums.
FOV_INTERNAL extern const fov_winograd_kernels fov_int8_winograd_avx2;
const fov_winograd_kernels fov_int8_winograd_avx2 = WINOGRAD_KERNEL_TABLE(1.5f, 180, 300, 650);

#else
typedef int fov_int8_avx2_is_empty;
#endif

// Fovea - 8-bit kernels for 256-bit dot products (AVX-VNNI).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int8_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOV_TARGET "avx2,fma,avxvnni"
#include "kernels/fov_target_begin.h"

#define INT8_HAS_DOT_PRODUCT 1
#include "kernels/int8/fov_int8_vector_avx2.h"

#include "kernels/int8/fov_int8_groups.h"

#include "kernels/int8/fov_int8_convolution_body.h"
#include "kernels/int8/fov_int8_depthwise_body.h"
#include "kernels/int8/fov_int8_element_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_avx_vnni;
const fov_int8_kernels fov_int8_kernels_avx_vnni = INT8_KERNEL_TABLE;

#else
typedef int fov_int8_avx_vnni_is_empty;
#endif

// Fovea - 8-bit kernels for 512-bit dot products (AVX-512 VNNI).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int8_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOV_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"
#include "kernels/fov_target_begin.h"

#include "kernels/int8/fov_int8_winograd_vector_avx512.h"

#include "kernels/int8/fov_int8_groups.h"

#include "kernels/int8/fov_int8_convolution_body.h"
#include "kernels/int8/fov_int8_depthwise_body.h"
#include "kernels/int8/fov_int8_element_body.h"
#include "kernels/int8/fov_int8_winograd_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_avx512_vnni;
const fov_int8_kernels fov_int8_kernels_avx512_vnni = INT8_KERNEL_TABLE;

// A product of 16-bit integers costs as much as two of bytes, and transforms gain nothing from dot
// products.
FOV_INTERNAL extern const fov_winograd_kernels fov_int8_winograd_avx512_vnni;
const fov_winograd_kernels fov_int8_winograd_avx512_vnni =
    WINOGRAD_KERNEL_TABLE(2.2f, 420, 250, 1000);

#else
typedef int fov_int8_avx512_vnni_is_empty;
#endif

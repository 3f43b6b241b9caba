// Fovea - kernels of 16-bit integers for 512-bit dot products (AVX-512 VNNI).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int16_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOV_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"
#include "kernels/fov_target_begin.h"

#define INT16_PRODUCTS 1
#include "kernels/int8/fov_int8_vector_avx512.h"

#include "kernels/int8/fov_int8_groups.h"

#include "kernels/int8/fov_int16_element_body.h"
#include "kernels/int8/fov_int8_convolution_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_avx512_vnni;
const fov_int16_kernels fov_int16_kernels_avx512_vnni = {convolution, quantize_int16};

#else
typedef int fov_int16_avx512_vnni_is_empty;
#endif

// Fovea - kernels of 16-bit integers for AVX2: pairs of products of 16 bits, added to sums of 32.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int16_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOV_TARGET "avx2,fma"
#include "kernels/fov_target_begin.h"

#define INT16_PRODUCTS 1
#define INT8_HAS_DOT_PRODUCT 0
#include "kernels/int8/fov_int8_vector_avx2.h"

#include "kernels/int8/fov_int8_groups.h"

#include "kernels/int8/fov_int16_element_body.h"
#include "kernels/int8/fov_int8_convolution_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_avx2;
const fov_int16_kernels fov_int16_kernels_avx2 = {convolution, quantize_int16};

#else
typedef int fov_int16_avx2_is_empty;
#endif

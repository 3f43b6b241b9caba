// Fovea - kernels of 16-bit integers for AArch64.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int16_kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define INT16_PRODUCTS 1
#include "kernels/int8/fov_int8_neon_widening.h"

#include "kernels/int8/fov_int16_element_body.h"
#include "kernels/int8/fov_int8_convolution_body.h"

FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_neon;
const fov_int16_kernels fov_int16_kernels_neon = {convolution, quantize_int16};

#else
typedef int fov_int16_neon_is_empty;
#endif

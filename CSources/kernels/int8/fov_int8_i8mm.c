// Fovea - 8-bit kernels for AArch64 with usdot.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int8_kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#if defined(__clang__)
#define FOV_TARGET "dotprod,i8mm"
#else
#define FOV_TARGET "arch=armv8.2-a+dotprod+i8mm"
#endif
#include "kernels/fov_target_begin.h"

#define INT8_HAS_USDOT 1
#include "kernels/int8/fov_int8_neon_dot.h"

#include "kernels/int8/fov_int8_convolution_body.h"
#include "kernels/int8/fov_int8_depthwise_body.h"
#include "kernels/int8/fov_int8_element_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_i8mm;
const fov_int8_kernels fov_int8_kernels_i8mm = INT8_KERNEL_TABLE;

#else
typedef int fov_int8_i8mm_is_empty;
#endif

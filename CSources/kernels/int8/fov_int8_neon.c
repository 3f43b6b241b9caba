// Fovea - 8-bit kernels for any AArch64: products widened to 16 bits.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/int8/fov_int8_kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include "kernels/int8/fov_int8_neon_widening.h"
#include "kernels/int8/fov_int8_winograd_vector_neon.h"

#include "kernels/int8/fov_int8_convolution_body.h"
#include "kernels/int8/fov_int8_depthwise_body.h"
#include "kernels/int8/fov_int8_element_body.h"
#include "kernels/int8/fov_int8_winograd_body.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_neon;
const fov_int8_kernels fov_int8_kernels_neon = INT8_KERNEL_TABLE;

// Direct convolutions multiply 16-bit integers here, too.
FOV_INTERNAL extern const fov_winograd_kernels fov_int8_winograd_neon;
const fov_winograd_kernels fov_int8_winograd_neon = WINOGRAD_KERNEL_TABLE(1.2f, 180, 300, 650);

#else
typedef int fov_int8_neon_is_empty;
#endif

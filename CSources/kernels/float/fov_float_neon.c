// Fovea - float kernels for AArch64.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/float/fov_float_sets.h"

#if defined(__aarch64__)
#include "kernels/float/fov_float_vector_neon.h"

#include "kernels/float/fov_float_convolution_body.h"
#include "kernels/float/fov_float_depthwise_body.h"
#include "kernels/float/fov_float_element_body.h"
#include "kernels/float/fov_float_logistic_body.h"
#include "kernels/float/fov_float_softmax_body.h"
#include "kernels/float/fov_float_winograd_body.h"

const fov_float_kernels fov_float_kernels_neon = FLOAT_KERNEL_TABLE;
const fov_winograd_kernels fov_float_winograd_neon = WINOGRAD_KERNEL_TABLE(1.2f, 180, 300, 650);
#endif

// Fovea - float kernels with AVX2 and FMA.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/float/fov_float_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define FOV_TARGET "avx2,fma"
#include "kernels/fov_target_begin.h"

#include "kernels/float/fov_float_vector_avx2.h"

#include "kernels/float/fov_float_convolution_body.h"
#include "kernels/float/fov_float_depthwise_body.h"
#include "kernels/float/fov_float_element_body.h"
#include "kernels/float/fov_float_logistic_body.h"
#include "kernels/float/fov_float_softmax_body.h"
#include "kernels/float/fov_float_winograd_body.h"

#include "kernels/fov_target_end.h"

const fov_float_kernels fov_float_kernels_avx2 = FLOAT_KERNEL_TABLE;
const fov_winograd_kernels fov_float_winograd_avx2 = WINOGRAD_KERNEL_TABLE(1.2f, 180, 300, 650);
#endif

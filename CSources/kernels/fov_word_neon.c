// Fovea - kernels of words for AArch64.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_word_kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define WORD_PRODUCTS 1
#include "kernels/fov_int8_neon_widening.h"

#include "kernels/fov_int8_convolution_body.h"
#include "kernels/fov_word_element_body.h"

FOV_INTERNAL extern const fov_word_kernels fov_word_kernels_neon;
const fov_word_kernels fov_word_kernels_neon = {convolution, quantize_words};

#else
typedef int fov_word_neon_is_empty;
#endif

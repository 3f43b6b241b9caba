// Fovea - the loops of training for AVX2 with FMA.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

// The same functions once more, of this file alone.
#define FOV_TRAIN_KERNEL static __attribute__((unused))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#include "fov_train_activation.c"
#include "fov_train_depthwise.c"
#include "fov_train_elements.c"
#include "fov_train_product.c"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const fov_train_kernels fov_train_kernels_avx2 = FOV_TRAIN_KERNELS;

#endif

// Fovea - the loops of training for AVX-512.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

// The same functions once more, of this file alone. Registers are twice as many and as wide.
#define FOV_TRAIN_HAS_WIDE
#define FOV_TRAIN_ROWS 12
#define FOV_TRAIN_KERNEL static __attribute__((unused))
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")
#endif

#include "fov_train_activation.c"
#include "fov_train_depthwise.c"
#include "fov_train_elements.c"
#include "fov_train_product.c"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const fov_train_kernels fov_train_kernels_avx512 = FOV_TRAIN_KERNELS;

#endif

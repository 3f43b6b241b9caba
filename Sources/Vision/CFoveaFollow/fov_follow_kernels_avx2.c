// Fovea - the parts of a follower that compute much, for AVX2.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

// The same functions once more, of this file alone. Without FMA: it would round differently.
#define FOV_HIDDEN static __attribute__((unused))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "fov_align.c"
#include "fov_features.c"
#include "fov_filter.c"
#include "fov_fourier.c"
#include "fov_patch.c"

#if defined(__clang__)
#pragma clang attribute pop
#endif

#include "fov_follow_kernels.h"

const fov_follow_kernels fov_follow_kernels_avx2 = FOV_FOLLOW_KERNELS;

#endif

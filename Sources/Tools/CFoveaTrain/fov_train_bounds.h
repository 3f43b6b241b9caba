// Fovea - the greater and the lesser of lanes, and what follows sums.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_BOUNDS_H
#define FOV_TRAIN_BOUNDS_H

#include "fov_train_kernels.h"

#if defined(FOV_TRAIN_HAS_WIDE)
// Sixteen numbers, for sets with registers of that width.
#if defined(FOV_TRAIN_DOUBLE)
typedef double fov_train_wide __attribute__((vector_size(128), aligned(8), may_alias));
typedef int64_t fov_train_wide_mask __attribute__((vector_size(128), aligned(8), may_alias));
#else
typedef float fov_train_wide __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t fov_train_wide_mask __attribute__((vector_size(64), aligned(4), may_alias));
#endif
#endif

// Stores a sum with its end, from the bias of the first lane on.
#define DEFINE_END(name, lanes, mask)                                                              \
  FOV_TRAIN_INLINE void name(lanes *sum, const fov_train_end *end, size_t column, fov_real *out) { \
    lanes x = *sum;                                                                                \
    if (end->bias) {                                                                               \
      x += *(const lanes *)(const void *)(end->bias + column);                                     \
      const lanes low = x * end->slope, bound = (lanes){0} + end->bound;                           \
      const mask is_above = (mask)(x > low);                                                       \
      x = (lanes)(((mask)x & is_above) | ((mask)low & ~is_above));                                 \
      const mask is_inside = (mask)(x < bound);                                                    \
      x = (lanes)(((mask)x & is_inside) | ((mask)bound & ~is_inside));                             \
    }                                                                                              \
    *(lanes *)(void *)out = x;                                                                     \
  }

DEFINE_END(end_narrow, fov_train_lanes, fov_train_mask)
#if defined(FOV_TRAIN_HAS_WIDE)
DEFINE_END(end_wide, fov_train_wide, fov_train_wide_mask)
#endif

#endif

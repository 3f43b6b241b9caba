// Fovea - eight numbers that are computed together.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_LANES_H
#define FOV_TRAIN_LANES_H

#include <stddef.h>

#include "fov_train_tape.h"

// Pixels of all values but the picture have a multiple of so many channels; those behind the last
// one are finite, and meet weights that are 0.
#define FOV_TRAIN_LANES 8

#if defined(FOV_TRAIN_DOUBLE)
typedef double fov_train_lanes __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t fov_train_mask __attribute__((vector_size(64), aligned(8), may_alias));
#else
typedef float fov_train_lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t fov_train_mask __attribute__((vector_size(32), aligned(4), may_alias));
#endif

#if defined(__OPTIMIZE__)
#define FOV_TRAIN_INLINE static inline __attribute__((always_inline, unused))
#else
#define FOV_TRAIN_INLINE static __attribute__((unused))
#endif

// Before a loop of a constant number of turns.
#if defined(__clang__)
#define FOV_TRAIN_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define FOV_TRAIN_UNROLLED _Pragma("GCC unroll 64")
#endif

#define FOV_LANES_AT(pointer) (*(fov_train_lanes *)(void *)(pointer))
#define FOV_LANES_FROM(pointer) (*(const fov_train_lanes *)(const void *)(pointer))

static inline size_t fov_train_padded(size_t channels) {
  return (channels + FOV_TRAIN_LANES - 1) / FOV_TRAIN_LANES * FOV_TRAIN_LANES;
}

#endif

// Fovea - eight floats that are computed together, and exact arithmetic.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LANES_H
#define FOV_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A product and a sum are rounded one after the other, so that every machine computes the same.
#if defined(__FAST_MATH__)
#error "Followers promise the same boxes on every processor: build them without -ffast-math."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif

// Channels lie in groups of eight. A sum over channels adds lane by lane, and lanes at the end.
#define FOV_LANES 8

// Two instructions with SSE2 and NEON, one with AVX2. The results are the same.
typedef float fov_lanes __attribute__((vector_size(32), aligned(32), may_alias));

typedef struct fov_complex_lanes {
  fov_lanes re, im;
} fov_complex_lanes;

#if defined(__OPTIMIZE__)
#define FOV_INLINE static inline __attribute__((always_inline, unused))
#else
#define FOV_INLINE static __attribute__((unused))
#endif
// What other files of the follower call, unless it is compiled once more for other vectors.
#if !defined(FOV_HIDDEN)
#define FOV_HIDDEN __attribute__((visibility("hidden")))
#endif

// The sum of eight floats, always in this order.
FOV_INLINE float fov_lanes_sum(const fov_lanes *v) {
  const fov_lanes a = *v;
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

FOV_INLINE float fov_clamp(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}

#endif

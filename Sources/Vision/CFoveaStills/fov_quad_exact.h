// Fovea - arithmetic of quadrilaterals that is the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_QUAD_EXACT_H
#define FOV_QUAD_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of the system's library only functions are used that are exact: square roots, floors and absolute
// values.
#include "fov_still_exact.h"

#define FOV_HIDDEN __attribute__((visibility("hidden")))
#define FOV_INLINE static inline __attribute__((unused))

typedef struct fov_point {
  float x, y;
} fov_point;

FOV_INLINE fov_point fov_between(fov_point a, fov_point b, float t) {
  return (fov_point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

FOV_INLINE float fov_dot(fov_point a, fov_point b) { return a.x * b.x + a.y * b.y; }

FOV_INLINE float fov_cross(fov_point a, fov_point b) { return a.x * b.y - a.y * b.x; }

FOV_INLINE fov_point fov_minus(fov_point a, fov_point b) {
  return (fov_point){a.x - b.x, a.y - b.y};
}

FOV_INLINE float fov_length(fov_point a) { return sqrtf(fov_dot(a, a)); }

FOV_INLINE float fov_least(float a, float b) { return a < b ? a : b; }

FOV_INLINE float fov_most(float a, float b) { return a > b ? a : b; }

FOV_INLINE float fov_bounded(float x, float low, float high) {
  return x > low ? (x < high ? x : high) : low;
}

FOV_INLINE int fov_bounded_index(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }

// The part of the picture that both quadrilaterals cover, over what any of them covers. Corners of
// each run clockwise and are convex.
FOV_HIDDEN float fov_quad_overlap(const fov_point a[4], const fov_point b[4]);

// The area that both cover, in pixels.
FOV_HIDDEN float fov_quad_common_area(const fov_point a[4], const fov_point b[4]);

// The area, positive where the corners run clockwise.
FOV_HIDDEN float fov_quad_area(const fov_point quad[4]);

// 1 / (1 + e^-x).
FOV_HIDDEN float fov_logistic(float x);

#endif

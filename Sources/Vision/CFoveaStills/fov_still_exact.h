// Fovea - arithmetic on still pictures that is the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_STILL_EXACT_H
#define FOV_STILL_EXACT_H

#include <math.h>

// A product and a sum are rounded one after the other. Scripts/checks/processors compares results.
#if defined(__FAST_MATH__)
#error "Results are promised to be the same on every processor: build without -ffast-math."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif

// The length of (x, y), for lengths of pixels: hypot needs a newer C library than wheels may ask
// for.
static inline double fov_hypotenuse(double x, double y) { return sqrt(x * x + y * y); }

#endif

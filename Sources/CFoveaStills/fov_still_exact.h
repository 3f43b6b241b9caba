// Fovea - arithmetic on still pictures that is the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_STILL_EXACT_H
#define FOV_STILL_EXACT_H

// A product and a sum are rounded one after the other. Scripts/check-processors compares results.
#if defined(__FAST_MATH__)
#error "Results are promised to be the same on every processor: build without -ffast-math."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif

#endif

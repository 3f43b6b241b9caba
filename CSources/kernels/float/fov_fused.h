// Fovea - a product and a sum with one rounding, the same on every processor.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FUSED_H
#define FOV_FUSED_H

#include <stdint.h>
#include <string.h>

// Clang has it since version 16.
#if defined(__has_builtin)
#define FOV_HAS_BUILTIN(name) __has_builtin(name)
#else
#define FOV_HAS_BUILTIN(name) 0
#endif

// a * b + c, rounded once. Files that name a target with this instruction (FOV_TARGET) compile to
// it, in vectors, too, as does code for processors that always have it. Elsewhere it is computed in
// double precision: the product is exact, and the sum is rounded to odd. That is, if it is inexact,
// its last bit is set, so that rounding it to float cannot meet a false tie (S. Boldo,
// G. Melquiond: Emulation of FMA and Correctly Rounded Sums, 2008).
static inline float fov_fused(float a, float b, float c) {
#if defined(FOV_TARGET) || defined(__FMA__) || defined(__aarch64__) || defined(__riscv_f)
#if FOV_HAS_BUILTIN(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);  // without errno, whatever the C library
#else
  return __builtin_fmaf(a, b, c);
#endif
#else
  const double product = (double)a * (double)b, other = (double)c;
  double sum = product + other;
  // What the sum lacks, exactly (D. Knuth's TwoSum). Not a number where the sum is none or
  // infinite.
  const double part = sum - product;
  const double error = (product - (sum - part)) + (other - part);
  if (error > 0.0 || error < 0.0) {
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if ((bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
  }
  return (float)sum;
#endif
}

#endif

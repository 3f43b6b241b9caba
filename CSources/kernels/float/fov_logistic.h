// Fovea - the sigmoid and GELU of float32 in arithmetic that a compiler can vectorize.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOGISTIC_H
#define FOV_LOGISTIC_H

#include "kernels/float/fov_exponential.h"

// numerator / (1 + e^-x), numerator >= 0: never above the numerator. Relative error below 2.5e-7
// for |x| <= 87; beyond, x counts as the nearer end. NaN gives NaN.
static inline float fov_logistic(float x, float numerator) {
  const float below = -x < -87.0f ? -87.0f : -x;
  return numerator / (1.0f + fov_exponential_normal(below > 88.0f ? 88.0f : below));
}

// The same, but 0 for x < -87, where fov_logistic may give subnormal numbers.
static inline float fov_logistic_or_zero(float x, float numerator) {
  const float y = numerator / (1.0f + fov_exponential_normal(-x < -87.0f ? -87.0f : -x));
  return x < -87.0f ? 0.0f : y;
}

// x * min(max(alpha * x + 0.5, 0), 1); 0 for x < least. What a condition may leave out is computed
// before it: else compilers write a branch, and no vectors.
static inline float fov_hard_silu(float x, float alpha, float least) {
  const float line = alpha * x + 0.5f;
  const float raised = line < 0.0f ? 0.0f : line;
  const float product = x * (raised > 1.0f ? 1.0f : raised);
  return x < least ? 0.0f : product;
}

// x * (1 + erf(x / sqrt 2)) / 2. Error below 3e-7 times |x|.
//
// With z = |x| / sqrt 2 and t = 1 / (1 + 0.3275911 z), the polynomial in t times e^(-z * z) is
// 1 - erf(z) but for 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26).
static inline float fov_gelu(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float z = magnitude * 0.707106781f;
  const float t = 1.0f / fov_fused(0.3275911f, z, 1.0f);
  float series = 1.061405429f;
  series = fov_fused(series, t, -1.453152027f);
  series = fov_fused(series, t, 1.421413741f);
  series = fov_fused(series, t, -0.284496736f);
  series = fov_fused(series, t, 0.254829592f);
  // Further out the tail is less than 1e-35, and no subnormal number.
  const float power = -(z * z) < -80.0f ? -80.0f : -(z * z);
  const float tail = 0.5f * (series * t) * fov_exponential_normal(power);
  const float share = 1.0f - tail;
  const float product = x * (x < 0.0f ? tail : share);
  // Infinity times the tail would not be 0.
  return x < -14.0f ? 0.0f : product;
}

#endif

// Fovea - the sigmoid and GELU of float32 in arithmetic that a compiler can vectorize.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOGISTIC_H
#define FOV_LOGISTIC_H

#include "kernels/fov_exponential.h"

// numerator / (1 + e^-x), numerator >= 0: never above the numerator. Relative error below 2.5e-7
// for |x| <= 87; beyond, x counts as the nearer end. NaN gives NaN.
//
// The exponential is that of fov_exponential.h with less to do: -87 ... 88 needs no subnormal
// numbers and so one factor 2^n, which is added to the exponent; and the polynomial, of least
// relative error on |r| <= ln(2) / 2 among those of degree 5 that are 1 at 0, is off by 9.4e-8.
//
// No product is fused with a sum: kernels for wider vectors give the same bits.
static inline float fov_logistic(float x, float numerator) {
  const float rounder = 12582912.0f;  // 1.5 * 2^23
  const float negative = -x;
  const float below = negative < -87.0f ? -87.0f : negative;
  const float bounded = below > 88.0f ? 88.0f : below;
  const float shifted = bounded * 1.44269504f + rounder;
  const float n = shifted - rounder;
  const float high = bounded - n * 0.693359375f;
  const float r = high + n * 2.12194440e-4f;
  float series = 0.00829014368f;
  series = series * r + 0.0418988504f;
  series = series * r + 0.166676447f;
  series = series * r + 0.499991417f;
  series = series * r + 0.999999702f;
  series = series * r + 1.0f;
  // The low bits of `shifted` are n, and those of `rounder` vanish to the left.
  const uint32_t exponent = fov_bits_from_float(shifted) << 23;
  return numerator / (1.0f + fov_float_from_bits(fov_bits_from_float(series) + exponent));
}

// x * (1 + erf(x / sqrt 2)) / 2. Error below 1.5e-7 times |x|.
//
// With z = |x| / sqrt 2 and t = 1 / (1 + 0.3275911 z), the polynomial in t times e^(-z * z) is
// 1 - erf(z) but for 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26).
static inline float fov_gelu(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float z = magnitude * 0.707106781f;
  const float t = 1.0f / (1.0f + 0.3275911f * z);
  float series = 1.061405429f;
  series = series * t - 1.453152027f;
  series = series * t + 1.421413741f;
  series = series * t - 0.284496736f;
  series = series * t + 0.254829592f;
  const float tail = 0.5f * (series * t) * fov_exponential(-(z * z));
  // Beyond, the tail is less than a subnormal number, and infinity times 0 would be no number.
  return magnitude > 14.0f && x < 0.0f ? 0.0f : x * (x < 0.0f ? tail : 1.0f - tail);
}

#endif

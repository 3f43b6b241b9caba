// Fovea - e^x for float32 in arithmetic that a compiler can vectorize.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_EXPONENTIAL_H
#define FOV_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

#include "kernels/float/fov_fused.h"

static inline float fov_float_from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t fov_bits_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// x = n ln 2 + r with |r| <= ln(2) / 2; e^x = 2^n e^r, and e^r is its Taylor series to degree 7,
// whose remainder is below 6e-9. Error: less than 2 units in the last place. Overflows to infinity
// above 88.73, goes to 0 through the subnormal numbers, and gives NaN for NaN.
static inline float fov_exponential(float x) {
  // Adding 1.5 * 2^23 rounds to an integer and leaves that integer in the low bits.
  const float rounder = 12582912.0f;
  const float below = x < -104.0f ? -104.0f : x;
  const float bounded = below > 89.0f ? 89.0f : below;
  const float shifted = bounded * 1.44269504f + rounder;
  const float n = shifted - rounder;

  // ln 2 in two parts; n times the first is exact.
  const float high = bounded - n * 0.693359375f;
  const float r = high + n * 2.12194440e-4f;
  float series = 1.0f / 5040.0f;
  series = series * r + 1.0f / 720.0f;
  series = series * r + 1.0f / 120.0f;
  series = series * r + 1.0f / 24.0f;
  series = series * r + 1.0f / 6.0f;
  series = series * r + 0.5f;
  series = series * r + 1.0f;
  series = series * r + 1.0f;

  // 2^n in two factors: n goes from -150 to 128, which one exponent cannot hold.
  const int32_t power = (int32_t)(fov_bits_from_float(shifted) - fov_bits_from_float(rounder));
  const int32_t half = power >> 1;
  const int32_t rest = power - half;
  return series * fov_float_from_bits((uint32_t)(half + 127) << 23) *
         fov_float_from_bits((uint32_t)(rest + 127) << 23);
}

// e^x for -87 <= x <= 88, where results are normal numbers: half the work. Relative error below
// 2e-7. NaN gives NaN. Beyond the range, the result may be any number.
//
// The polynomial has the least relative error on |r| <= ln(2) / 2 among those of degree 5 that are
// 1 at 0, which is 9.4e-8. Products are fused with sums on every processor, so that all kernels
// give the same bits.
static inline float fov_exponential_normal(float x) {
  // 1.5 * 2^23 + 127: the low bits of the sum are the exponent field of 2^n.
  const float rounder = 12583039.0f;
  const float shifted = fov_fused(x, 1.44269504f, rounder);
  const float n = shifted - rounder;
  const float r = fov_fused(n, 2.12194440e-4f, fov_fused(n, -0.693359375f, x));
  float series = 0.00829014368f;
  series = fov_fused(series, r, 0.0418988504f);
  series = fov_fused(series, r, 0.166676447f);
  series = fov_fused(series, r, 0.499991417f);
  series = fov_fused(series, r, 0.999999702f);
  series = fov_fused(series, r, 1.0f);
  return series * fov_float_from_bits(fov_bits_from_float(shifted) << 23);
}

#endif

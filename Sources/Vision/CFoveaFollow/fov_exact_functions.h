// Fovea - exponential, logarithm, sine and cosine that are the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_EXACT_FUNCTIONS_H
#define FOV_EXACT_FUNCTIONS_H

#include <math.h>

#include "fov_lanes.h"

// Libraries of the system differ in the last bits. Series in double precision, with every operation
// rounded once, do not; rounded to float they are as exact.

// e^x for |x| < 80.
FOV_INLINE float fov_exp(float x) {
  const double whole = floor((double)x * 1.4426950408889634 + 0.5);
  const double r = (double)x - whole * 0.6931471805599453;
  double sum = 1;
  for (int k = 11; k > 0; k--) sum = 1 + sum * r / k;
  return (float)ldexp(sum, (int)whole);
}

// The natural logarithm of x > 0.
FOV_INLINE float fov_log(float x) {
  int exponent;
  double m = frexp((double)x, &exponent);
  if (m < 0.7071067811865476) {
    m *= 2;
    exponent--;
  }
  const double t = (m - 1) / (m + 1), square = t * t;
  double sum = 0;
  for (int k = 17; k > 0; k -= 2) sum = sum * square + 1.0 / k;
  return (float)(2 * t * sum + exponent * 0.6931471805599453);
}

// For |x| < 1000.
FOV_INLINE void fov_sine_cosine(double x, float *out_sine, float *out_cosine) {
  const double turns = floor(x * 0.6366197723675814 + 0.5);
  const double r = x - turns * 1.5707963267948966, square = r * r;
  double s = 1, c = 1;
  for (int k = 14; k > 0; k -= 2) {
    s = 1 - s * square / (k * (k + 1));
    c = 1 - c * square / (k * (k - 1));
  }
  s *= r;
  const int quarter = (int)turns & 3;
  const double sine = quarter & 1 ? c : s, cosine = quarter & 1 ? s : c;
  *out_sine = (float)(quarter & 2 ? -sine : sine);
  *out_cosine = (float)(quarter == 1 || quarter == 2 ? -cosine : cosine);
}

#endif

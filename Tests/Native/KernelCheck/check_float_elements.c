// Fovea - float kernels over neighboring elements against arithmetic in double.
// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_float.h"
#include "check_float_data.h"
#include "kernel_check.h"
#include "kernels/float/fov_exponential.h"
#include "kernels/float/fov_float_sets.h"
#include "kernels/float/fov_logistic.h"

static bool check_equal(const char *kernel, const float *result, const float *expected,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (memcmp(&result[i], &expected[i], sizeof(float)) == 0) continue;
    fprintf(stderr, "%s: element %zu of %zu is %.9g, not %.9g\n", kernel, i, count,
            (double)result[i], (double)expected[i]);
    return false;
  }
  return true;
}

// Maxima and sums are rounded at most once, and have the same bits in all sets. A sum that is NaN
// stays NaN. A maximum ignores NaN in `a`. Two elements behind the last do not change.
static bool check_maximum_and_add(const fov_float_kernels *kernels, uint64_t *state) {
  const size_t count = check_random_size(state, 0, 70), guarded = count + 2;
  float *a = check_floats_random(state, count, false);
  float *b = check_floats_random(state, count, false);
  float *maximum = check_floats_guarded(guarded), *sum = check_floats_guarded(guarded);
  float *right_maximum = check_floats_guarded(guarded), *right_sum = check_floats_guarded(guarded);
  const float lowest = -0.5f, highest = check_random(state) % 2 ? 0.5f : INFINITY;
  for (size_t i = 0; i < count; i++) {
    if (check_random(state) % 8 == 0) *(check_random(state) % 2 ? &a[i] : &b[i]) = NAN;
    const float both = a[i] + b[i], bounded = lowest > both ? lowest : both;
    maximum[i] = b[i];
    right_maximum[i] = a[i] > b[i] ? a[i] : b[i];
    right_sum[i] = highest < bounded ? highest : bounded;
  }
  kernels->maximum(a, maximum, count);
  kernels->add(a, b, lowest, highest, sum, count);
  const bool right = check_equal("maximum", maximum, right_maximum, guarded) &&
                     check_equal("add", sum, right_sum, guarded);
  free(a);
  free(b);
  free(maximum);
  free(sum);
  free(right_maximum);
  free(right_sum);
  return right;
}

static bool check_range(const fov_float_kernels *kernels, uint64_t *state) {
  const size_t count = check_random_size(state, 0, 150);
  float *x = check_floats_random(state, count, false);
  float low = check_random_float(state, false), high = low + 0.25f;
  float expected[2] = {low, high}, result[2] = {low, high};
  for (size_t i = 0; i < count; i++) {
    if (check_random(state) % 8 == 0) x[i] = NAN;
    if (x[i] < expected[0]) expected[0] = x[i];
    if (x[i] > expected[1]) expected[1] = x[i];
  }
  kernels->range(x, count, &result[0], &result[1]);
  free(x);
  return check_equal("range", result, expected, 2);
}

// The bits of the function for all widths of vectors, in place or not.
static bool check_logistic(const fov_float_kernels *kernels, uint64_t *state) {
  const size_t count = check_random_size(state, 0, 100), guarded = count + 2;
  const float numerator = check_random_float(state, false);
  const bool in_place = check_random(state) % 2;
  bool keeps_nan = true;
  float *x = check_floats_guarded(guarded), *out = check_floats_guarded(guarded);
  float *expected = check_floats_guarded(guarded);
  for (size_t i = 0; i < count; i++) {
    const uint64_t kind = check_random(state) % 16;
    x[i] = kind == 0   ? -INFINITY
           : kind == 1 ? INFINITY
           : kind == 2 ? NAN
                       : 40 * check_random_float(state, false);
    expected[i] = fov_logistic(x[i], numerator);
    keeps_nan &= isnan(x[i]) == isnan(expected[i]);
  }
  kernels->logistic(x, numerator, in_place ? x : out, count);
  const bool right = keeps_nan && check_equal("logistic", in_place ? x : out, expected, guarded);
  free(x);
  free(out);
  free(expected);
  return right;
}

// The softmax of elements that are `pitch` apart, in doubles but for the differences.
static void softmax_in_doubles(const float *x, size_t size, size_t pitch, double *out) {
  float largest = -INFINITY;
  double sum = 0.0;
  for (size_t i = 0; i < size; i++) largest = fmaxf(largest, x[i * pitch]);
  for (size_t i = 0; i < size; i++) sum += exp((double)(x[i * pitch] - largest));
  for (size_t i = 0; i < size; i++) out[i] = exp((double)(x[i * pitch] - largest)) / sum;
}

// How far a softmax may be from the exact one, relative to it. The exponential errs by up to 2e-7
// (check_curves), above and below the fraction line. Each sum and the division round once more.
static double softmax_bound(size_t size) { return 2.0 * 2e-7 + (double)size * 0x1p-24; }

// Along rows and columns, in place or not: near the function, and the bits of the scalar set.
static bool check_softmax(const fov_float_kernels *kernels, uint64_t *state) {
  const bool is_row = check_random(state) % 2, in_place = check_random(state) % 2;
  const size_t size = check_random_size(state, 1, is_row ? 200 : 20);
  const size_t columns = is_row ? 1 : check_random_size(state, 1, FOV_SOFTMAX_COLUMNS);
  const size_t pitch = is_row ? 1 : columns + check_random_size(state, 0, 3);
  const size_t count = size * pitch;
  float *x = check_floats_random(state, count, false), *y = check_floats_guarded(count);
  float *expected = check_floats_guarded(count);
  double *exact = check_allocate(size * sizeof *exact);
  bool right = true;
  for (size_t i = 0; i < count; i++) x[i] *= 20.0f;
  for (size_t i = 0; i < count && in_place; i++) y[i] = expected[i] = x[i];
  const float *in = in_place ? y : x, *scalar_in = in_place ? expected : x;
  if (is_row) {
    kernels->softmax_row(in, y, size);
    fov_float_kernels_scalar.softmax_row(scalar_in, expected, size);
  } else {
    kernels->softmax_columns(in, y, size, pitch, columns);
    fov_float_kernels_scalar.softmax_columns(scalar_in, expected, size, pitch, columns);
  }
  for (size_t j = 0; j < columns; j++) {
    softmax_in_doubles(x + j, size, pitch, exact);
    for (size_t i = 0; i < size; i++) {
      right &= fabs(y[i * pitch + j] - exact[i]) <= softmax_bound(size) * exact[i] + 1e-37;
    }
  }
  if (!right) printf("softmax of %zu elements in %zu columns is far from exact\n", size, columns);
  right &= check_equal("softmax", y, expected, count);
  free(x);
  free(y);
  free(expected);
  free(exact);
  return right;
}

// The bits of the functions for all shapes, in place or not, with a residual or not. Elements
// between the pixels do not change.
static bool check_finish(const fov_float_kernels *kernels, uint64_t *state) {
  const size_t pixels = check_random_size(state, 1, 5), channels = check_random_size(state, 1, 70);
  const size_t pixel = channels + check_random_size(state, 0, 5), count = pixels * pixel;
  const bool in_place = check_random(state) % 2, adds = check_random(state) % 2;
  float *sums = check_floats_guarded(count), *out = check_floats_guarded(count);
  float *residual = check_floats_random(state, count, false);
  float *expected = check_floats_guarded(count);
  const fov_float_curve curve = (fov_float_curve)(1 + check_random(state) % 4);
  const float alpha = 0.16f, least = check_random(state) % 2 ? -3.0f : -INFINITY;
  for (size_t i = 0; i < count; i++) {
    if (i % pixel >= channels) continue;
    const uint64_t kind = check_random(state) % 16;
    sums[i] = kind == 0   ? -INFINITY
              : kind == 1 ? INFINITY
                          : (kind == 2 ? 400 : 40) * check_random_float(state, false);
    const float x = sums[i];
    float y = fov_logistic(x, curve == fov_float_curve_silu ? x : 1.0f);
    if (curve == fov_float_curve_hard_silu) y = x * fminf(fmaxf(alpha * x + 0.5f, 0.0f), 1.0f);
    const float bound = curve == fov_float_curve_hard_silu ? least : -87.0f;
    if (x < bound) y = 0.0f;
    if (curve == fov_float_curve_gelu) y = fov_gelu(x);
    expected[i] = y + (adds ? residual[i] : 0.0f);
  }
  const fov_float_finish finish = {
      .curve = curve,
      .alpha = alpha,
      .least = least,
      .sums = sums,
      .results = in_place ? sums : out,
      .pixel = (ptrdiff_t)pixel,
      .residual = adds ? residual : NULL,
      .residual_pixel = (ptrdiff_t)pixel,
      .pixels = pixels,
      .channels = channels,
  };
  kernels->finish(&finish);
  const bool right = check_equal("finish", finish.results, expected, count);
  free(sums);
  free(out);
  free(residual);
  free(expected);
  return right;
}

static bool check_transpose(const fov_float_kernels *kernels, uint64_t *state) {
  const size_t rows = check_random_size(state, 1, 37), columns = check_random_size(state, 1, 37);
  const size_t in_stride = columns + check_random_size(state, 0, 5);
  const size_t out_stride = rows + check_random_size(state, 0, 5);
  float *in = check_floats_random(state, (rows - 1) * in_stride + columns, false);
  float *out = check_floats_guarded(columns * out_stride);
  float *expected = check_floats_guarded(columns * out_stride);
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < columns; c++) expected[c * out_stride + r] = in[r * in_stride + c];
  }
  kernels->transpose(in, in_stride, rows, columns, out, out_stride);
  const bool right = check_equal("transpose", out, expected, columns * out_stride);
  free(in);
  free(out);
  free(expected);
  return right;
}

// MARK: Exponentials of operations

// Relative error below 2 units in the last place of 1; a subnormal result is off by at most one of
// the smallest numbers. Results next to the largest number may be infinite.
static bool check_function_value(const char *name, float x, float result, double expected) {
  bool right;
  if (isnan(expected)) {
    right = isnan(result);
  } else if (expected > (double)FLT_MAX * (1 + 0x1p-22)) {
    right = isinf(result) && result > 0;
  } else if (expected > (double)FLT_MAX * (1 - 0x1p-22) && isinf(result)) {
    right = result > 0;
  } else {
    right = fabs((double)result - expected) <= 2 * 0x1p-23 * expected + 0x1p-149;
  }
  if (!right) {
    fprintf(stderr, "%s(%.9g) is %.9g, not %.9g\n", name, (double)x, (double)result, expected);
  }
  return right;
}

// Every exponent and sign, infinities, NaN, zeros and subnormal numbers; the edges where results
// become subnormal, zero or infinite; and the middle of the range densely.
static bool check_exponential(void) {
  enum { patterns = 1 << 18, dense = 1 << 17 };
  static const float special[] = {0.0f,      -0.0f,     INFINITY, -INFINITY,  NAN,       -NAN,
                                  FLT_MAX,   -FLT_MAX,  FLT_MIN,  -FLT_MIN,   1e-45f,    -1e-45f,
                                  88.72283f, 88.72284f, 88.7229f, -87.33654f, -87.3366f, -103.972f,
                                  -103.973f, -104.0f,   -104.5f,  89.0f,      -89.0f,    1000.0f,
                                  -1000.0f,  16.63553f, 0.5f,     -0.5f,      0.3465736f};
  const size_t specials = sizeof special / sizeof *special, count = specials + patterns + dense;
  float *x = check_floats_zero(count);
  memcpy(x, special, sizeof special);
  for (uint32_t i = 0; i < patterns; i++) {
    const uint32_t bits = i * 16363u;  // odd: all sizes of the 32 bits, evenly
    memcpy(&x[specials + i], &bits, sizeof bits);
  }
  for (uint32_t i = 0; i < dense; i++)
    x[specials + patterns + i] = -110.0f + 200.0f * (float)i / (float)dense;
  bool right = true;
  for (size_t i = 0; i < count && right; i++) {
    right = check_function_value("exponential", x[i], fov_exponential(x[i]), exp((double)x[i]));
  }
  free(x);
  return right;
}

// The scalar form, with floats of all bit patterns: one rounding, as the C library says.
static bool check_fused(uint64_t *state) {
  for (int i = 0; i < 50000; i++) {
    float x[3];
    for (int j = 0; j < 3; j++) {
      const uint32_t bits = (uint32_t)(check_random(state) >> 16);
      memcpy(&x[j], &bits, sizeof bits);
    }
    // Sums that nearly vanish, and such that lie near the middle between two floats.
    if (i % 4 == 0) x[2] = -(x[0] * x[1]) * (1.0f + (float)(i % 5 - 2) * 0x1p-23f);
    if (i % 4 == 1) x[2] = x[0] * x[1] * 0x1p24f;
    if (i % 4 == 2) x[2] = 0x1p-149f * (float)(i % 7);
    const float expected = fmaf(x[0], x[1], x[2]), result = fov_fused(x[0], x[1], x[2]);
    if (isnan(expected) && isnan(result)) continue;
    if (memcmp(&expected, &result, sizeof result) == 0) continue;
    printf("%a * %a + %a is %a instead of %a\n", x[0], x[1], x[2], result, expected);
    return false;
  }
  return true;
}

// e^x and the sigmoid near the exact functions, over all x that give normal numbers.
static bool check_curves(void) {
  for (int i = 0; i <= 350000; i++) {
    const float x = -87.0f + (float)i * 5e-4f;
    const double power = exp((double)x), sigmoid = 1.0 / (1.0 + exp(-(double)x));
    if (fabs(fov_exponential_normal(x) / power - 1.0) > 2e-7 ||
        fabs(fov_logistic(x, 1.0f) / sigmoid - 1.0) > 2.5e-7) {
      printf("e^x or the sigmoid of %a is far from exact\n", x);
      return false;
    }
  }
  return true;
}

bool check_float_elements(const fov_float_kernels *kernels, uint64_t seed, int count) {
  uint64_t state = seed;
  if (!check_exponential() || !check_fused(&state) || !check_curves()) return false;
  for (int i = 0; i < count; i++) {
    if (!check_maximum_and_add(kernels, &state) || !check_range(kernels, &state) ||
        !check_logistic(kernels, &state) || !check_finish(kernels, &state) ||
        !check_softmax(kernels, &state) || !check_transpose(kernels, &state)) {
      return false;
    }
  }
  return true;
}

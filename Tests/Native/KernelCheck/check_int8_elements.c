// Fovea - 8-bit operations on runs of elements, compared with their definitions.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel_check.h"

#define MOST 200
#define GUARDED (MOST + 64)

typedef struct runs {
  size_t count, begin;
  uint8_t a[GUARDED], b[GUARDED], table[256];
  float x[GUARDED], factors[2], bias;
  uint8_t lowest, highest;
} runs;

static void choose(chance *chance, runs *r) {
  r->count = chance_below(chance, MOST + 1);
  r->begin = chance_below(chance, 32);
  for (size_t i = 0; i < GUARDED; i++) {
    r->a[i] = (uint8_t)chance_bits(chance);
    r->b[i] = (uint8_t)chance_bits(chance);
    r->x[i] = chance_float(chance, -50.0f, 50.0f);
    if (chance_below(chance, 8) == 0) r->x[i] = (float)chance_below(chance, 64) * 0.5f;
  }
  const float extremes[] = {INFINITY, -INFINITY, NAN, 3.4e38f, -3.4e38f, 1e-42f, -0.0f};
  for (size_t i = 0; i < 7; i++) r->x[chance_below(chance, GUARDED)] = extremes[i];
  for (size_t i = 0; i < 256; i++) r->table[i] = (uint8_t)chance_bits(chance);
  const bool halves = chance_below(chance, 3) == 0;
  r->factors[0] = halves ? 0.5f : chance_float(chance, -2.0f, 2.0f);
  r->factors[1] = halves ? 0.5f : chance_float(chance, 0.1f, 5.0f);
  r->bias = halves ? 0.0f : chance_float(chance, -20.0f, 150.0f);
  r->lowest = (uint8_t)chance_below(chance, 100);
  r->highest = (uint8_t)chance_between(chance, 100, 255);
}

static float bounded(float v, float lowest, float highest) {
  return v > lowest ? (v < highest ? v : highest) : lowest;
}

static size_t compare(const char *set, const char *kernel, const void *a, const void *b,
                      size_t bytes) {
  if (memcmp(a, b, bytes) == 0) return 0;
  printf("KernelCheck: %s: %s differs\n", set, kernel);
  return 1;
}

// Some channels of some pixels, in place or from the bytes of `a`.
static size_t check_look_up(fov_look_up_kernel look_up, const char *name, const runs *r,
                            chance *chance) {
  uint8_t out[GUARDED], expected[GUARDED];
  memcpy(out, r->b, GUARDED);
  memcpy(expected, r->b, GUARDED);
  const size_t channels = chance_between(chance, 1, chance_below(chance, 2) ? 20 : MOST);
  const bool dense = chance_below(chance, 2) != 0;
  const size_t result_pixel = channels + (dense ? 0 : chance_below(chance, 20));
  const bool in_place = chance_below(chance, 2) != 0;
  const size_t pixel = in_place || dense ? result_pixel : channels + chance_below(chance, 20);
  const size_t widest = pixel > result_pixel ? pixel : result_pixel;
  const fov_look_up job = {
      .codes = in_place ? out + r->begin : r->a + r->begin,
      .results = out + r->begin,
      .pixel = (ptrdiff_t)pixel,
      .result_pixel = (ptrdiff_t)result_pixel,
      .pixels = chance_below(chance, (GUARDED - r->begin - channels) / widest + 2),
      .channels = channels,
      .table = r->table,
  };
  for (size_t i = 0; i < job.pixels * channels; i++) {
    const size_t p = i / channels, c = i % channels;
    const uint8_t *codes = (in_place ? r->b : r->a) + r->begin;
    expected[r->begin + p * result_pixel + c] = r->table[codes[p * pixel + c]];
  }
  look_up(&job);
  return compare(name, "look_up", out, expected, GUARDED);
}

// Results in bytes; each kernel once.
static size_t check_codes(const fov_int8_kernels *kernels, const char *name, const runs *r) {
  uint8_t out[GUARDED], expected[GUARDED];
  const size_t begin = r->begin, n = r->count;
  size_t differences = 0;
  memcpy(out, r->b, GUARDED);
  memcpy(expected, r->b, GUARDED);
  kernels->maximum(r->a + 1, out + begin, n);
  for (size_t i = 0; i < n; i++) {
    if (r->a[1 + i] > expected[begin + i]) expected[begin + i] = r->a[1 + i];
  }
  differences += compare(name, "maximum", out, expected, GUARDED);

  memset(out, GUARD_BYTE, GUARDED);
  memset(expected, GUARD_BYTE, GUARDED);
  const float zero = r->table[0] < 128 ? (float)r->table[1] : 0.0f;
  kernels->add(r->a + begin, r->b + 3, r->factors[0], r->factors[1], r->bias, zero, r->lowest,
               r->highest, out + begin, n);
  for (size_t i = 0; i < n; i++) {
    const float v = fmaf(r->b[3 + i], r->factors[1], fmaf(r->a[begin + i], r->factors[0], r->bias));
    expected[begin + i] = (uint8_t)bounded(nearbyintf(v) + zero, r->lowest, r->highest);
  }
  differences += compare(name, "add", out, expected, GUARDED);

  memset(out, GUARD_BYTE, GUARDED);
  memset(expected, GUARD_BYTE, GUARDED);
  kernels->scale_channels(r->a + begin, r->x + 3, r->x + 20, out + begin, n);
  for (size_t i = 0; i < n; i++) {
    const float v = fmaf(r->a[begin + i], r->x[3 + i], r->x[20 + i]);
    expected[begin + i] = (uint8_t)bounded(nearbyintf(v), 0.0f, 255.0f);
  }
  differences += compare(name, "scale_channels", out, expected, GUARDED);

  memset(out, GUARD_BYTE, GUARDED);
  memset(expected, GUARD_BYTE, GUARDED);
  kernels->quantize(r->x + begin, r->factors[1], r->bias, out + begin, n);
  for (size_t i = 0; i < n; i++) {
    const float v = fmaf(r->x[begin + i], r->factors[1], r->bias);
    expected[begin + i] = (uint8_t)bounded(nearbyintf(v), 0.0f, 255.0f);
  }
  differences += compare(name, "quantize", out, expected, GUARDED);

  memset(out, GUARD_BYTE, GUARDED);
  memset(expected, GUARD_BYTE, GUARDED);
  kernels->quantize_channels(r->x + begin, r->factors[1], r->b + 7, out + begin, n);
  for (size_t i = 0; i < n; i++) {
    const float v = fmaf(r->x[begin + i], r->factors[1], (float)r->b[7 + i]);
    expected[begin + i] = (uint8_t)bounded(nearbyintf(v), 0.0f, 255.0f);
  }
  return differences + compare(name, "quantize_channels", out, expected, GUARDED);
}

static size_t check_floats(const fov_int8_kernels *kernels, const char *name, const runs *r) {
  float out[GUARDED], expected[GUARDED];
  memset(out, GUARD_BYTE, sizeof out);
  memset(expected, GUARD_BYTE, sizeof expected);
  kernels->dequantize(r->a + 5, r->factors[0], r->bias, out + r->begin, r->count);
  for (size_t i = 0; i < r->count; i++) {
    expected[r->begin + i] = fmaf(r->a[5 + i], r->factors[0], r->bias);
  }
  const size_t differences = compare(name, "dequantize", out, expected, sizeof out);

  memset(out, GUARD_BYTE, sizeof out);
  memset(expected, GUARD_BYTE, sizeof expected);
  kernels->dequantize_channels(r->a + 5, r->factors[0], r->b + 9, out + r->begin, r->count);
  for (size_t i = 0; i < r->count; i++) {
    const float bias = -(float)r->b[9 + i] * r->factors[0];
    expected[r->begin + i] = fmaf(r->a[5 + i], r->factors[0], bias);
  }
  return differences + compare(name, "dequantize_channels", out, expected, sizeof out);
}

static size_t check_int16(const fov_int16_kernels *kernels, const char *name, const runs *r) {
  int16_t out[GUARDED], expected[GUARDED];
  const float scale = r->factors[1] * 40.0f;  // some beyond the largest 16-bit integer
  memset(out, GUARD_BYTE, sizeof out);
  memset(expected, GUARD_BYTE, sizeof expected);
  kernels->quantize(r->x + r->begin, scale, out + r->begin, r->count);
  for (size_t i = 0; i < r->count; i++) {
    const float v = r->x[r->begin + i] * scale;
    expected[r->begin + i] = (int16_t)bounded(nearbyintf(v), -FOV_LARGEST_INT16, FOV_LARGEST_INT16);
  }
  return compare(name, "quantize of int16", out, expected, sizeof out);
}

// Codes behind a curve, as the plain C set computes them: each step is rounded once in both.
static size_t check_curve(const fov_int8_kernels *kernels, const char *name, const runs *r,
                          chance *chance) {
  const fov_int8_kernels *plain = fov_kernel_set_find(fov_instruction_set_scalar)->int8;
  uint8_t out[GUARDED], expected[GUARDED];
  memset(out, GUARD_BYTE, sizeof out);
  memset(expected, GUARD_BYTE, sizeof expected);
  const size_t channels = chance_between(chance, 1, 70);
  const size_t values = (channels + FOV_PANEL - 1) / FOV_PANEL * FOV_PANEL;
  const size_t pixel = channels + (chance_below(chance, 2) ? 0 : chance_below(chance, 9));
  const fov_float_curve curves[] = {fov_float_curve_silu, fov_float_curve_sigmoid,
                                    fov_float_curve_hard_silu, fov_float_curve_gelu};
  fov_int8_curve job = {
      .curve = curves[chance_below(chance, 4)],
      .alpha = 1.0f / 6.0f,
      .least = -3.0f,
      .values = r->x,
      .value_pixel = values,
      .inverse_scale = r->factors[1],
      .factors = chance_below(chance, 2) ? r->x + GUARDED - 70 : NULL,
      .offsets = chance_below(chance, 2) ? r->x + GUARDED - 140 : NULL,
      .zero_points = chance_below(chance, 2) ? r->b : NULL,
      .zero_point = (float)r->table[0],
      .output = out + r->begin,
      .output_pixel = (ptrdiff_t)pixel,
      .pixels = chance_below(chance, (GUARDED - 40) / values + 1),
      .channels = channels,
  };
  kernels->curve(&job);
  job.output = expected + r->begin;
  plain->curve(&job);
  return compare(name, "curve", out, expected, GUARDED);
}

check_result check_int8_elements(const fov_kernel_set *set, size_t count, uint64_t seed) {
  chance chance = {seed};
  check_result result = {9 * count, 0};
  const char *name = fov_instruction_set_name(set->instruction_set);
  for (size_t i = 0; i < count; i++) {
    runs r;
    choose(&chance, &r);
    result.differences += check_codes(set->int8, name, &r) + check_floats(set->int8, name, &r) +
                          check_int16(set->int16, name, &r) +
                          check_curve(set->int8, name, &r, &chance) +
                          check_look_up(set->look_up, name, &r, &chance);
  }
  return result;
}

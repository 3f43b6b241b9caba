// Fovea - sampling kernels of one set against their formulas.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_check.h"

// The formulas once more, for one sample at a time. No operations may be fused.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define MOST_SAMPLES 700
#define MOST_TAPS 64

// MARK: Bilinear

typedef struct bilinear_case {
  uint8_t bytes[2][2][MOST_SAMPLES + FOV_SAMPLING_SLACK];  // [row][first, second]
  double weights[MOST_SAMPLES + FOV_SAMPLING_SLACK];
  float near_weights[MOST_SAMPLES + FOV_SAMPLING_SLACK];
  fov_bilinear_run run;
} bilinear_case;

static double mix(double low, double high, double weight) {
  return low * (1 - weight) + high * weight;
}

static double expected_sum(const bilinear_case *c, size_t i) {
  const double a = c->bytes[0][0][i], b = c->bytes[0][1][i];
  const double d = c->bytes[1][0][i], e = c->bytes[1][1][i];
  const double w = c->weights[i], v = c->run.row_weight;
  if (c->run.rows_first) return mix(mix(a, d, v), mix(b, e, v), w);
  return mix(mix(a, b, w), mix(d, e, w), v);
}

// Fractions of a small denominator make ties. With 256, floats hold the weights. Others are random.
static double random_weight(chance *chance, size_t denominator) {
  if (denominator == 0) {
    const double upper = chance_bits(chance), lower = chance_bits(chance);
    return (upper * 0x1p32 + lower) * 0x1p-64;
  }
  return (double)chance_below(chance, denominator + 1) / (double)denominator;
}

static void make_bilinear(bilinear_case *c, size_t count, chance *chance) {
  static const size_t denominators[] = {0, 0, 2, 10, 26, 104, 208, 256, 1000};
  const size_t denominator = denominators[chance_below(chance, 9)];
  const bool extremes = chance_below(chance, 4) == 0;
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 4; k++) {
      const uint8_t byte = (uint8_t)chance_bits(chance);
      c->bytes[k / 2][k % 2][i] = extremes ? (byte & 1 ? 255 : 0) : byte;
    }
    c->weights[i] = random_weight(chance, denominator);
    c->near_weights[i] = (float)c->weights[i];
  }
  c->run = (fov_bilinear_run){
      .first = {c->bytes[0][0], c->bytes[1][0]},
      .second = {c->bytes[0][1], c->bytes[1][1]},
      .weights = c->weights,
      .near_weights = c->near_weights,
      .row_weight = random_weight(chance, denominator),
      .is_coarse = denominator == 2 || denominator == 256,
      .rows_first = chance_below(chance, 2) == 0,
  };
}

static size_t check_bilinear(const fov_sampling_kernels *kernels, size_t count, chance *chance) {
  bilinear_case *c = check_allocate(sizeof *c);
  make_bilinear(c, count, chance);
  uint8_t *floats = check_allocate(count + 1), *doubles = check_allocate(count + 1);
  double *sums = check_allocate((count + FOV_SAMPLING_SLACK) * sizeof *sums);
  floats[count] = doubles[count] = GUARD_BYTE;
  kernels->bilinear(&c->run, count, floats);
  kernels->bilinear_exact(&c->run, count, doubles);
  kernels->bilinear_sums(&c->run, count, sums);
  size_t differences = (floats[count] != GUARD_BYTE) + (doubles[count] != GUARD_BYTE);
  for (size_t i = 0; i < count; i++) {
    const double expected = expected_sum(c, i);
    const uint8_t byte = (uint8_t)floor(expected + 0.5);
    differences += floats[i] != byte || doubles[i] != byte || sums[i] != expected;
  }
  free(c);
  free(floats);
  free(doubles);
  free(sums);
  return differences;
}

// MARK: Area

// Weights that sum to 2^15.
static void make_weights(int16_t *weights, size_t taps, chance *chance) {
  int32_t left = 1 << FOV_AREA_WEIGHT_BITS;
  for (size_t k = 0; k < taps; k++) {
    const int32_t weight = k + 1 == taps ? left : (int32_t)chance_below(chance, (size_t)left + 1);
    weights[k] = (int16_t)(weight > INT16_MAX ? INT16_MAX : weight);
    left -= weight;
  }
}

// Rows end where their memory ends, so that the address sanitizer finds reads behind them.
static size_t check_area_rows(const fov_sampling_kernels *kernels, size_t count, chance *chance) {
  const size_t taps = 2 * chance_between(chance, 1, MOST_TAPS / 2);
  uint8_t *rows[MOST_TAPS];
  int16_t weights[MOST_TAPS], out[MOST_SAMPLES + FOV_SAMPLING_SLACK];
  make_weights(weights, taps, chance);
  for (size_t k = 0; k < taps; k++) {
    rows[k] = malloc(count);
    if (rows[k] == NULL) exit(1);
    for (size_t i = 0; i < count; i++) rows[k][i] = (uint8_t)chance_bits(chance);
  }
  kernels->area_rows((const uint8_t *const *)rows, weights, taps, count, out);
  size_t differences = 0;
  for (size_t i = 0; i < count; i++) {
    int64_t sum = 1 << 7;
    for (size_t k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
    differences += out[i] != sum / 256;
  }
  for (size_t k = 0; k < taps; k++) free(rows[k]);
  return differences;
}

static size_t check_area_columns(const fov_sampling_kernels *kernels, size_t count,
                                 chance *chance) {
  enum { pixels = 100 };
  const size_t channels = chance_below(chance, 2) == 0 ? 1 : 3;
  const size_t taps =
      channels == 1 ? 8 * chance_between(chance, 1, 3) : 2 * chance_between(chance, 1, 12);
  int16_t levels[3 * pixels + 3 * MOST_TAPS + FOV_SAMPLING_SLACK];
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
    levels[i] = (int16_t)chance_below(chance, 255 * 128 + 1);
  }
  uint16_t *starts = check_allocate(count * sizeof *starts);
  int16_t *weights = check_allocate(count * taps * sizeof *weights);
  int16_t *out = check_allocate((3 * count + FOV_SAMPLING_SLACK) * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    starts[i] = (uint16_t)chance_below(chance, pixels);
    make_weights(weights + i * taps, taps, chance);
  }
  const fov_area_columns columns = {starts, weights, taps, count, channels};
  kernels->area_columns(&columns, levels, out);
  size_t differences = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < channels; c++) {
      int64_t sum = 1 << 14;
      for (size_t k = 0; k < taps; k++) {
        sum += weights[i * taps + k] * levels[(starts[i] + k) * channels + c];
      }
      differences += out[i * channels + c] != sum / 32768;
    }
  }
  free(starts);
  free(weights);
  free(out);
  return differences;
}

// MARK: Pairs

// The last window ends where the row's memory ends.
static size_t check_pairs(const fov_sampling_kernels *kernels, size_t count, chance *chance) {
  const size_t bytes = chance_between(chance, FOV_WINDOW_BYTES, 2000);
  uint8_t *row = malloc(bytes), *left = check_allocate(8 * count + FOV_SAMPLING_SLACK);
  uint8_t *right = check_allocate(8 * count + FOV_SAMPLING_SLACK);
  fov_sample_window *windows = check_allocate(count * sizeof *windows);
  if (row == NULL) exit(1);
  for (size_t i = 0; i < bytes; i++) row[i] = (uint8_t)chance_bits(chance);
  for (size_t i = 0; i < count; i++) {
    windows[i].begin = chance_below(chance, bytes - FOV_WINDOW_BYTES + 1);
    windows[i].count = chance_between(chance, 1, 8);
    for (int k = 0; k < 8; k++) {
      windows[i].left[k] = (uint8_t)chance_below(chance, FOV_WINDOW_BYTES);
      windows[i].right[k] = (uint8_t)chance_below(chance, FOV_WINDOW_BYTES);
    }
  }
  kernels->pairs(row, windows, count, left, right);
  size_t differences = 0, done = 0;
  for (size_t i = 0; i < count; i++) {
    const fov_sample_window *window = &windows[i];
    for (size_t k = 0; k < window->count; k++, done++) {
      differences += left[done] != row[window->begin + window->left[k]] ||
                     right[done] != row[window->begin + window->right[k]];
    }
  }
  free(row);
  free(left);
  free(right);
  free(windows);
  return differences;
}

// MARK: Colors

static uint8_t kept_in_byte(double x) {
  const double whole = floor(x / 65536 + 0.5);
  return (uint8_t)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
}

static size_t check_colors(const fov_sampling_kernels *kernels, size_t count, chance *chance) {
  const fov_yuv_matrix m = {
      .black = (int32_t)chance_below(chance, 17),
      .luma = (int32_t)chance_between(chance, 60000, 80000),
      .red_v = (int32_t)chance_between(chance, 90000, 120000),
      .green_u = -(int32_t)chance_between(chance, 10000, 30000),
      .green_v = -(int32_t)chance_between(chance, 30000, 60000),
      .blue_u = (int32_t)chance_between(chance, 110000, 140000),
  };
  uint8_t yuv[3][MOST_SAMPLES + FOV_SAMPLING_SLACK], rgb[3 * MOST_SAMPLES + 1];
  uint8_t colors[3][MOST_SAMPLES + FOV_SAMPLING_SLACK];
  const fov_color_planes planes = {colors[0], colors[1], colors[2]};
  for (size_t i = 0; i < MOST_SAMPLES + FOV_SAMPLING_SLACK; i++) {
    for (int plane = 0; plane < 3; plane++) yuv[plane][i] = (uint8_t)chance_bits(chance);
  }
  kernels->colors(&m, yuv[0], yuv[1], yuv[2], count, &planes);
  rgb[3 * count] = GUARD_BYTE;
  kernels->interleave(&planes, count, rgb);
  size_t differences = rgb[3 * count] != GUARD_BYTE;
  for (size_t i = 0; i < count; i++) {
    const double y = (double)m.luma * (yuv[0][i] - m.black), u = yuv[1][i] - 128.0;
    const double v = yuv[2][i] - 128.0;
    differences += rgb[3 * i] != kept_in_byte(y + m.red_v * v) ||
                   rgb[3 * i + 1] != kept_in_byte(y + m.green_u * u + m.green_v * v) ||
                   rgb[3 * i + 2] != kept_in_byte(y + m.blue_u * u);
  }
  return differences;
}

// MARK: All

check_result check_sampling(const fov_kernel_set *set, size_t count, uint64_t seed) {
  const fov_sampling_kernels *kernels = set->sampling;
  check_result result = {0, 0};
  chance chance = {seed};
  for (size_t i = 0; i < count; i++) {
    const size_t samples = chance_between(&chance, 1, chance_below(&chance, 3) ? 80 : MOST_SAMPLES);
    result.differences += check_bilinear(kernels, samples, &chance);
    result.differences += check_area_rows(kernels, samples, &chance);
    result.differences += check_area_columns(kernels, samples, &chance);
    result.differences += check_pairs(kernels, samples, &chance);
    result.differences += check_colors(kernels, samples, &chance);
    result.comparisons += 7 * samples;
  }
  return result;
}

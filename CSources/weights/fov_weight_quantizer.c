// Fovea - one row of weights as integers of 8 or 16 bits and a scale.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_quantizer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernels/int8/fov_int16_kernels.h"
#include "weights/fov_weight_rounding.h"

#define LARGEST_CODE 127.0f
#define LARGEST_PAIR 128  // 255 * 128 < 2^15

// Where the two weights of a pair lie: on an axis of `count` elements, `step` apart. There are
// `lines` such axes side by side.
typedef struct axis {
  size_t count, step, lines;
} axis;

static axis pairing_axis(const fov_weight_taps *taps) {
  const size_t positions = taps->rows * taps->columns;
  if (!taps->depthwise) return (axis){taps->channels, positions, positions};
  return (axis){taps->rows, taps->columns, taps->columns};
}

// The larger of two numbers; a NaN counts as nothing.
static float larger(float most, float value) { return value > most ? value : most; }

// Numbers that are looked at side by side, so that none waits for the one before.
#define LANES 8

static float largest_of(const float most[LANES]) {
  float largest = 0.0f;
  for (size_t k = 0; k < LANES; k++) largest = larger(largest, most[k]);
  return largest;
}

static float largest_size(const float *taps, size_t count) {
  float most[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    for (size_t k = 0; k < LANES; k++) most[k] = larger(most[k], fabsf(taps[i + k]));
  }
  for (; i < count; i++) most[0] = larger(most[0], fabsf(taps[i]));
  return largest_of(most);
}

// The largest sum of two weights. That of two of different signs is less than one of them.
static float largest_pair(const float *taps, axis axis) {
  float most[LANES] = {0};
  for (size_t pair = 0; pair < axis.count / 2; pair++) {
    const float *first = taps + 2 * pair * axis.step, *second = first + axis.step;
    size_t line = 0;
    for (; line + LANES <= axis.lines; line += LANES) {
      for (size_t k = 0; k < LANES; k++) {
        most[k] = larger(most[k], fabsf(first[line + k] + second[line + k]));
      }
    }
    float *any = &most[pair % LANES];
    for (; line < axis.lines; line++) *any = larger(*any, fabsf(first[line] + second[line]));
  }
  return largest_of(most);
}

// The finest scale without overflow, before rounding.
static float finest_scale(const float *taps, size_t count, axis axis) {
  return fmaxf(largest_size(taps, count) / LARGEST_CODE,
               largest_pair(taps, axis) / (float)LARGEST_PAIR);
}

// The nearest codes, of two as near the even one; of a NaN the largest.
static void nearest_codes(const float *restrict taps, size_t count, float scale,
                          int8_t *restrict out_codes) {
  // A sum of this size has no fraction: the addition rounds.
  const float whole = 12582912.0f;  // 1.5 * 2^23
  for (size_t i = 0; i < count; i++) {
    const float value = taps[i] / scale;
    const float low = value < LARGEST_CODE ? value : LARGEST_CODE;
    const float code = low > -LARGEST_CODE ? low : -LARGEST_CODE;
    out_codes[i] = (int8_t)((code + whole) - whole);
  }
}

static bool is_too_large(int sum) { return sum > LARGEST_PAIR || sum < -LARGEST_PAIR; }

// Whether one of `count` pairs is too large, which are `step` codes apart.
static inline bool has_too_large(const int8_t *first, const int8_t *second, size_t count,
                                 size_t step) {
  int found = 0;
  for (size_t i = 0; i < count; i++) found |= is_too_large(first[i * step] + second[i * step]);
  return found != 0;
}

// Rounding may take a pair one step over the limit. The code that was rounded up more is lowered.
static void lower_pairs(const float *taps, float scale, axis axis, int8_t *codes) {
  if (axis.step == 1 && !has_too_large(codes, codes + 1, axis.count / 2, 2)) return;
  for (size_t i = 0; i + 1 < axis.count; i += 2) {
    const size_t at = i * axis.step, apart = axis.step;
    if (!has_too_large(codes + at, codes + at + apart, axis.lines, 1)) continue;
    for (size_t first = at; first < at + axis.lines; first++) {
      const size_t second = first + apart;
      if (!is_too_large(codes[first] + codes[second])) continue;
      const float excess_a = fabsf((float)codes[first]) - fabsf(taps[first] / scale);
      const float excess_b = fabsf((float)codes[second]) - fabsf(taps[second] / scale);
      int8_t *code = &codes[excess_a > excess_b ? first : second];
      *code = (int8_t)(*code > 0 ? *code - 1 : *code + 1);
    }
  }
}

// Whether the pair of weight `index` still fits if its code becomes `code`.
static bool fits(const void *context, const int8_t *codes, size_t index, int code) {
  const axis *axis = context;
  if (abs(code) > (int)LARGEST_CODE) return false;
  const size_t at = index / axis->step, partner = at ^ 1;
  if (partner >= axis->count) return true;
  const size_t other = partner > at ? index + axis->step : index - axis->step;
  return abs(code + codes[other]) <= LARGEST_PAIR;
}

float fov_quantize_weights(const fov_weight_taps *taps, int8_t *out_codes) {
  const size_t count = taps->channels * taps->rows * taps->columns;
  const axis axis = pairing_axis(taps);
  float scale = finest_scale(taps->values, count, axis);
  if (!(scale > 1e-30f) || !isfinite(scale)) scale = 1.0f;
  nearest_codes(taps->values, count, scale, out_codes);
  lower_pairs(taps->values, scale, axis, out_codes);
  if (taps->inputs) {
    const fov_weight_row row = {taps->values,  taps->channels, taps->rows,
                                taps->columns, taps->inputs,   scale};
    fov_round_weights(&row, fits, &axis, out_codes);
  }
  return scale;
}

#define LARGEST_INT16_WEIGHT 32767.0
#define LARGEST_INT16_SUM (2147483647.0 / FOV_LARGEST_INT16)

float fov_quantize_weights_to_int16(const float *taps, size_t count, int16_t *out_int16) {
  double largest = 0.0, sum = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double size = fabs((double)taps[i]);
    largest = fmax(largest, size);
    sum += size;
  }
  // Rounding adds half a step to each at most.
  const double room = LARGEST_INT16_SUM - 0.5 * (double)count - 1.0;
  float scale = (float)fmax(largest / LARGEST_INT16_WEIGHT, sum / room);
  // Rounded down to a float, the scale would be too fine.
  scale = nextafterf(scale, INFINITY);
  if (!(scale > 1e-30f) || !isfinite(scale)) scale = 1.0f;
  for (size_t i = 0; i < count; i++) {
    const float rounded = nearbyintf(taps[i] / scale);
    out_int16[i] = (int16_t)fmaxf(-32767.0f, fminf(32767.0f, rounded));
  }
  return scale;
}

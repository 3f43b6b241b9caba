// Fovea - one row of weights as 8-bit integers and a scale.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_weight_quantizer.h"

#include <math.h>
#include <stdbool.h>

#define LARGEST_CODE 127.0f
#define LARGEST_PAIR 128  // 255 * 128 < 2^15

// How partners lie: of an index along the axis of `count` elements, `step` apart.
typedef struct axis {
  size_t count, step;   // the axis that pairs lie on
  size_t lines, apart;  // the lines of that axis
} axis;

static axis pairing_axis(size_t channels, size_t positions, size_t rows) {
  if (rows == 0) return (axis){channels, positions, positions, 1};
  const size_t columns = positions / rows;
  return (axis){rows, columns, columns, 1};
}

static bool has_one_sign(float a, float b) { return (a > 0.0f) == (b > 0.0f); }

// The finest scale without overflow, before rounding.
static float finest_scale(const float *taps, size_t count, axis axis) {
  float largest = 0.0f, pair = 0.0f;
  for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(taps[i]));
  for (size_t line = 0; line < axis.lines; line++) {
    for (size_t i = 0; i + 1 < axis.count; i += 2) {
      const float a = taps[line * axis.apart + i * axis.step];
      const float b = taps[line * axis.apart + (i + 1) * axis.step];
      if (has_one_sign(a, b)) pair = fmaxf(pair, fabsf(a + b));
    }
  }
  return fmaxf(largest / LARGEST_CODE, pair / (float)LARGEST_PAIR);
}

// Rounding may lift a pair one step over the limit: the code that was rounded up most gives way.
static void lower_pairs(const float *taps, float scale, axis axis, int8_t *codes) {
  for (size_t line = 0; line < axis.lines; line++) {
    for (size_t i = 0; i + 1 < axis.count; i += 2) {
      const size_t first = line * axis.apart + i * axis.step, second = first + axis.step;
      const int sum = codes[first] + codes[second];
      if (sum <= LARGEST_PAIR && sum >= -LARGEST_PAIR) continue;
      const float excess_a = fabsf((float)codes[first]) - fabsf(taps[first] / scale);
      const float excess_b = fabsf((float)codes[second]) - fabsf(taps[second] / scale);
      int8_t *code = &codes[excess_a > excess_b ? first : second];
      *code = (int8_t)(*code > 0 ? *code - 1 : *code + 1);
    }
  }
}

float fov_quantize_weights(const float *taps, size_t channels, size_t positions, size_t rows,
                           int8_t *out_codes) {
  const size_t count = channels * positions;
  const axis axis = pairing_axis(channels, positions, rows);
  float scale = finest_scale(taps, count, axis);
  if (!(scale > 1e-30f) || !isfinite(scale)) scale = 1.0f;
  for (size_t i = 0; i < count; i++) {
    const float code = nearbyintf(taps[i] / scale);
    out_codes[i] = (int8_t)fmaxf(-LARGEST_CODE, fminf(LARGEST_CODE, code));
  }
  lower_pairs(taps, scale, axis, out_codes);
  return scale;
}

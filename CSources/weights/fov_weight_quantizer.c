// Fovea - one row of weights as integers of 8 or 16 bits and a scale.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_quantizer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernels/fov_int16_kernels.h"
#include "weights/fov_weight_rounding.h"

#define LARGEST_CODE 127.0f
#define LARGEST_PAIR 128  // 255 * 128 < 2^15

// Where the two weights of a pair lie: on an axis of `count` elements, `step` apart.
typedef struct axis {
  size_t count, step;
  size_t lines, apart;  // how many such axes there are, and how far apart they lie
} axis;

static axis pairing_axis(const fov_weight_taps *taps) {
  const size_t positions = taps->rows * taps->columns;
  if (!taps->depthwise) return (axis){taps->channels, positions, positions, 1};
  return (axis){taps->rows, taps->columns, taps->columns, 1};
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

// Rounding may take a pair one step over the limit. The code that was rounded up more is lowered.
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
  for (size_t i = 0; i < count; i++) {
    const float code = nearbyintf(taps->values[i] / scale);
    out_codes[i] = (int8_t)fmaxf(-LARGEST_CODE, fminf(LARGEST_CODE, code));
  }
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

// Fovea - the layout pass: what the tables of functions behind convolutions read.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "channels_last/fov_channels_last_add.h"
#include "channels_last/fov_range.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_op_unary.h"

// A function between a convolution and its codes becomes a table. The table has 256 entries for
// what it reads, and none should be spent where all results have one code: SiLU of -6 and of -60
// are 0 in most codes. With a calibration the range is what is left of the known one.
//
// Where a file gives the codes of the result, it says nothing of what the table reads, so that the
// range follows from the function alone. Neighbors in the table differ by one code at most. So a
// result differs by at most one from that of the file. Where no such table exists, floats are
// computed instead.

// Functions that far from zero are constant or the identity, but for less than any step.
static bool levels_off(fov_unary_function function) {
  switch (function) {
    case fov_unary_sigmoid:
    case fov_unary_silu:
    case fov_unary_tanh:
    case fov_unary_elu:
    case fov_unary_softplus:
    case fov_unary_gelu:
    case fov_unary_gelu_tanh:
    case fov_unary_gelu_sigmoid: return true;
    default: return false;
  }
}

static uint8_t code_at(const fov_unary *unary, float x, fov_quantization result) {
  float value = x;
  fov_unary_apply(unary, &value, &value, 1);
  return isnan(value) ? (uint8_t)result.zero_point : fov_quantize(value, result);
}

// The number nearest to zero, of those in steps of 1/16 octave from `far` on, behind which all have
// one code.
static float last_change(const fov_unary *unary, float far, fov_quantization result) {
  const uint8_t end = code_at(unary, far, result);
  const float ratio = 0.957603281f;  // 2^(-1/16)
  float last = far;
  for (int i = 0; i < 256; i++) {
    const float next = last * ratio;
    if (code_at(unary, next, result) != end) return last;
    last = next;
  }
  return last;
}

fov_quantization fov_layout_table_range(const fov_unary *unary, fov_quantization before,
                                        fov_quantization result) {
  const float zero = (float)before.zero_point;
  const float low = -zero * before.scale, high = (255.0f - zero) * before.scale;
  fov_range range = {low < 0.0f ? last_change(unary, low, result) : 0.0f,
                     high > 0.0f ? last_change(unary, high, result) : 0.0f};
  // The zero point is rounded, which moves the range by half a step.
  const float spare = (range.high - range.low) / 255.0f;
  range = (fov_range){fmaxf(low, range.low - spare), fminf(high, range.high + spare)};
  const fov_quantization narrow = fov_range_quantization(range);
  return fov_range_is_known(range) && narrow.scale < before.scale ? narrow : before;
}

bool fov_layout_table_input(const fov_unary *unary, fov_quantization result,
                            fov_quantization *out_input) {
  if (!levels_off(unary->function)) return false;
  const float far = 32.0f + 256.0f * result.scale;
  if (!isfinite(far)) return false;
  fov_range range = {last_change(unary, -far, result), last_change(unary, far, result)};
  // The zero point is rounded, which moves the range by half a step.
  const float spare = (range.high - range.low) / 255.0f;
  range = (fov_range){range.low - spare, range.high + spare};
  *out_input = fov_range_quantization(range);
  uint8_t table[256];
  fov_channels_last_unary_table(unary, *out_input, result, table);
  for (int code = 0; code < 255; code++) {
    if (abs(table[code + 1] - table[code]) > 1) return false;
  }
  return table[0] == code_at(unary, -far, result) && table[255] == code_at(unary, far, result);
}

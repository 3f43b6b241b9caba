// Fovea - the layout pass: tables of functions between sums and the codes that a file gives.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "channels_last/fov_channels_last_add.h"
#include "channels_last/fov_range.h"
#include "graph/fov_layout_state.h"
#include "ops/fov_op_unary.h"

// A function between a convolution and the codes of a file becomes a table. The file says nothing of
// what the table reads, so its range follows from the function: outside of it, the result has the
// same code everywhere. Neighbors in the table differ by one code at most. So a result differs by at
// most one from that of the file. Where no such table exists, floats are computed instead.

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

// Fovea - one weight after the other, straight from the words of fov_types.h.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_weight_oracle.h"

#include <math.h>
#include <string.h>

uint32_t fuzz_weight_code(const fov_weights *weights, size_t index) {
  const uint8_t *bytes = weights->data;
  uint32_t code = 0;
  for (size_t bit = index * weights->bits; bit < (index + 1) * weights->bits; bit++) {
    code = code << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1u);
  }
  return code;
}

// IEEE binary16.
static float half_value(const uint8_t *bytes) {
  const int bits = bytes[0] | bytes[1] << 8;
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = ldexpf((float)(1024 + fraction), exponent - 25);
  if (exponent == 0) magnitude = ldexpf((float)fraction, -24);
  if (exponent == 31) magnitude = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -magnitude : magnitude;
}

float fuzz_weight_value(const fov_weights *weights, size_t index, size_t channel) {
  const uint8_t *bytes = weights->data;
  switch (weights->encoding) {
    case fov_weight_encoding_float32: {
      float value;
      memcpy(&value, bytes + 4 * index, sizeof value);
      return value;
    }
    case fov_weight_encoding_float16: return half_value(bytes + 2 * index);
    case fov_weight_encoding_lookup_table: return weights->table[fuzz_weight_code(weights, index)];
    case fov_weight_encoding_linear: {
      const float scale = weights->scale[weights->scale_count == 1 ? 0 : channel];
      const float bias = weights->bias_count == 0   ? 0.0f
                         : weights->bias_count == 1 ? weights->bias[0]
                                                    : weights->bias[channel];
      return (float)fma(fuzz_weight_code(weights, index), scale, bias);
    }
  }
  return NAN;
}

bool fuzz_floats_agree(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

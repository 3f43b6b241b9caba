// Fovea - one weight after the other, straight from the words of fov_types.h.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_weight_oracle.h"

#include <math.h>
#include <string.h>

// Where an element stands, counted in codes, and where among those that share its code.
typedef struct place {
  size_t code[4], among, code_index;
} place;

static place find(const fov_weights *weights, const fuzz_weight_shape *shape, size_t index) {
  const size_t vector = weights->vector ? weights->vector : 1;
  place place = {.among = 0};
  size_t sizes[4];
  for (size_t axis = 4; axis-- > 0;) {
    place.code[axis] = index % shape->dims[axis];
    sizes[axis] = shape->dims[axis];
    index /= shape->dims[axis];
    if (axis != weights->vector_axis) continue;
    place.among = place.code[axis] % vector;
    place.code[axis] /= vector;
    sizes[axis] /= vector;
  }
  for (size_t axis = 0; axis < 4; axis++) {
    place.code_index = place.code_index * sizes[axis] + place.code[axis];
  }
  return place;
}

static size_t find_part(const fov_weights *weights, const fuzz_weight_shape *shape,
                        const place *place) {
  size_t part = 0;
  for (size_t axis = 0; axis < 4; axis++) {
    const size_t count = weights->parts[axis] ? weights->parts[axis] : 1;
    const bool is_cut = axis == weights->vector_axis && weights->vector > 0;
    const size_t size = shape->dims[axis] / (is_cut ? weights->vector : 1);
    part = part * count + place->code[axis] / (size / count);
  }
  return part;
}

static bool has_parts(const fov_weights *weights) {
  return weights->parts[0] || weights->parts[1] || weights->parts[2] || weights->parts[3];
}

uint32_t fuzz_weight_code(const fov_weights *weights, const fuzz_weight_shape *shape,
                          size_t index) {
  const uint8_t *bytes = weights->data;
  const size_t place = find(weights, shape, index).code_index;
  uint32_t code = 0;
  for (size_t bit = place * weights->bits; bit < (place + 1) * weights->bits; bit++) {
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

float fuzz_weight_value(const fov_weights *weights, const fuzz_weight_shape *shape, size_t index) {
  const uint8_t *bytes = weights->data;
  const place place = find(weights, shape, index);
  switch (weights->encoding) {
    case fov_weight_encoding_float32: {
      float value;
      memcpy(&value, bytes + 4 * index, sizeof value);
      return value;
    }
    case fov_weight_encoding_float16: return half_value(bytes + 2 * index);
    case fov_weight_encoding_lookup_table: {
      const size_t entry = (find_part(weights, shape, &place) << weights->bits) +
                           fuzz_weight_code(weights, shape, index);
      return weights->table[entry * (weights->vector ? weights->vector : 1) + place.among];
    }
    case fov_weight_encoding_linear: {
      const size_t part = has_parts(weights)          ? find_part(weights, shape, &place)
                          : weights->scale_count == 1 ? 0
                                                      : place.code[shape->channel_axis];
      const float bias = weights->bias_count == 0 ? 0.0f : weights->bias[part];
      return (float)fma(fuzz_weight_code(weights, shape, index), weights->scale[part], bias);
    }
  }
  return NAN;
}

bool fuzz_floats_agree(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// Fovea - weights of fuzzed graphs, in every form that a file may have.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "fuzz_graph_program.h"

// MARK: Floats

typedef struct character {
  fuzz_noise noise;
  bool is_wild, is_sparse, is_positive;
  float gain;
} character;

static character choose_character(fuzz_input *input, size_t columns) {
  static const float gains[] = {1, 1, 2, 0.25f, 1, 8, 0, 0.01f};
  const uint8_t bits = fuzz_byte(input);
  return (character){
      .noise = {fuzz_byte(input)},
      .is_wild = bits >= 250,
      .is_sparse = (bits & 8) != 0,
      .is_positive = (bits & 16) != 0,
      .gain = gains[bits & 7] / (float)(columns > 0 ? columns : 1),
  };
}

static float next(character *character, fuzz_input *input) {
  const uint32_t chance = fuzz_noise_bits(&character->noise) >> 28;
  const float value = fuzz_noise_float(&character->noise) * character->gain;
  if (character->is_wild && chance == 0) return fuzz_wild_float(input);
  if (character->is_sparse && chance < 8) return 0;
  return character->is_positive ? fabsf(value) : value;
}

static float *fill_floats(fuzz_input *input, fuzz_program *program, size_t count, size_t columns) {
  character character = choose_character(input, columns);
  float *floats = fuzz_program_keep(program, count * sizeof *floats);
  for (size_t i = 0; i < count; i++) floats[i] = next(&character, input);
  return floats;
}

float *fuzz_floats_choose(fuzz_input *input, fuzz_program *program, size_t count) {
  return fill_floats(input, program, count, 1);
}

// MARK: Forms

// Halves below 1 / columns in magnitude, or any.
static void fill_halves(fuzz_input *input, fuzz_program *program, size_t count, size_t columns,
                        fov_weights *out) {
  const bool is_wild = fuzz_byte(input) >= 250;
  fuzz_noise noise = {fuzz_byte(input)};
  uint16_t *halves = fuzz_program_keep(program, count * sizeof *halves);
  const int exponent = 14 - ilogb((double)columns);
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = fuzz_noise_bits(&noise);
    const int lower = exponent - (int)(bits >> 16 & 3);
    const uint32_t tame = (bits & 0x83FF) | (uint32_t)(lower > 0 ? lower : 0) << 10;
    halves[i] = (uint16_t)(is_wild ? bits >> 8 : tame);
  }
  *out = (fov_weights){.encoding = fov_weight_encoding_float16,
                       .data = halves,
                       .data_bytes = count * sizeof *halves};
}

static uint8_t *fill_codes(fuzz_input *input, fuzz_program *program, size_t count, uint32_t bits,
                           size_t *out_bytes) {
  *out_bytes = (count * bits + 7) / 8;
  uint8_t *codes = fuzz_program_keep(program, *out_bytes);
  fuzz_noise noise = {fuzz_byte(input)};
  for (size_t i = 0; i < *out_bytes; i++) codes[i] = (uint8_t)(fuzz_noise_bits(&noise) >> 24);
  return codes;
}

static void fill_table(fuzz_input *input, fuzz_program *program, size_t count, size_t columns,
                       fov_weights *out) {
  *out = (fov_weights){.encoding = fov_weight_encoding_lookup_table,
                       .bits = (uint32_t)fuzz_between(input, 1, 8)};
  out->data = fill_codes(input, program, count, out->bits, &out->data_bytes);
  out->table_count = (size_t)1 << out->bits;
  out->table = fill_floats(input, program, out->table_count, columns);
}

// Codes around zero, as signed ones become, or from zero on.
static void fill_linear(fuzz_input *input, fuzz_program *program, size_t count, size_t columns,
                        size_t channels, fov_weights *out) {
  *out = (fov_weights){.encoding = fov_weight_encoding_linear,
                       .bits = (uint32_t)fuzz_between(input, 1, 8)};
  out->data = fill_codes(input, program, count, out->bits, &out->data_bytes);
  const uint8_t kind = fuzz_byte(input);
  out->scale_count = kind & 1 ? 1 : channels;
  float *scale = fill_floats(input, program, out->scale_count, columns << out->bits);
  out->scale = scale;
  if ((kind & 6) == 0) return;
  out->bias_count = out->scale_count;
  float *bias = fuzz_program_keep(program, out->bias_count * sizeof *bias);
  for (size_t c = 0; c < out->bias_count; c++) {
    bias[c] = -scale[c] * (float)(1u << (out->bits - 1));
    if (kind & 8) bias[c] += 0.125f / (float)columns;
  }
  out->bias = bias;
}

// Cuts codes into parts, each with a table or a scale of its own.
static void cut(fuzz_input *input, fuzz_program *program, const size_t dims[4], size_t columns,
                fov_weights *weights) {
  const uint8_t kind = fuzz_byte(input);
  size_t count = 1;
  for (size_t axis = 0; axis < 4; axis++) {
    const size_t whole = kind >> (2 * axis) & 3;
    weights->parts[axis] = whole == 1 ? dims[axis] : whole == 2 && dims[axis] % 2 == 0 ? 2 : 1;
    if (count * weights->parts[axis] > 64) weights->parts[axis] = 1;
    count *= weights->parts[axis];
  }
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    weights->table_count = count << weights->bits;
    weights->table = fill_floats(input, program, weights->table_count, columns);
  } else {
    weights->scale_count = count;
    weights->bias_count = 0;
    weights->bias = NULL;
    weights->scale = fill_floats(input, program, count, columns << weights->bits);
  }
}

fov_weights fuzz_weights_choose(fuzz_input *input, fuzz_program *program, const size_t dims[4],
                                size_t channel_axis, size_t columns) {
  fov_weights weights = {.encoding = fov_weight_encoding_float32};
  const size_t count = dims[0] * dims[1] * dims[2] * dims[3];
  switch (fuzz_byte(input) % 8) {
    case 0: fill_halves(input, program, count, columns, &weights); break;
    case 1:
    case 2: fill_table(input, program, count, columns, &weights); break;
    case 3:
    case 4: fill_linear(input, program, count, columns, dims[channel_axis], &weights); break;
    default:
      weights.data = fill_floats(input, program, count, columns);
      weights.data_bytes = count * sizeof(float);
  }
  const uint8_t rest = fuzz_byte(input);
  if (rest >= 250 && weights.data_bytes > 0) weights.data_bytes--;
  if (rest >= 150 && rest < 250 && weights.bits > 0) cut(input, program, dims, columns, &weights);
  return weights;
}

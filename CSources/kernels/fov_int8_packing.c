// Fovea - places of 8-bit weights in panels.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_int8_packing.h"

#include <string.h>

#include "base/fov_size.h"

size_t fov_int8_panels(size_t output_channels) {
  return fov_size_parts(output_channels, FOV_PANEL);
}

size_t fov_int8_padded_channels(size_t input_channels) {
  return fov_size_parts(input_channels, FOV_GROUP) * FOV_GROUP;
}

bool fov_int8_packed_bytes(const fov_int8_shape *shape, size_t *out_panel_bytes,
                           size_t *out_bytes) {
  const size_t panels = fov_int8_panels(shape->output_channels);
  const size_t in_groups = shape->depthwise ? shape->kernel[0] : shape->input_channels;
  const size_t repeated = shape->depthwise ? 1 : shape->kernel[0];
  size_t bytes;
  if (!fov_size_multiply(fov_size_parts(in_groups, FOV_GROUP), FOV_PANEL * FOV_GROUP, &bytes) ||
      !fov_size_multiply(bytes, repeated, &bytes) ||
      !fov_size_multiply(bytes, shape->kernel[1], out_panel_bytes)) {
    return false;
  }
  return fov_size_multiply(*out_panel_bytes, panels, out_bytes);
}

// The byte of a panel that holds weight (input channel, kernel row, kernel column) of channel 0.
static size_t place(const fov_int8_shape *shape, size_t input, size_t row, size_t column) {
  if (shape->depthwise) {
    const size_t groups = fov_size_parts(shape->kernel[0], FOV_GROUP);
    const size_t group = column * groups + row / FOV_GROUP;
    return group * FOV_PANEL * FOV_GROUP + row % FOV_GROUP;
  }
  const size_t channels = fov_int8_padded_channels(shape->input_channels);
  const size_t begin = input / shape->block * shape->block;
  const size_t block = fov_size_min(shape->block, channels - begin);
  const size_t tap = row * shape->kernel[1] + column;
  const size_t taps = shape->kernel[0] * shape->kernel[1];
  const size_t group = (begin * taps + tap * block + (input - begin)) / FOV_GROUP;
  return group * FOV_PANEL * FOV_GROUP + input % FOV_GROUP;
}

void fov_int8_pack_row(const fov_int8_shape *shape, size_t output_channel, const int8_t *row,
                       const fov_int8_packed *packed) {
  const size_t taps = shape->kernel[0] * shape->kernel[1];
  const size_t inputs = shape->depthwise ? 1 : shape->input_channels;
  const size_t groups = shape->depthwise
                            ? fov_size_parts(shape->kernel[0], FOV_GROUP) * shape->kernel[1]
                            : fov_size_parts(inputs, FOV_GROUP) * taps;
  int8_t *panel = packed->weights + output_channel / FOV_PANEL * groups * FOV_PANEL * FOV_GROUP +
                  output_channel % FOV_PANEL * FOV_GROUP;
  int32_t sum = 0;
  for (size_t input = 0; input < inputs; input++) {
    for (size_t tap = 0; tap < taps; tap++) {
      const int8_t weight = row[input * taps + tap];
      panel[place(shape, input, tap / shape->kernel[1], tap % shape->kernel[1])] = weight;
      sum += weight;
    }
  }
  packed->weight_sums[output_channel] = sum;
}

static int pair_size(int a, int b) {
  const int positive = (a > 0 ? a : 0) + (b > 0 ? b : 0);
  const int negative = (a < 0 ? a : 0) + (b < 0 ? b : 0);
  return positive > -negative ? positive : -negative;
}

// 255 * 128 < 2^15 <= 255 * 129
#define LARGEST_PAIR 128

bool fov_int8_pairs_fit(const int8_t *packed, size_t count) {
  for (size_t i = 0; i + 1 < count; i += 2) {
    if (pair_size(packed[i], packed[i + 1]) > LARGEST_PAIR) return false;
  }
  return true;
}

void fov_int8_pack_pairs_fit(const fov_int8_shape *shape, const fov_int8_packed *packed) {
  size_t panel_bytes, bytes;
  if (!fov_int8_packed_bytes(shape, &panel_bytes, &bytes)) return;
  for (size_t panel = 0; panel < fov_int8_panels(shape->output_channels); panel++) {
    packed->pairs_fit[panel] =
        fov_int8_pairs_fit(packed->weights + panel * panel_bytes, panel_bytes);
  }
}

// Eight pairs side by side, one 16-bit number each, whose halves are taken apart by shifts: vectors
// that compilers have for every processor.
typedef int16_t pairs __attribute__((vector_size(16)));
typedef uint16_t pair_bits __attribute__((vector_size(16)));
#define VECTORS (FOV_PANEL * FOV_GROUP / 16)

// Groups whose sums of pairs, -256 ... 254 each, fit into 16 bits.
#define SHORT_SUM 127

// Vector `vector` of each group. Returns whether a pair is too large, in any lane.
static pairs add_pairs(const int8_t *groups, size_t count, size_t vector, pairs *out_sums) {
  pairs sums = {0}, too_large = {0};
  for (size_t i = 0; i < count; i++) {
    pairs both;
    memcpy(&both, groups + i * FOV_PANEL * FOV_GROUP + vector * sizeof both, sizeof both);
    const pairs a = (pairs)((pair_bits)both << 8) >> 8, b = both >> 8;
    const pairs positive = (a & (a > 0)) + (b & (b > 0));
    const pairs sum = a + b;
    sums += sum;
    too_large |= (positive > LARGEST_PAIR) | (sum - positive < -LARGEST_PAIR);
  }
  *out_sums = sums;
  return too_large;
}

void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                         int32_t *out_weight_sums, uint8_t *out_pairs_fit) {
  const size_t groups = panel_bytes / (FOV_PANEL * FOV_GROUP);
  for (size_t panel = 0; panel < panels; panel++) {
    const int8_t *begin = weights + panel * panel_bytes;
    int32_t *totals = out_weight_sums + panel * FOV_PANEL;
    pairs too_large = {0}, sums;
    for (size_t c = 0; c < FOV_PANEL; c++) totals[c] = 0;
    for (size_t i = 0; i < groups; i += SHORT_SUM) {
      const size_t count = fov_size_min(SHORT_SUM, groups - i);
      for (size_t v = 0; v < VECTORS; v++) {
        too_large |= add_pairs(begin + i * FOV_PANEL * FOV_GROUP, count, v, &sums);
        for (size_t j = 0; j < 8; j++) totals[v * 4 + j / 2] += sums[j];
      }
    }
    out_pairs_fit[panel] = 1;
    for (size_t j = 0; j < 8; j++) {
      if (too_large[j] != 0) out_pairs_fit[panel] = 0;
    }
  }
}

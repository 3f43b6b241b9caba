// Fovea - places of 8-bit weights in panels.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_int8_packing.h"

#include <stdlib.h>
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

bool fov_int8_sums_fit(const int8_t *row, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += (uint64_t)abs(row[i]);
  return sum <= INT32_MAX / 255;
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

int fov_int8_largest_pair(const fov_int8_shape *shape, const int8_t *row) {
  // Pairs are input channels (2i, 2i + 1) at one tap; depthwise, kernel rows (2i, 2i + 1).
  const size_t taps = shape->kernel[0] * shape->kernel[1];
  const size_t step = shape->depthwise ? shape->kernel[1] : taps;
  const size_t count = shape->depthwise ? shape->kernel[0] : shape->input_channels;
  int largest = 0;
  for (size_t i = 0; i < count; i += 2) {
    for (size_t j = 0; j < step; j++) {
      const int second = i + 1 < count ? row[(i + 1) * step + j] : 0;
      const int size = pair_size(row[i * step + j], second);
      if (size > largest) largest = size;
    }
  }
  return largest;
}

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

// Pairs of a group: FOV_GROUP / 2 for each channel of a panel.
#define PAIRS (FOV_PANEL * FOV_GROUP / 2)

// Groups whose sums of pairs, -256 ... 254 each, fit into 16 bits.
#define SHORT_SUM 127

// One pair is one 16-bit number, whose halves are taken apart by shifts: a loop that becomes vectors.
// largest[j]: the greatest sum of weights of one sign among pairs j.
static void add_pairs(const int8_t *groups, size_t count, int16_t sums[PAIRS],
                      int16_t largest[PAIRS]) {
  for (size_t i = 0; i < count; i++, groups += FOV_PANEL * FOV_GROUP) {
    int16_t pairs[PAIRS];
    memcpy(pairs, groups, sizeof pairs);
    for (size_t j = 0; j < PAIRS; j++) {
      const int16_t a = (int16_t)((int16_t)((uint16_t)pairs[j] << 8) >> 8);
      const int16_t b = (int16_t)(pairs[j] >> 8);
      const int16_t positive = (int16_t)((a > 0 ? a : 0) + (b > 0 ? b : 0));
      const int16_t negative = (int16_t)-((a < 0 ? a : 0) + (b < 0 ? b : 0));
      const int16_t size = positive > negative ? positive : negative;
      sums[j] = (int16_t)(sums[j] + a + b);
      largest[j] = size > largest[j] ? size : largest[j];
    }
  }
}

void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                         int32_t *out_weight_sums, uint8_t *out_pairs_fit) {
  const size_t groups = panel_bytes / (FOV_PANEL * FOV_GROUP);
  for (size_t panel = 0; panel < panels; panel++) {
    int32_t *totals = out_weight_sums + panel * FOV_PANEL;
    int16_t largest[PAIRS] = {0};
    int greatest = 0;
    for (size_t c = 0; c < FOV_PANEL; c++) totals[c] = 0;
    for (size_t i = 0; i < groups; i += SHORT_SUM) {
      int16_t sums[PAIRS] = {0};
      add_pairs(weights + panel * panel_bytes + i * FOV_PANEL * FOV_GROUP,
                fov_size_min(SHORT_SUM, groups - i), sums, largest);
      for (size_t j = 0; j < PAIRS; j++) totals[j / (FOV_GROUP / 2)] += sums[j];
    }
    for (size_t j = 0; j < PAIRS; j++) greatest = largest[j] > greatest ? largest[j] : greatest;
    out_pairs_fit[panel] = greatest <= LARGEST_PAIR;
  }
}

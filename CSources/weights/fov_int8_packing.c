// Fovea - packing 8-bit weights, and the sums that kernels need of them.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_int8_packing.h"

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

// The weights of a dense convolution: of each block, taps in turns, and groups of inputs in each.
static void pack_inputs(const fov_int8_shape *shape, const int8_t *row, int8_t *panel) {
  const size_t taps = shape->kernel[0] * shape->kernel[1];
  const size_t channels = fov_int8_padded_channels(shape->input_channels);
  for (size_t begin = 0; begin < shape->input_channels; begin += shape->block) {
    const size_t block = fov_size_min(shape->block, channels - begin);
    const size_t inputs = fov_size_min(block, shape->input_channels - begin);
    for (size_t i = 0; i < inputs; i++, row += taps) {
      int8_t *at = panel + (begin * taps + i / FOV_GROUP * FOV_GROUP) * FOV_PANEL + i % FOV_GROUP;
      for (size_t tap = 0; tap < taps; tap++) at[tap * block * FOV_PANEL] = row[tap];
    }
  }
}

// The weights of a channel of a depthwise convolution: columns in turns, and groups of rows in
// each.
static void pack_rows(const fov_int8_shape *shape, const int8_t *row, int8_t *panel) {
  const size_t groups = fov_size_parts(shape->kernel[0], FOV_GROUP);
  for (size_t y = 0; y < shape->kernel[0]; y++) {
    for (size_t x = 0; x < shape->kernel[1]; x++) {
      const size_t group = x * groups + y / FOV_GROUP;
      panel[group * FOV_PANEL * FOV_GROUP + y % FOV_GROUP] = row[y * shape->kernel[1] + x];
    }
  }
}

void fov_int8_pack_row(const fov_int8_shape *shape, size_t output_channel, const int8_t *row,
                       int8_t *weights) {
  const size_t groups =
      shape->depthwise
          ? fov_size_parts(shape->kernel[0], FOV_GROUP) * shape->kernel[1]
          : fov_size_parts(shape->input_channels, FOV_GROUP) * shape->kernel[0] * shape->kernel[1];
  int8_t *panel = weights + output_channel / FOV_PANEL * groups * FOV_PANEL * FOV_GROUP +
                  output_channel % FOV_PANEL * FOV_GROUP;
  if (shape->depthwise) {
    pack_rows(shape, row, panel);
  } else {
    pack_inputs(shape, row, panel);
  }
}

// MARK: Sums

// Eight pairs of weights, each in one 16-bit number. Shifts separate the two. Compilers have such
// vectors for every processor.
typedef int16_t pairs __attribute__((vector_size(16)));
typedef uint16_t pair_bits __attribute__((vector_size(16)));
#define VECTORS (FOV_PANEL * FOV_GROUP / 16)

// Sums of so many pairs, -256 ... 254 each, fit into 16 bits.
#define SHORT_SUM 127

// 255 * 128 < 2^15 <= 255 * 129
#define LARGEST_PAIR 128

// Sums of all weights and of the positive ones, and whether a pair is too large.
typedef struct pair_sums {
  pairs all, positive, too_large;
} pair_sums;

// Vector `vector` of each group.
static pair_sums add_pairs(const int8_t *groups, size_t count, size_t vector) {
  pair_sums sums = {.all = {0}};
  for (size_t i = 0; i < count; i++) {
    pairs both;
    memcpy(&both, groups + i * FOV_PANEL * FOV_GROUP + vector * sizeof both, sizeof both);
    const pairs a = (pairs)((pair_bits)both << 8) >> 8, b = both >> 8;
    const pairs positive = (a & (a > 0)) + (b & (b > 0));
    const pairs sum = a + b;
    sums.all += sum;
    sums.positive += positive;
    sums.too_large |= (positive > LARGEST_PAIR) | (sum - positive < -LARGEST_PAIR);
  }
  return sums;
}

static bool is_small(int64_t positive, int64_t all) {
  return 255 * positive < FOV_INT8_SMALL_SUM && 255 * (positive - all) < FOV_INT8_SMALL_SUM;
}

static void sum_panel(const int8_t *weights, size_t groups, int32_t all[FOV_PANEL],
                      uint8_t *pairs_fit, bool *are_small) {
  int64_t positive[FOV_PANEL] = {0};
  pairs too_large = {0};
  for (size_t c = 0; c < FOV_PANEL; c++) all[c] = 0;
  for (size_t i = 0; i < groups; i += SHORT_SUM) {
    const size_t count = fov_size_min(SHORT_SUM, groups - i);
    for (size_t v = 0; v < VECTORS; v++) {
      const pair_sums sums = add_pairs(weights + i * FOV_PANEL * FOV_GROUP, count, v);
      too_large |= sums.too_large;
      for (size_t j = 0; j < 8; j++) {
        all[v * 4 + j / 2] += sums.all[j];
        positive[v * 4 + j / 2] += sums.positive[j];
      }
    }
  }
  *pairs_fit = 1;
  for (size_t j = 0; j < 8; j++) {
    if (too_large[j] != 0) *pairs_fit = 0;
  }
  for (size_t c = 0; c < FOV_PANEL; c++) *are_small = *are_small && is_small(positive[c], all[c]);
}

void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                         fov_int8_sums *sums) {
  sums->are_small = true;
  for (size_t panel = 0; panel < panels; panel++) {
    sum_panel(weights + panel * panel_bytes, panel_bytes / (FOV_PANEL * FOV_GROUP),
              sums->weight_sums + panel * FOV_PANEL, &sums->pairs_fit[panel], &sums->are_small);
  }
}

// MARK: Zero points

// Subtracted from zero points, so that the sum of two products with weights fits into 16 bits:
// |w| * |z - CENTER| <= 128 * 128, and two products of 2^14 are both negative.
#define CENTER 127

// Zero points of a group of inputs less CENTER, in the order of pairs: of even and of odd inputs.
typedef struct group_zeros {
  int16_t even[2], odd[2];
} group_zeros;

typedef int32_t halves __attribute__((vector_size(32)));  // sums of eight pairs

// The same two numbers for all eight pairs.
static pairs repeat(const int16_t both[2]) {
  uint32_t bits;
  memcpy(&bits, both, sizeof bits);
  typedef uint32_t four __attribute__((vector_size(16)));
  return (pairs)(four){bits, bits, bits, bits};
}

static void weigh_groups(const int8_t *groups, size_t count, const group_zeros *zeros,
                         halves sums[VECTORS]) {
  for (size_t i = 0; i < count; i++) {
    const pairs even = repeat(zeros[i].even), odd = repeat(zeros[i].odd);
    for (size_t v = 0; v < VECTORS; v++, groups += sizeof(pairs)) {
      pairs both;
      memcpy(&both, groups, sizeof both);
      const pairs a = (pairs)((pair_bits)both << 8) >> 8, b = both >> 8;
      sums[v] += __builtin_convertvector(a * even + b * odd, halves);
    }
  }
}

// Groups whose zero points are brought into order together.
#define WEIGHED_GROUPS 32

// The zero points of `groups` groups. The first `count` inputs exist; the zero points of others are
// 0.
static void order_zeros(const uint8_t *zero_points, size_t count, size_t groups,
                        group_zeros zeros[WEIGHED_GROUPS]) {
  for (size_t i = 0; i < groups; i++, zero_points += FOV_GROUP, zeros++) {
    uint8_t four[FOV_GROUP] = {0};
    memcpy(four, zero_points, fov_size_min(FOV_GROUP, count - i * FOV_GROUP));
    for (size_t j = 0; j < FOV_GROUP / 2; j++) {
      zeros->even[j] = (int16_t)(four[2 * j] - CENTER);
      zeros->odd[j] = (int16_t)(four[2 * j + 1] - CENTER);
    }
  }
}

void fov_int8_weigh_panel(const fov_int8_shape *shape, const int8_t *panel,
                          const int32_t weight_sums[FOV_PANEL], const uint8_t *zero_points,
                          int32_t out_sums[FOV_PANEL]) {
  const size_t channels = fov_int8_padded_channels(shape->input_channels);
  const size_t taps = shape->kernel[0] * shape->kernel[1];
  halves sums[VECTORS] = {{0}};
  for (size_t begin = 0; begin < channels; begin += shape->block) {
    const size_t block = fov_size_min(shape->block, channels - begin);
    const int8_t *weights = panel + begin * taps * FOV_PANEL;
    for (size_t i = 0; i < block; i += WEIGHED_GROUPS * FOV_GROUP) {
      const size_t groups = fov_size_min(WEIGHED_GROUPS, (block - i) / FOV_GROUP);
      group_zeros zeros[WEIGHED_GROUPS];
      order_zeros(zero_points + begin + i, shape->input_channels - begin - i, groups, zeros);
      for (size_t tap = 0; tap < taps; tap++) {
        weigh_groups(weights + (tap * block + i) * FOV_PANEL, groups, zeros, sums);
      }
    }
  }
  for (size_t c = 0; c < FOV_PANEL; c++) {
    out_sums[c] = sums[c / 4][c % 4 * 2] + sums[c / 4][c % 4 * 2 + 1] + CENTER * weight_sums[c];
  }
}

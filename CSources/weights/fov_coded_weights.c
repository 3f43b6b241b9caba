// Fovea - packed weights of float convolutions that stay codes of the file.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_coded_weights.h"

#include "kernels/int8/fov_int8_kernels.h"

static void expand_table(const float *restrict table, const float *restrict factor,
                         const uint8_t *restrict codes, size_t count, float *restrict out) {
  for (size_t i = 0; i < count; i += FOV_PANEL) {
    for (size_t lane = 0; lane < FOV_PANEL; lane++) {
      out[i + lane] = table[codes[i + lane]] * factor[lane];
    }
  }
}

// In double precision, where the product is exact, and rounded once, as fov_weight_decode does.
static void expand_linear(const float *restrict scale, const float *restrict offset,
                          const float *restrict factor, const uint8_t *restrict codes, size_t count,
                          float *restrict out) {
  for (size_t i = 0; i < count; i += FOV_PANEL) {
    for (size_t lane = 0; lane < FOV_PANEL; lane++) {
      const double value = (double)codes[i + lane] * (double)scale[lane] + (double)offset[lane];
      out[i + lane] = (float)value * factor[lane];
    }
  }
}

// Channels with tables of their own.
static void expand_tables(const float *const tables[FOV_PANEL], const float *restrict factor,
                          const uint8_t *restrict codes, size_t count, float *restrict out) {
  for (size_t i = 0; i < count; i += FOV_PANEL) {
    for (size_t lane = 0; lane < FOV_PANEL; lane++) {
      out[i + lane] = tables[lane][codes[i + lane]] * factor[lane];
    }
  }
}

// Positions of which each channel has one part, whose numbers begin at `begin`.
static void expand_tabled(const fov_coded_weights *weights, const size_t begin[FOV_PANEL],
                          const float *factor, const uint8_t *codes, size_t count, float *out) {
  const float *tables[FOV_PANEL];
  bool is_one = true;
  for (size_t lane = 0; lane < FOV_PANEL; lane++) {
    tables[lane] = weights->table + begin[lane];
    is_one = is_one && begin[lane] == begin[0];
  }
  if (is_one) {
    expand_table(tables[0], factor, codes, count, out);
  } else {
    expand_tables(tables, factor, codes, count, out);
  }
}

static void expand_scaled(const fov_coded_weights *weights, const size_t begin[FOV_PANEL],
                          const float *factor, const uint8_t *codes, size_t count, float *out) {
  float scale[FOV_PANEL], offset[FOV_PANEL];
  for (size_t lane = 0; lane < FOV_PANEL; lane++) {
    scale[lane] = weights->scale[begin[lane]];
    offset[lane] = weights->offset[begin[lane]];
  }
  expand_linear(scale, offset, factor, codes, count, out);
}

// Positions from `first` on that have the same part.
static size_t count_alike(const uint32_t *position_begin, size_t first, size_t positions) {
  if (!position_begin) return positions - first;
  size_t end = first + 1;
  while (end < positions && position_begin[end] == position_begin[first]) end++;
  return end - first;
}

static void expand_panel(const fov_coded_weights *weights, size_t panel, const uint8_t *codes,
                         size_t positions, float *restrict out) {
  const uint32_t *channel_begin = weights->channel_begin + panel * FOV_PANEL;
  const float *factor = weights->factor + panel * FOV_PANEL;
  size_t run;
  for (size_t first = 0; first < positions; first += run) {
    const size_t add = weights->position_begin ? weights->position_begin[first] : 0;
    size_t begin[FOV_PANEL];
    for (size_t lane = 0; lane < FOV_PANEL; lane++) begin[lane] = channel_begin[lane] + add;
    run = count_alike(weights->position_begin, first, positions);
    const size_t at = first * FOV_PANEL, count = run * FOV_PANEL;
    if (weights->table) {
      expand_tabled(weights, begin, factor, codes + at, count, out + at);
    } else {
      expand_scaled(weights, begin, factor, codes + at, count, out + at);
    }
  }
}

void fov_coded_weights_expand(const fov_coded_weights *weights, size_t panel_weights, size_t begin,
                              size_t end, float *restrict out) {
  for (size_t panel = begin; panel < end; panel++, out += panel_weights) {
    expand_panel(weights, panel, weights->codes + panel * panel_weights, panel_weights / FOV_PANEL,
                 out);
  }
}

static uint32_t greatest(const uint32_t *begin, size_t count) {
  uint32_t result = 0;
  for (size_t i = 0; begin && i < count; i++) {
    if (begin[i] > result) result = begin[i];
  }
  return result;
}

bool fov_coded_weights_are_valid(const fov_coded_weights *weights, size_t channels,
                                 size_t positions) {
  const uint64_t entries = weights->table ? FOV_TABLE_ROOM : 1;
  return (uint64_t)greatest(weights->channel_begin, channels) +
             greatest(weights->position_begin, positions) + entries <=
         weights->numbers;
}

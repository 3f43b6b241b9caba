// Fovea - packed weights of float convolutions that stay codes of the file.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_coded_weights.h"

#include "kernels/fov_int8_kernels.h"

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

void fov_coded_weights_expand(const fov_coded_weights *weights, size_t panel_weights, size_t begin,
                              size_t end, float *restrict out) {
  for (size_t panel = begin; panel < end; panel++, out += panel_weights) {
    const uint8_t *codes = weights->codes + panel * panel_weights;
    const size_t channel = panel * FOV_PANEL;
    if (weights->table) {
      expand_table(weights->table, weights->factor + channel, codes, panel_weights, out);
    } else {
      expand_linear(weights->scale + channel, weights->offset + channel, weights->factor + channel,
                    codes, panel_weights, out);
    }
  }
}

// Fovea - sums of a tile, one group of input channels after another.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_GROUPS_H
#define FOV_INT8_GROUPS_H

#include "kernels/fov_int8_vectors.h"

// For instruction sets that multiply four activations, repeated for all channels, by four weights
// of each channel. Pixel (r, c) of the tile lies r * row + c * column bytes behind the first.
INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  for (size_t g = 0; g < groups; g++) {
    group_weights w[4];
    UNROLLED for (int v = 0; v < vectors; v++) {
      w[v] = weights_load(weights + weights_offset(v, panel_bytes), pairs_fit);
    }
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      const group_codes a = codes_load(input + p / columns * row + p % columns * column, pairs_fit);
      UNROLLED for (int v = 0; v < vectors; v++) {
        sums[p * vectors + v] = multiply_add(sums[p * vectors + v], a, w[v], pairs_fit);
      }
    }
    input += FOV_GROUP;
    weights += FOV_PANEL * FOV_GROUP;
  }
}

#endif

// Fovea - sums of a tile, one group of input channels after another.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_GROUPS_H
#define FOV_INT8_GROUPS_H

#include "kernels/fov_int8_vectors.h"

// Four pixels in reach of one address: behind it 0, 1, 2 and 3 columns. A tile of 14 pixels walks
// four addresses; one for each pixel, or a chain of additions, would keep the processor from
// issuing a product in every slot that it has for one.
#define REACH 4

// Keeps the compiler from seeing how this value came about, and from computing it anew.
#define OPAQUE(value) __asm__("" : "+r"(value))

typedef struct pixel_reach {
  const uint8_t *bases[TILE_VECTORS];
  ptrdiff_t column, columns_3;
} pixel_reach;

INLINE pixel_reach reach_pixels(const uint8_t *input, int rows, int columns, ptrdiff_t row,
                                ptrdiff_t column) {
  pixel_reach reach = {.column = column, .columns_3 = 3 * column};
  OPAQUE(reach.columns_3);
  const int across = (columns + REACH - 1) / REACH;
  UNROLLED for (int i = 0; i < rows * across; i++) {
    reach.bases[i] = input + i / across * row + i % across * REACH * column;
    OPAQUE(reach.bases[i]);
  }
  return reach;
}

INLINE const uint8_t *reach_pixel(const pixel_reach *reach, int columns, int pixel) {
  const int across = (columns + REACH - 1) / REACH;
  const int row = pixel / columns, column = pixel % columns;
  const uint8_t *base = reach->bases[row * across + column / REACH];
  const int step = column % REACH;
  return step == 3 ? base + reach->columns_3 : base + step * reach->column;
}

// For instruction sets that multiply four activations, repeated for all channels, by four weights
// of each channel. Pixel (r, c) of the tile lies r * row + c * column bytes behind the first.
INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  pixel_reach reach = reach_pixels(input, rows, columns, row, column);
  for (size_t g = 0; g < groups; g++) {
    group_weights w[2];
    UNROLLED for (int v = 0; v < vectors; v++) {
      w[v] = weights_load(weights + weights_offset(v, panel_bytes), pairs_fit);
    }
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      const group_codes a = codes_load(reach_pixel(&reach, columns, p), pairs_fit);
      UNROLLED for (int v = 0; v < vectors; v++) {
        sums[p * vectors + v] = multiply_add(sums[p * vectors + v], a, w[v], pairs_fit);
      }
    }
    UNROLLED for (int i = 0; i < rows * ((columns + REACH - 1) / REACH); i++) {
      reach.bases[i] += FOV_GROUP;
    }
    weights += FOV_PANEL * FOV_GROUP;
  }
}

#endif

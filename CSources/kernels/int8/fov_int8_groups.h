// Fovea - sums of a tile, one group of input channels after another.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_GROUPS_H
#define FOV_INT8_GROUPS_H

#include "kernels/int8/fov_int8_vectors.h"

// The addresses of a tile's pixels. An address with an index costs a load nothing, so that one
// register serves four pixels: itself plus 0, 1, 2 and 3 columns. A tile of 14 pixels has four
// registers. One for each pixel would be too many. A chain of additions would keep the processor
// from issuing a product in every slot.
#define PIXELS_PER_ADDRESS 4
#define ADDRESSES(pixels) (((pixels) + PIXELS_PER_ADDRESS - 1) / PIXELS_PER_ADDRESS)

typedef struct pixel_addresses {
  const uint8_t *at[TILE_VECTORS];
  ptrdiff_t column, columns_3;
} pixel_addresses;

INLINE pixel_addresses pixel_addresses_of(const uint8_t *input, int rows, int columns,
                                          ptrdiff_t row, ptrdiff_t column) {
  pixel_addresses all = {.column = column, .columns_3 = 3 * column};
  KEEP_REGISTER(all.columns_3);
  const int across = ADDRESSES(columns);
  UNROLLED for (int i = 0; i < rows * across; i++) {
    all.at[i] = input + i / across * row + i % across * PIXELS_PER_ADDRESS * column;
    KEEP_REGISTER(all.at[i]);
  }
  return all;
}

INLINE const uint8_t *pixel_addresses_at(const pixel_addresses *all, int columns, int pixel) {
  const int row = pixel / columns, column = pixel % columns;
  const uint8_t *first = all->at[row * ADDRESSES(columns) + column / PIXELS_PER_ADDRESS];
  const int step = column % PIXELS_PER_ADDRESS;
  return step == 3 ? first + all->columns_3 : first + step * all->column;
}

// For instruction sets that multiply four activations, the same for all channels, by four weights
// of each channel. Pixel (r, c) of the tile is at r * row + c * column bytes from the first.
INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  pixel_addresses all = pixel_addresses_of(input, rows, columns, row, column);
  for (size_t g = 0; g < groups; g++) {
    group_weights w[2];
    UNROLLED for (int v = 0; v < vectors; v++) {
      w[v] = weights_load(weights + weights_offset(v, panel_bytes), pairs_fit);
    }
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      const group_codes a = codes_load(pixel_addresses_at(&all, columns, p), pairs_fit);
      UNROLLED for (int v = 0; v < vectors; v++) {
        sums[p * vectors + v] = multiply_add(sums[p * vectors + v], a, w[v], pairs_fit);
      }
    }
    UNROLLED for (int i = 0; i < rows * ADDRESSES(columns); i++) { all.at[i] += FOV_GROUP; }
    weights += FOV_PANEL * FOV_GROUP;
  }
}

#endif

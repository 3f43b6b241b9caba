// Fovea - depthwise 8-bit convolution: tiles of four pixels of a panel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_3X3_5X5_H
#define FOV_INT8_DEPTHWISE_3X3_5X5_H

#include "kernels/int8/fov_int8_depthwise_row_loop.h"

// The rows of one input column are interleaved once. All output pixels of the tile use them whose
// windows hold the column:
//
//   input column   0  1  2  3  4  5        3 kernel columns, stride 1
//   output pixel   0  0  0                 a tile of 4 pixels reads 6 columns
//                     1  1  1
//                        2  2  2
//                           3  3  3
#define DEPTHWISE_PIXELS 4

// A tile of a square kernel without dilation.
INLINE void square_tile(const depthwise_loop *loop, const row_finish *finish, size_t y, size_t x,
                        int pixels, int size, int stride) {
  const fov_int8_depthwise *k = loop->depthwise;
  const int groups = (size + FOV_GROUP - 1) / FOV_GROUP;
  vector_sums sums[DEPTHWISE_PIXELS * PANEL_VECTORS];
  depthwise_begin(loop, sums, pixels);
  const uint8_t *input = depthwise_input(loop, y, x);
  UNROLLED for (int column = 0; column < (pixels - 1) * stride + size; column++) {
    UNROLLED for (int group = 0; group < groups; group++) {
      const int rest = size - group * FOV_GROUP;
      const int rows = rest < FOV_GROUP ? rest : FOV_GROUP;
      const uint8_t *first = input + column * k->input_pixel + group * FOV_GROUP * k->input_row;
      const column_codes codes = column_load(first, k->input_row, rows, true);
      UNROLLED for (int p = 0; p < pixels; p++) {
        const int kernel_column = column - p * stride;
        if (kernel_column < 0 || kernel_column >= size) continue;
        const int8_t *weights =
            loop->prepared + (kernel_column * groups + group) * COLUMN_WEIGHTS_BYTES;
        column_multiply_add(sums + p * PANEL_VECTORS, &codes, weights, rows, true);
      }
    }
  }
  finish_tile(finish, sums, pixels, PANEL_VECTORS, y, x);
}

INLINE void square_row(const depthwise_loop *loop, size_t y, int size, int stride) {
  const size_t columns = loop->depthwise->columns;
  const row_finish finish = finish_row(&loop->place, y);
  size_t x = 0;
  for (; x + DEPTHWISE_PIXELS <= columns; x += DEPTHWISE_PIXELS) {
    square_tile(loop, &finish, y, x, DEPTHWISE_PIXELS, size, stride);
  }
  switch (columns - x) {
    case 1: square_tile(loop, &finish, y, x, 1, size, stride); break;
    case 2: square_tile(loop, &finish, y, x, 2, size, stride); break;
    case 3: square_tile(loop, &finish, y, x, 3, size, stride); break;
    default: break;
  }
}

#define SQUARE_FUNCTION(name, size, stride) \
  SEPARATE void name(const depthwise_loop *loop, size_t y) { square_row(loop, y, size, stride); }
SQUARE_FUNCTION(square_3x3, 3, 1)
SQUARE_FUNCTION(square_3x3_stride_2, 3, 2)
SQUARE_FUNCTION(square_5x5, 5, 1)
SQUARE_FUNCTION(square_5x5_stride_2, 5, 2)

// NULL for other kernels.
INLINE depthwise_row_function square_function(const fov_int8_depthwise *k) {
  static const depthwise_row_function functions[2][2] = {{square_3x3, square_3x3_stride_2},
                                                         {square_5x5, square_5x5_stride_2}};
  const bool square = k->kernel[0] == k->kernel[1] && (k->kernel[0] == 3 || k->kernel[0] == 5);
  const bool steps =
      k->dilation[0] == 1 && k->dilation[1] == 1 && (k->stride[1] == 1 || k->stride[1] == 2);
  return square && steps ? functions[k->kernel[0] == 5][k->stride[1] - 1] : NULL;
}

#endif

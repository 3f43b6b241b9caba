// Fovea - gathering the neighborhoods that a convolution multiplies.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IM2COL_H
#define FOV_IM2COL_H

#include <stddef.h>

#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"

// A convolution is a matrix product once the input is laid out so that each row holds one tap of
// the kernel (input channel, kernel row, kernel column) and each column one output pixel:
//
//                  output pixels (row-major over output rows and columns)
//               +-----------------+
//      taps     | x x x 0 . . . . |     0 where a tap falls on the border
//   (c, ky, kx) | x x x x . . . . |
//               +-----------------+
//
// The matrix is larger than the input by the size of the kernel. So it is made in tiles that stay
// in the cache, of some taps by some pixels.
typedef struct fov_im2col {
  const float *planes;  // [channels, rows, columns] of one group
  size_t rows, columns;
  size_t output_rows, output_columns;
  const fov_convolution *convolution;
} fov_im2col;

// Writes one row of a tile: output pixels [pixel, pixel + count) of one tap.
FOV_INTERNAL void fov_im2col_row(const fov_im2col *source, size_t tap, size_t pixel, size_t count,
                                 float *restrict out);

// The outputs [begin, end) of one axis that tap `kernel` of a convolution reads inside the input of
// `size` elements; the others read padding. Input index = output * stride + kernel * dilation -
// before.
typedef struct fov_tap_range {
  size_t begin, end;
} fov_tap_range;

FOV_INTERNAL fov_tap_range fov_tap_outputs(const fov_convolution *convolution, int axis,
                                           size_t kernel, size_t size, size_t outputs);

#endif

// Fovea - 3 x 3 convolutions in float32 with fewer multiplications: Winograd's F(4x4, 3x3).
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_WINOGRAD_H
#define FOV_FLOAT_WINOGRAD_H

#include "kernels/fov_float_kernels.h"
#include "kernels/fov_float_packing.h"

// A tile of 4 x 4 results needs 6 x 6 inputs. With the transforms B, G and A of points 0, 1, -1, 2,
// -2 and infinity,
//
//   results = A^T [ (G taps G^T) * (B^T inputs B) ] A        * : element by element
//
// which takes 36 multiplications for each pair of channels where 144 would be direct. The products
// summed over channels are 36 convolutions of 1 x 1, one for each element ("plane"), over the tiles
// as pixels; those are what fov_float_kernels does well.
//
// Price: 4 times the weights, a workspace, and rounding: the transforms' numbers reach 8, and
// errors are 2 to 4 times the bound of direct sums. Stride and dilation 1 only; pooling allowed.
#define FOV_WINOGRAD_TILE 4
#define FOV_WINOGRAD_WINDOW 6
#define FOV_WINOGRAD_PLANES 36

typedef struct fov_float_winograd {
  fov_float_packing plane;  // the weights of one plane, a 1 x 1 convolution
  size_t bytes;             // of all planes, one behind the other
} fov_float_winograd;

// false when sizes overflow or one of the numbers is 0.
FOV_INTERNAL bool fov_float_winograd_plan(size_t output_channels, size_t input_channels,
                                          fov_float_winograd *out_winograd);

// Puts the taps of one output channel, [input channel][3][3], in their places; as
// fov_float_packing_add.
FOV_INTERNAL void fov_float_winograd_add(const fov_float_winograd *winograd, size_t output_channel,
                                         const float *taps, float *weights);

// Rows of tiles that cover the result.
FOV_INTERNAL size_t fov_float_winograd_tile_rows(const fov_float_convolution *convolution);

// Floats that a run over so many rows of tiles needs; false when they overflow.
FOV_INTERNAL bool fov_float_winograd_workspace(const fov_float_convolution *convolution,
                                               size_t tile_rows, size_t *out_floats);

// Rows [tile_row_begin, tile_row_end) of tiles. convolution->weights are the planes; its block and
// panel_floats are not read. Threads run different rows of tiles, each with a workspace of its own:
// few long runs, since each reads all weights.
FOV_INTERNAL void fov_float_winograd_run(const fov_float_winograd *winograd,
                                         const fov_float_kernels *kernels,
                                         const fov_float_convolution *convolution,
                                         size_t tile_row_begin, size_t tile_row_end,
                                         float *workspace);

#endif

// Fovea - 3 x 3 convolutions with fewer products: Winograd's F(4x4, 3x3), for codes and for floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WINOGRAD_H
#define FOV_WINOGRAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// A tile of 4 x 4 sums needs a window of 6 x 6 inputs. With the transforms of the points 0, 1, -1,
// 2, -2 and infinity, scaled to integers,
//
//   576 * sums = A [ (G taps G^T) * (B window B^T) ] A^T        * : element by element, 36 "planes"
//
//       4  0 -5  0  1  0         6  0  0
//       0 -4 -4  1  1  0         4  4  4           1 -1  1  1  1  0
//   B = 0 -4  4  1 -1  0     G = 4 -4  4       A = 0 -1 -1  2 -2  0
//       0 -2 -1  2  1  0         1  2  4           0 -1  1  4  4  0
//       0  2 -1 -2  1  0         1 -2  4           0 -1 -1  8 -8  4
//       0  4  0 -5  0  1         0  0  6
//
// This takes 36 products for each pair of channels, where a direct convolution takes 144 (Winograd
// 1980; Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015).
//
// With codes of 8 bits every step is exact, so that results have the bits of a direct convolution:
//
//   |B window B^T| <= 50 * 255, |G taps G^T| <= 144 * 128    16-bit integers
//   their products, summed over channels, and A              modulo 2^32
//   576 = 9 * 64: times the inverse of 9 modulo 2^32         64 * sums, exact when |sums| < 2^25
//
// Layers are checked for the last condition. Floats are rounded more often than in direct sums.
// Their errors are up to ten times as large.
//
// Inputs are transformed once a frame. Taps are transformed from the packed weights for every use
// of a panel. This costs less than reading four to eight times as many bytes from memory, and a
// model holds its weights only once. Some panels are multiplied together, so that inputs are read
// once for all of them. With P planes, T tiles and D channels at a time, memory is
//
//   inputs   [part of the channels][P][T][D]                    shared by threads
//   sums     [P][T][panel][FOV_PANEL]                            one thread's own
//   taps     [P][step of channels][panel][FOV_PANEL][channel]    one thread's own
//
// Stride and dilation 1; pooling allowed.
#define FOV_WINOGRAD_TILE 4
#define FOV_WINOGRAD_WINDOW 6
#define FOV_WINOGRAD_PLANES 36

// Rows [row_begin, row_end) of tiles, and how their transformed inputs lie. Distances in elements.
typedef struct fov_winograd_tiles {
  size_t row_begin, row_end;
  size_t columns;
  size_t pixel, plane, part;  // from one tile, plane and part of the channels to the next
} fov_winograd_tiles;

// Measured costs for a pair of channels, in products of a direct convolution: each product of a
// tile, the transform of the taps, and for each tile the transforms of the window, which all
// outputs share, and of the sums, which all inputs share.
typedef struct fov_winograd_costs {
  float product, taps, window, sums;
} fov_winograd_costs;

// The kernels of an instruction set. A convolution is a fov_int8_convolution or a
// fov_float_convolution. Tiles were planned for its channels, block, rows and columns.
typedef struct fov_winograd_kernels {
  // Transforms rows [row_begin, row_end) of tiles, which lie within those of `tiles`.
  void (*transform)(const void *convolution, const fov_winograd_tiles *tiles, size_t row_begin,
                    size_t row_end, void *inputs);
  // The results of all tiles for panels [panel_begin, panel_end).
  void (*multiply)(const void *convolution, const fov_winograd_tiles *tiles, const void *inputs,
                   size_t panel_begin, size_t panel_end, void *scratch);
  size_t element_bytes;  // of transformed inputs and taps
  size_t lanes;          // channels of a tile that are transformed together
  size_t depth;          // channels of a part
  size_t panels;         // that are multiplied together, while there are so many
  fov_winograd_costs costs;
} fov_winograd_kernels;

// Tiles side by side that cover `length` sums, before pooling.
FOV_INTERNAL size_t fov_winograd_tile_count(size_t length);

// A convolution of `rows` x `columns` sums, before pooling.
typedef struct fov_winograd_shape {
  size_t rows, columns, input_channels, output_channels;
} fov_winograd_shape;

// Rows and columns of tiles at the least cost. Tiles extend over the edges. If the rest may be
// computed directly, they may also end before the edges: 13 x 13 sums are 16 tiles, or 9 tiles and
// 25 direct sums. false: a direct convolution is faster.
FOV_INTERNAL bool fov_winograd_cover(const fov_winograd_kernels *kernels,
                                     const fov_winograd_shape *shape, bool rest_may_be_direct,
                                     size_t *out_rows, size_t *out_columns);

// Rows [row_begin, row_end) of tiles of `columns` each, for so many channels in blocks of `block`.
// false when sizes overflow. Bytes are of the inputs, and of what each thread needs beside them;
// both are multiples of FOV_ALIGNMENT.
FOV_INTERNAL bool fov_winograd_plan(const fov_winograd_kernels *kernels, size_t row_begin,
                                    size_t row_end, size_t columns, size_t channels, size_t block,
                                    fov_winograd_tiles *out_tiles, size_t *out_inputs,
                                    size_t *out_scratch);

// A run of neighboring channels that are multiplied together: at most `depth`, within one block of
// the packed weights.
typedef struct fov_winograd_part {
  size_t index;
  size_t begin, count;              // channels
  size_t block_begin, block_count;  // of the block that holds them
} fov_winograd_part;

// The part that begins with channel `begin`, which the part before ends at.
static inline fov_winograd_part fov_winograd_part_at(size_t index, size_t begin, size_t channels,
                                                     size_t block, size_t depth) {
  const size_t block_begin = begin / block * block;
  const size_t block_count = block < channels - block_begin ? block : channels - block_begin;
  const size_t left = block_begin + block_count - begin;
  return (fov_winograd_part){index, begin, left < depth ? left : depth, block_begin, block_count};
}

// Elements from one plane of `count` elements to the next. It is an odd number of cache lines, so
// that the same place of all planes does not fall into few sets of the cache.
static inline size_t fov_winograd_plane(size_t count, size_t element_bytes) {
  return (((count * element_bytes + 63) / 64) | 1) * 64 / element_bytes;
}

#endif

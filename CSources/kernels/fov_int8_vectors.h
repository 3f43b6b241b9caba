// Fovea - what the bodies of the 8-bit kernels ask of an instruction set's vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_VECTORS_H
#define FOV_INT8_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_inlining.h"
#include "kernels/fov_int8_kernels.h"

// A set of kernels is one .c file: it switches its instructions on, includes the header of its
// vectors and then the bodies, which are the same for all:
//
//   fov_int8_vector_avx2.h            256 bits         fov_int8_convolution_body.h   dense
//   fov_int8_vector_avx512.h            512 bits         fov_int8_depthwise_body.h     depthwise
//   fov_int8_neon_vectors.h   128 bits         fov_int8_element_body.h       runs of elements
//
// Where layers are few-channel, bodies of particular vectors stand in for these: fov_int8_few_channels_avx512.h,
// fov_int8_depthwise_avx512.h, fov_int8_depthwise_avx2.h, fov_int8_depthwise_3x3_5x5.h.
//
// A header of vectors defines
//
//   VECTOR_LANES         int32 sums of a vector; sums and floats are vectors of that many
//   TILE_PANELS          panels that a tile of the convolution takes at once
//   TILE_VECTORS_ACROSS  vectors of these panels
//   TILE_PIXELS          output pixels of a tile; the tile's sums stay in registers
//   TILE_POOLED_PIXELS   pooled output pixels of a tile, of four sums each
//   STORED_PIXELS        pixels that store_codes rounds and packs together
//   PAIRS_SATURATE       1 where panels whose pairs do not fit need functions of their own
//   sums_*, floats_*     one operation each, rounded once
//   store_codes          rounds `pixels` x `vectors` floats and stores them as clamped bytes
//   accumulate           adds the products of a run of groups to the sums of a tile
//   column_*             rows of a depthwise kernel side by side, and their products
//   KEEP_ORDER           if it likes: values are computed in the order written
//   KEPT_PIXELS          pixels that are finished together where sums come from memory
//   DEPTHWISE_PAIRS      1 where fov_int8_depthwise_avx2.h suits its vectors
//   DEPTHWISE_LANES      1 where fov_int8_depthwise_avx512.h does
//   THIN_LANES           1 where fov_int8_few_channels_avx512.h does
//   IMAGE_SHARES       1 where registers hold the weights of a 3x3 kernel of one group
//   STORES_ARE_MASKED    1 where storing a part of a vector costs nothing; then there is floats_store_some
//   int16_store_some     rounds floats in the range of 16-bit integers and stores the first of them, at most all
//
// Before it, a set of 16-bit integers says INT16_PRODUCTS: products are those of fov_int16_kernels.h.
//
// All of it is inlined with constant tile sizes: loops over pixels and vectors vanish.
// More than any tile has.
#define TILE_VECTORS 32

// Bytes of input and of weights that are expected to stay in the first and the second cache.
#define ROWS_IN_CACHE (16u << 10)
#define PANELS_IN_CACHE (128u << 10)

#define PANEL_VECTORS (FOV_PANEL / VECTOR_LANES)

#ifndef IMAGE_SHARES
#define IMAGE_SHARES 0
#endif

#ifndef STORES_ARE_MASKED
#define STORES_ARE_MASKED 0
#endif

#ifndef INT16_PRODUCTS
#define INT16_PRODUCTS 0
#endif

typedef struct code_range {
  uint8_t lowest, highest;
} code_range;

// Stores `count` <= 16 bytes of 16.
SEPARATE __attribute__((unused)) void store_some(const uint8_t *codes, uint8_t *out, size_t count) {
  if (count & 16) {
    memcpy(out, codes, 16);
    return;
  }
  if (count & 8) {
    memcpy(out, codes, 8);
    out += 8;
    codes += 8;
  }
  if (count & 4) {
    memcpy(out, codes, 4);
    out += 4;
    codes += 4;
  }
  if (count & 2) {
    memcpy(out, codes, 2);
    out += 2;
    codes += 2;
  }
  if (count & 1) *out = *codes;
}

#endif

// Fovea - what a vector header defines for the bodies of the 8-bit kernels.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_VECTORS_H
#define FOV_INT8_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_inlining.h"
#include "kernels/int8/fov_int8_kernels.h"

// A set of kernels is one .c file. It includes fov_target_begin.h, the header of its vectors and
// then the bodies, which are the same for all sets:
//
//   fov_int8_vector_avx2.h      256 bits       fov_int8_convolution_body.h   dense
//   fov_int8_vector_avx512.h    512 bits       fov_int8_depthwise_body.h     depthwise
//   fov_int8_neon_vectors.h     128 bits       fov_int8_element_body.h       runs of elements
//
// Some shapes have bodies for particular vectors. fov_kernel_set.h has a table of them.
//
// A header of vectors defines
//
//   VECTOR_LANES          the number of int32 sums, or of floats, in a vector
//   TILE_PANELS           panels that a tile of the convolution takes at once
//   TILE_VECTORS_ACROSS   vectors of these panels
//   TILE_PIXELS           output pixels of a tile; the tile's sums stay in registers
//   TILE_POOLED_PIXELS    pooled output pixels of a tile, of four sums each
//   STORED_PIXELS         pixels that store_codes rounds and stores together
//   PAIRS_SATURATE        1 if panels whose pairs do not fit need functions of their own
//   sums_*, floats_*      one operation each, rounded once
//   store_codes           rounds `pixels` x `vectors` floats and stores them as clamped bytes
//   accumulate            adds the products of a run of groups to the sums of a tile
//   column_*              rows of a depthwise kernel side by side, and their products
//   KEEP_ORDER            optional: makes the compiler compute values in the order written
//   KEPT_PIXELS           pixels that are finished together if sums are in memory
//   HAS_DEPTHWISE_AVX2    1 if fov_int8_depthwise_avx2.h is for these vectors
//   HAS_DEPTHWISE_AVX512  1 if fov_int8_depthwise_avx512.h is
//   HAS_FEW_CHANNELS      1 if fov_int8_few_channels_avx512.h is
//   IMAGE_SHARES_PIXELS   1 if registers can hold the weights of a 3x3 kernel of one group
//   PARTS_ARE_MASKED      1 if storing a part of a vector costs nothing, by floats_store_some
//   int16_store_some      rounds floats to 16-bit integers and stores the first `count` of them
//
// A set of 16-bit integers defines INT16_PRODUCTS before it: products are those of
// fov_int16_kernels.h.
//
// All functions are inlined with constant tile sizes, so that loops over pixels and vectors vanish.

// More sums than any tile has.
#define TILE_VECTORS 32

// Bytes of input and of weights that are expected to stay in the first and the second cache.
#define ROWS_IN_CACHE (16u << 10)
#define PANELS_IN_CACHE (128u << 10)

#define PANEL_VECTORS (FOV_PANEL / VECTOR_LANES)

#ifndef IMAGE_SHARES_PIXELS
#define IMAGE_SHARES_PIXELS 0
#endif

#ifndef PARTS_ARE_MASKED
#define PARTS_ARE_MASKED 0
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

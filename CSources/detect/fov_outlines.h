// Fovea - edges of boxes in float32, to tell fast which boxes do not touch.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OUTLINES_H
#define FOV_OUTLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/fov_error.h"
#include "fovea/spi/fov_candidates.h"

// Most boxes have nothing to do with each other. Beside the boxes stand their edges, rounded
// outwards, some boxes side by side: a few comparisons tell that a box touches none of them. Only
// where it may, the overlap is computed, in float64.

// Four edges, and what comparing them gives: all bits or none. All compilers of the core know such
// vectors, for all processors.
typedef float fov_edges __attribute__((vector_size(16)));
typedef int32_t fov_edge_bits __attribute__((vector_size(16)));

#define FOV_OUTLINES_IN_BLOCK 8

typedef struct fov_outline_block {
  fov_edges min_x[2], min_y[2], max_x[2], max_y[2];
} fov_outline_block;

// The edges of a box, a little outside of it.
typedef struct fov_outline {
  float min_x, min_y, max_x, max_y;
} fov_outline;

FOV_INTERNAL fov_outline fov_outline_of(const fov_box *box);

// Puts an outline at a place of the blocks. The first of a block makes the others touch nothing.
FOV_INTERNAL void fov_outlines_set(fov_outline_block *blocks, size_t place,
                                   const fov_outline *outline);

// One bit for each of four that may share area with a box: both begin before the other ends.
static inline fov_edge_bits fov_four_touching(const fov_outline_block *block, size_t half,
                                              const fov_outline *o) {
  const fov_edge_bits bits = {1, 2, 4, 8};
  return (block->min_x[half] < o->max_x) & (block->max_x[half] > o->min_x) &
         (block->min_y[half] < o->max_y) & (block->max_y[half] > o->min_y) &
         (bits << (int)(4 * half));
}

// One bit for each of a block. Written so that most calls end after one comparison with 0.
static inline uint32_t fov_outlines_touching(const fov_outline_block *block,
                                             const fov_outline *outline) {
  const fov_edge_bits lanes =
      fov_four_touching(block, 0, outline) | fov_four_touching(block, 1, outline);
  uint64_t halves[2];
  memcpy(halves, &lanes, sizeof halves);
  const uint64_t touching = halves[0] | halves[1];
  return touching == 0 ? 0 : (uint32_t)(touching | touching >> 32);
}

#endif

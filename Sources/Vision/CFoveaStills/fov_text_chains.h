// Fovea - pieces of ink that follow each other.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_CHAINS_H
#define FOV_TEXT_CHAINS_H

#include "fov_ink.h"
#include "fov_text_frame.h"

// The least upright box around a piece of ink in flat coordinates.
typedef struct fov_flat_piece {
  double left, right, top, bottom;
  int piece;  // its place in the ink
  int chain;  // the chain that it is part of
} fov_flat_piece;

// Pieces, sorted by chains and then by their left edges. Owns the array.
typedef struct fov_text_chains {
  fov_flat_piece *pieces;
  int count, chain_count;
} fov_text_chains;

// The angle at which pieces of like size follow each other, in radians, above -pi/2, up to pi/2.
// Pieces of more than `tallest` pixels are no letters. Returns 0 or -2 without memory.
int fov_text_chains_angle(const fov_ink *ink, double tallest, double *out_angle);

// Chains pieces of like height, each with the one that follows it at the right. Returns 0 or -2
// without memory. On success `out_chains` owns memory.
int fov_text_chains_find(const fov_ink *ink, const fov_text_frame *frame, double tallest,
                         fov_text_chains *out_chains);

// Sorts the pieces by chains and then by their left edges, after chains have changed.
void fov_text_chains_sort(fov_text_chains *chains);

// Releases what fov_text_chains_find made.
void fov_text_chains_release(fov_text_chains *chains);

#endif

// Fovea - pieces of ink in a picture.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INK_H
#define FOV_INK_H

#include "fov_rectify.h"

// A row of ink: columns left up to, but without, right.
typedef struct fov_ink_run {
  int left, right, row;
} fov_ink_run;

// One connected piece of ink: runs first_run up to, but without, first_run + run_count.
typedef struct fov_ink_piece {
  int first_run, run_count;
  int left, top, right, bottom;  // edges of the least upright box around it
  int area;                      // pixels
} fov_ink_piece;

// Pieces of ink and their runs. Owns both arrays; release them with fov_ink_release.
typedef struct fov_ink {
  fov_ink_run *runs;
  fov_ink_piece *pieces;
  int run_count, piece_count;
} fov_ink;

// Finds what is darker than its surroundings (or lighter, with `light`), in connected pieces of at
// least `least_area` pixels; pieces that touch at a corner are connected. A pixel is ink if,
// averaged with its neighbors, it differs from the mean of the (2 radius + 1)^2 pixels around it by
// at least `contrast` levels and by 0.3 of their standard deviation.
//
// Returns 0; -1 for an argument that is out of range; -2 without memory. On success `out_ink` owns
// memory.
int fov_ink_find(const fov_still_image *gray, int light, int radius, int contrast, int least_area,
                 fov_ink *out_ink);

// Finds what has more than `level`, in connected pieces as fov_ink_find does.
int fov_ink_above(const fov_still_image *gray, int level, int least_area, fov_ink *out_ink);

// Releases what was found.
void fov_ink_release(fov_ink *ink);

#endif

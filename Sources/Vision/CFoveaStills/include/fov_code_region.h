// Fovea - where in a picture a code lies: a quadrilateral around its bars or modules.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODE_REGION_H
#define FOV_CODE_REGION_H

#include <stdbool.h>

#include "fov_rectify.h"

// Memory for one call, which need not be initialized.
typedef struct fov_code_region_memory fov_code_region_memory;

// How many bytes of memory a call takes; about 800,000. To be aligned as a float.
size_t fov_code_region_memory_bytes(void);

// A box in pixels.
typedef struct fov_code_box {
  double left, top, right, bottom;
} fov_code_box;

// Finds the four corners of the code that a detector's box is about. A code is where gradients are
// strong everywhere, so:
//
// 1. The box and a fifth of it all around are made smaller, to 240 cells a side at most.
// 2. Sizes of gradients, bounded, are averaged over windows that are wider than a module.
// 3. Where the average is above `share` (0 to 1) of its median in the middle of the box is the
// code;
//    gaps and spots that are smaller than a window go.
// 4. The convex hull of the part in the middle loses sides, those first that add the least area
// when
//    their neighbors are drawn longer, until four are left.
//
// Writes x and y of the corners, clockwise, the first with the least x + y. The corners are rough:
// off by a window. Returns 0, or -1 where nothing like that is in the box. `picture` has one
// channel. Time grows with the pixels of the box.
int fov_code_region(const fov_still_image *picture, const fov_code_box *box, double share,
                    fov_code_region_memory *memory, double out_corners[8]);

// Makes edges stronger: each level moves away from the average around it by `amount` times its
// distance. The average is over windows of 2 radius + 1 pixels, twice. `memory` holds width x
// height floats and one more for each pixel of the longer side.
void fov_sharpen(const uint8_t *levels, int width, int height, int radius, float amount,
                 float *memory, uint8_t *out_levels);

// Replaces each level by the greatest, or else the least, of the nine around it.
void fov_widen(const uint8_t *levels, int width, int height, bool light, uint8_t *out_levels);

#endif

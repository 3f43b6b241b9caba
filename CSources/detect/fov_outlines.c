// Fovea - edges of boxes in float32, to tell fast which boxes do not touch.
// SPDX-License-Identifier: Apache-2.0
#include "detect/fov_outlines.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// The next greater float; NaN and infinity stay. nextafterf of some libraries takes ten times as
// long.
static float next_up(float value) {
  int32_t bits;
  if (!(value < INFINITY)) return value;
  value += 0.0f;  // -0 becomes 0
  memcpy(&bits, &value, sizeof bits);
  bits += bits < 0 ? -1 : 1;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float next_down(float value) { return -next_up(-value); }

fov_outline fov_outline_of(const fov_box *box) {
  return (fov_outline){next_down((float)box->min_x), next_down((float)box->min_y),
                       next_up((float)box->max_x), next_up((float)box->max_y)};
}

void fov_outlines_set(fov_outline_block *blocks, size_t place, const fov_outline *outline) {
  fov_outline_block *block = &blocks[place / FOV_OUTLINES_IN_BLOCK];
  const size_t half = place / 4 % 2, lane = place % 4;
  if (place % FOV_OUTLINES_IN_BLOCK == 0) {
    block->min_x[0] = block->min_x[1] = (fov_edges){NAN, NAN, NAN, NAN};
  }
  block->min_x[half][lane] = outline->min_x;
  block->min_y[half][lane] = outline->min_y;
  block->max_x[half][lane] = outline->max_x;
  block->max_y[half][lane] = outline->max_y;
}

// Fovea - the exact corners of a linear code, which are the ends of its bars.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODE_BARS_H
#define FOV_CODE_BARS_H

#include "fov_rectify.h"

// What is known about a linear code in a rectified picture: bars are upright, within some degrees.
typedef struct fov_bars {
  double left, right;  // columns where the first bar begins and the last one ends, roughly
  double row;          // a row that crosses all bars
  double tolerance;    // how far `left` and `right` may be off, in pixels
  // Bars at both ends that may reach further down than the others, as a part of the width; or 0.
  // The lower side goes through their ends then.
  double guard;
} fov_bars;

// How many floats of memory a picture takes.
size_t fov_code_bars_floats(int width, int height);

// Finds the four sides of a linear code, each a line through places in many strips:
//
// * Upper and lower side: in strips of columns, horizontal gradients fall to half of their size.
// * Left and right side: in strips of rows, the outermost strong edge near what is known.
//
// Lines are fitted by the median of slopes, and by least squares where places are near that. Writes
// x and y of the corners: upper left, upper right, lower right, lower left. They are off by some
// tenths of a pixel. Returns 0, or -1 where no such bars are. `picture` has one channel.
int fov_code_bars(const fov_still_image *picture, const fov_bars *bars, float *memory,
                  double out_corners[8]);

#endif

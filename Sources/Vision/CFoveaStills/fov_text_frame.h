// Fovea - the frame of a page of text: rows run along x, strokes of letters along y.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_FRAME_H
#define FOV_TEXT_FRAME_H

#include "fov_still_exact.h"

typedef struct fov_text_point {
  double x, y;
} fov_text_point;

// A line of the plane, a x + b y + c = 0, and how much it counts.
typedef struct fov_weighted_line {
  double a, b, c, weight;
} fov_weighted_line;

// The plane of a page as a camera sees it. In its flat coordinates rows run along x and strokes
// along y, and a pixel in the middle of the picture has the size 1.
typedef struct fov_text_frame {
  double middle[2];      // of the picture, where the flat coordinates are 0
  double rows[3];        // the point at which rows meet; at infinity if the third number is 0
  double strokes[3];     // the point at which strokes meet
  double to_picture[9];  // from flat coordinates, homogeneous
  double to_flat[9];     // back
} fov_text_frame;

// A frame for text that is turned by `angle` radians, clockwise, and seen from the front.
void fov_text_frame_turned(int width, int height, double angle, fov_text_frame *out_frame);

// Changes where rows (`strokes` 0) or strokes (1) meet to the point that is nearest to `count`
// lines. A picture of `width` x `height` pixels bounds how near it may lie: few and short lines
// tell little. Returns 0, or -1 if the frame stays as it is: the lines do not agree or would turn
// it over.
int fov_text_frame_meet(fov_text_frame *frame, int strokes, const fov_weighted_line *lines,
                        int count, double radius);

// The line through a point of the picture in a direction.
fov_weighted_line fov_line_through(fov_text_point point, fov_text_point direction, double weight);

// Points into the other coordinates. Behind the horizon the result is not finite.
fov_text_point fov_to_picture(const fov_text_frame *frame, fov_text_point flat);
fov_text_point fov_to_flat(const fov_text_frame *frame, fov_text_point picture);

#endif

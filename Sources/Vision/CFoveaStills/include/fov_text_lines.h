// Fovea - lines of text among pieces of ink.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_LINES_H
#define FOV_TEXT_LINES_H

#include "fov_ink.h"

// A line of text. Heights are those in the middle of the picture, in pixels.
typedef struct fov_text_line {
  double corners[8];  // x and y from the upper left of the text, clockwise; pixels of the picture
  double x_height;    // the median height of the ink above the feet of the letters
  double height;      // from the highest to the lowest ink
  double level;       // the share of columns whose lowest ink lies at the feet of the letters
  double ink_share;   // of the area between the corners
  int piece_count;    // letters, or parts of them, or letters that touch
} fov_text_line;

// Lines of text. Owns the array; release it with fov_text_lines_release.
typedef struct fov_text_lines {
  fov_text_line *lines;
  int count;
  double angle;  // of the rows in the middle of the picture, in radians, clockwise
} fov_text_lines;

// Finds the lines of text among the pieces of ink of a picture of `width` x `height` pixels.
//
// Pieces of like height are chained along the direction that most of them follow each other in. The
// feet of the letters in long chains show where rows meet, and their strokes where these meet: with
// both, rows are level and strokes upright, and the pieces are chained again. After three rounds
// each chain is a line of text, with four corners that lie as the camera saw them.
//
// At most `stroke_pixels` pixels of a part of a row, 1 to FOV_STROKE_PIXELS_MAX, show how its
// strokes stand. Fewer take less time, and corners are less exact.
//
// Returns 0; -1 for an argument that is out of range; -2 without memory. On success `out_lines`
// owns memory. Takes O(n log n) steps for n pieces, as long as few of them lie beside each other.
#define FOV_STROKE_PIXELS_MAX 4096
int fov_text_lines_find(const fov_ink *ink, int width, int height, int stroke_pixels,
                        fov_text_lines *out_lines);

// Releases what fov_text_lines_find made.
void fov_text_lines_release(fov_text_lines *lines);

#endif

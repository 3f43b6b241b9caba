// Fovea - rows of text: the feet and heights of chained letters.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_ROWS_H
#define FOV_TEXT_ROWS_H

#include "fov_text_chains.h"

// A row of text in flat coordinates. Its letters stand on y = base + slope * x.
typedef struct fov_text_row {
  double left, right;
  double base, slope;
  double above, below;  // from the feet to the highest and to the lowest ink
  double x_height;      // the median height of the ink above the feet
  double ink;           // pixels
  double level;         // the share of columns whose lowest ink lies at the feet
  int first, count;     // its pieces in the chains
} fov_text_row;

// Rows of text. Owns the array.
typedef struct fov_text_rows {
  fov_text_row *rows;
  int count;
} fov_text_rows;

// Fits a row to each chain that may be one. Returns 0 or -2 without memory; then nothing is owned.
int fov_text_rows_fit(const fov_ink *ink, const fov_text_frame *frame,
                      const fov_text_chains *chains, fov_text_rows *out_rows);

// Joins chains that continue a row: further words, commas, hyphens. Returns 0 or -2 without memory.
// Rows are to be fitted again.
int fov_text_rows_join(const fov_text_rows *rows, fov_text_chains *chains);

// Lines of the picture along the strokes of the letters, as `stroke_pixels` pixels of a part of a
// row show them. Returns how many there are, at most `room`, or -2 without memory.
int fov_text_rows_strokes(const fov_ink *ink, const fov_text_frame *frame,
                          const fov_text_chains *chains, const fov_text_rows *rows,
                          int stroke_pixels, int room, fov_weighted_line *out_lines);

// Where the letters of a row stand at `x`.
static inline double fov_text_row_base(const fov_text_row *row, double x) {
  return row->base + row->slope * x;
}

#endif

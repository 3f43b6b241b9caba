// Fovea - how upright the strokes of letters are.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fov_text_lines.h"
#include "fov_text_memory.h"
#include "fov_text_rows.h"

// Shears that are tried: -0.8 to 0.8.
#define SHEARS 33
#define SHEAR_STEP 0.05
#define COLUMNS_MAX 4096
// Of a part of a row, in units of its x-height.
#define PART_WIDTH 14

// Pixels of ink: x from the left end of the part, y from the middle of the letters.
typedef struct fov_stroke_points {
  fov_text_point points[FOV_STROKE_PIXELS_MAX];
  float sums[COLUMNS_MAX];
  int count, most;  // of points
  int columns;
} fov_stroke_points;

static void collect(const fov_ink *ink, const fov_text_frame *frame, const fov_text_row *row,
                    const fov_flat_piece *pieces, int count, fov_stroke_points *out) {
  long long area = 0;
  for (int k = 0; k < count; k++) area += ink->pieces[pieces[k].piece].area;
  const int step = (int)(area / out->most) + 1;
  int skip = 0;
  out->count = 0;
  for (int k = 0; k < count; k++) {
    const fov_ink_piece *piece = &ink->pieces[pieces[k].piece];
    for (int i = 0; i < piece->run_count; i++) {
      const fov_ink_run *run = &ink->runs[piece->first_run + i];
      for (int x = run->left; x < run->right; x++) {
        if (skip-- > 0) continue;
        skip = step - 1;
        const fov_text_point p = fov_to_flat(frame, (fov_text_point){x + 0.5, run->row + 0.5});
        const double middle = fov_text_row_base(row, p.x) - 0.5 * row->above;
        if (out->count == out->most || !isfinite(p.x)) return;
        out->points[out->count++] = (fov_text_point){p.x - pieces[0].left, p.y - middle};
      }
    }
  }
}

// How much the columns differ when the letters are sheared.
static double contrast(fov_stroke_points *strokes, double shear, double margin) {
  memset(strokes->sums, 0, (size_t)strokes->columns * sizeof *strokes->sums);
  for (int i = 0; i < strokes->count; i++) {
    const double x = strokes->points[i].x - shear * strokes->points[i].y + margin;
    if (!(x >= 0) || x >= strokes->columns - 1) continue;
    const int column = (int)x;
    strokes->sums[column] += 1 - (float)(x - column);
    strokes->sums[column + 1] += (float)(x - column);
  }
  double sum = 0;
  for (int i = 0; i < strokes->columns; i++) {
    sum += (double)strokes->sums[i] * strokes->sums[i];
  }
  return sum;
}

// The shear at which columns differ most, and how clearly. Returns whether there is one.
static bool find_shear(fov_stroke_points *strokes, double height, double *out_shear,
                       double *out_clarity) {
  double contrasts[SHEARS], mean = 0;
  int best = 0;
  for (int s = 0; s < SHEARS; s++) {
    contrasts[s] = contrast(strokes, (s - SHEARS / 2) * SHEAR_STEP, height);
    mean += contrasts[s] / SHEARS;
    if (contrasts[s] > contrasts[best]) best = s;
  }
  if (best == 0 || best == SHEARS - 1) return false;
  const double a = contrasts[best - 1], b = contrasts[best], c = contrasts[best + 1];
  const double bend = a - 2 * b + c;
  *out_shear = (best - SHEARS / 2 + (bend < 0 ? 0.5 * (a - c) / bend : 0)) * SHEAR_STEP;
  *out_clarity = b / mean - 1;
  return *out_clarity > 0;
}

int fov_text_rows_strokes(const fov_ink *ink, const fov_text_frame *frame,
                          const fov_text_chains *chains, const fov_text_rows *rows,
                          int stroke_pixels, int room, fov_weighted_line *out_lines) {
  fov_stroke_points *strokes = fov_text_new(sizeof *strokes);
  if (strokes == NULL) return -2;
  strokes->most = stroke_pixels;
  int n = 0;
  for (int r = 0; r < rows->count; r++) {
    const fov_text_row *row = &rows->rows[r];
    const fov_flat_piece *pieces = &chains->pieces[row->first];
    for (int i = 0, end; i < row->count && n < room; i = end) {
      end = i + 1;
      while (end < row->count && pieces[end].right - pieces[i].left < PART_WIDTH * row->x_height) {
        end++;
      }
      const double width = pieces[end - 1].right - pieces[i].left;
      const double height = row->above + row->below;
      double shear, clarity;
      if (width + 2 * height + 2 > COLUMNS_MAX) continue;
      strokes->columns = (int)(width + 2 * height) + 2;
      collect(ink, frame, row, &pieces[i], end - i, strokes);
      if (!find_shear(strokes, height, &shear, &clarity)) continue;
      const double x = pieces[i].left + width / 2;
      const double y = fov_text_row_base(row, x) - 0.5 * row->x_height;
      const fov_text_point p = fov_to_picture(frame, (fov_text_point){x, y});
      const fov_text_point q = fov_to_picture(frame, (fov_text_point){x + shear * 8, y + 8});
      if (!isfinite(p.x) || !isfinite(q.x)) continue;
      const fov_text_point direction = {q.x - p.x, q.y - p.y};
      out_lines[n++] = fov_line_through(p, direction, clarity * (end - i));
    }
  }
  fov_text_delete(strokes);
  return n;
}

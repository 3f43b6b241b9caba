// Fovea - rows of text: the feet and heights of chained letters.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fov_text_memory.h"

// In flat pixels; wider ones are no text, and would need much memory.
#define WIDEST_ROW 20000

// The highest and the lowest ink of each column of a row, NAN where there is none; room for more
// numbers.
typedef struct fov_row_profile {
  double *tops, *bottoms, *numbers;
  int columns;
} fov_row_profile;

static int by_value(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

static double median(double *values, int n) {
  qsort(values, (size_t)n, sizeof *values, by_value);
  return n > 0 ? values[n / 2] : 0;
}

static int make_profile(const fov_ink *ink, const fov_text_frame *frame,
                        const fov_flat_piece *pieces, fov_text_row *row, fov_row_profile *out) {
  const int columns = (int)ceil(row->right - row->left) + 1;
  const size_t count = (size_t)columns;
  out->columns = columns;
  out->tops = fov_text_new((3 * count + (size_t)row->count) * sizeof *out->tops);
  if (out->tops == NULL) return -2;
  out->bottoms = out->tops + count;
  out->numbers = out->bottoms + count;
  for (int i = 0; i < 2 * columns; i++) out->tops[i] = NAN;
  row->ink = 0;
  for (int k = 0; k < row->count; k++) {
    const fov_ink_piece *piece = &ink->pieces[pieces[k].piece];
    for (int i = 0; i < piece->run_count; i++) {
      const fov_ink_run *run = &ink->runs[piece->first_run + i];
      for (int x = run->left; x < run->right; x++) {
        const fov_text_point p = fov_to_flat(frame, (fov_text_point){x + 0.5, run->row + 0.5});
        const int column = (int)(p.x - row->left);
        if (!(p.x >= row->left) || column >= columns) continue;
        // fmin and fmax ignore what is not a number.
        out->tops[column] = fmin(out->tops[column], p.y - 0.5);
        out->bottoms[column] = fmax(out->bottoms[column], p.y + 0.5);
        row->ink += 1;
      }
    }
  }
  return 0;
}

// The line through the lowest ink that most columns lie at: squares first, then distances, and then
// ever fewer columns. `unit` is the height of letters.
static void fit_base(const fov_row_profile *profile, double unit, fov_text_row *row) {
  double base = 0, slope = 0;
  for (int round = 0; round < 12; round++) {
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < profile->columns; i++) {
      const double x = row->left + i + 0.5, y = profile->bottoms[i];
      if (isnan(y)) continue;
      const double miss = (y - base - slope * x) / unit;
      const double doubt = round < 6 ? 0.05 + fabs(miss) : 0.01 + 4 * miss * miss;
      const double weight = round == 0 ? 1 : 1 / doubt;
      s += weight;
      sx += weight * x;
      sy += weight * y;
      sxx += weight * x * x;
      sxy += weight * x * y;
    }
    if (!(s > 0)) return;
    // Few letters say little about the slope.
    slope = (sxy - sx * sy / s) / (sxx - sx * sx / s + 4 * unit * unit * s);
    base = (sy - slope * sx) / s;
  }
  row->base = base;
  row->slope = slope;
}

static void measure_heights(const fov_row_profile *profile, fov_text_row *row) {
  int n = 0, level = 0;
  for (int i = 0; i < profile->columns; i++) {
    if (isnan(profile->tops[i])) continue;
    profile->numbers[n++] = fov_text_row_base(row, row->left + i + 0.5) - profile->tops[i] - 1;
  }
  row->x_height = fmax(1, median(profile->numbers, n));
  row->above = row->below = 0;
  for (int i = 0; i < profile->columns; i++) {
    if (isnan(profile->tops[i])) continue;
    const double base = fov_text_row_base(row, row->left + i + 0.5);
    const double up = base - profile->tops[i], down = profile->bottoms[i] - base;
    // What reaches higher or lower is not of this row.
    if (up < 2.4 * row->x_height + 1) row->above = fmax(row->above, up);
    if (down < 1.2 * row->x_height + 1) row->below = fmax(row->below, down);
    level += fabs(down) < 0.12 * row->x_height + 0.7;
  }
  row->level = n > 0 ? (double)level / n : 0;
}

static int fit_row(const fov_ink *ink, const fov_text_frame *frame, const fov_flat_piece *pieces,
                   fov_text_row *row) {
  fov_row_profile profile;
  if (make_profile(ink, frame, pieces, row, &profile) != 0) return -2;
  for (int k = 0; k < row->count; k++) profile.numbers[k] = pieces[k].bottom - pieces[k].top;
  const double tall = median(profile.numbers, row->count);
  fit_base(&profile, fmax(1, 0.35 * tall), row);
  measure_heights(&profile, row);
  fov_text_delete(profile.tops);
  return 0;
}

static bool is_row(const fov_text_row *row) {
  const double width = row->right - row->left, height = row->above + row->below;
  return width > 1.2 * height && height >= 5 && (row->count >= 3 || width > 2 * height) &&
         row->level > 0.25 && fabs(row->slope) < 0.25;
}

int fov_text_rows_fit(const fov_ink *ink, const fov_text_frame *frame,
                      const fov_text_chains *chains, fov_text_rows *out_rows) {
  memset(out_rows, 0, sizeof *out_rows);
  out_rows->rows = fov_text_zeroed((size_t)chains->chain_count + 1, sizeof *out_rows->rows);
  if (out_rows->rows == NULL) return -2;
  for (int i = 0; i < chains->count;) {
    const fov_flat_piece *first = &chains->pieces[i];
    fov_text_row row = {.left = first->left, .right = first->right, .first = i};
    double top = first->top, bottom = first->bottom;
    for (; i < chains->count && chains->pieces[i].chain == first->chain; i++, row.count++) {
      row.right = fmax(row.right, chains->pieces[i].right);
      top = fmin(top, chains->pieces[i].top);
      bottom = fmax(bottom, chains->pieces[i].bottom);
    }
    const double width = row.right - row.left;
    if ((width < 1.2 * (bottom - top) && row.count < 3) || width > WIDEST_ROW) continue;
    if (fit_row(ink, frame, first, &row) != 0) {
      fov_text_delete(out_rows->rows);
      memset(out_rows, 0, sizeof *out_rows);
      return -2;
    }
    if (is_row(&row)) out_rows->rows[out_rows->count++] = row;
  }
  return 0;
}

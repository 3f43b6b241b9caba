// Fovea - lines of text among pieces of ink.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_lines.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fov_text_memory.h"
#include "fov_text_rows.h"

#define ROUNDS 3
// Parts of rows whose strokes are measured.
#define PARTS_PER_ROW 64

// Lines of the picture along the feet of long rows. Returns how many there are.
static int row_lines(const fov_text_rows *rows, const fov_text_frame *frame,
                     fov_weighted_line *out_lines) {
  int n = 0;
  for (int i = 0; i < rows->count; i++) {
    const fov_text_row *row = &rows->rows[i];
    if (row->right - row->left < 5 * row->x_height || row->count < 3) continue;
    const fov_text_point left = {row->left, fov_text_row_base(row, row->left)};
    const fov_text_point right = {row->right, fov_text_row_base(row, row->right)};
    const fov_text_point p = fov_to_picture(frame, left), q = fov_to_picture(frame, right);
    if (!isfinite(p.x) || !isfinite(q.x)) continue;
    const double letters = (row->right - row->left) / (row->x_height + 1);
    out_lines[n++] =
        fov_line_through(p, (fov_text_point){q.x - p.x, q.y - p.y}, fmin(letters * letters, 2500));
  }
  return n;
}

// Moves the points where rows and strokes meet to what the rows show.
static int improve_frame(const fov_ink *ink, const fov_text_chains *chains,
                         const fov_text_rows *rows, double radius, int stroke_pixels,
                         fov_text_frame *frame) {
  const int room = (rows->count + 1) * PARTS_PER_ROW;
  fov_weighted_line *lines = fov_text_new((size_t)room * sizeof *lines);
  if (lines == NULL) return -2;
  fov_text_frame better = *frame;
  // Where the lines do not agree the frame stays as it is.
  (void)fov_text_frame_meet(&better, 0, lines, row_lines(rows, frame, lines), radius);
  const int n = fov_text_rows_strokes(ink, frame, chains, rows, stroke_pixels, room, lines);
  if (n >= 0) (void)fov_text_frame_meet(&better, 1, lines, n, radius);
  fov_text_delete(lines);
  *frame = better;
  return n < 0 ? n : 0;
}

// Writes the corners of a row. Returns whether all of them can be seen.
static bool write_line(const fov_text_row *row, const fov_text_frame *frame,
                       fov_text_line *out_line) {
  const double height = row->above + row->below;
  *out_line = (fov_text_line){
      .x_height = row->x_height,
      .height = height,
      .level = row->level,
      .ink_share = row->ink / ((row->right - row->left) * height),
      .piece_count = row->count,
  };
  for (int i = 0; i < 4; i++) {
    const double x = i == 1 || i == 2 ? row->right : row->left;
    const double base = fov_text_row_base(row, x);
    const fov_text_point corner =
        fov_to_picture(frame, (fov_text_point){x, i < 2 ? base - row->above : base + row->below});
    if (!isfinite(corner.x) || !isfinite(corner.y)) return false;
    out_line->corners[2 * i] = corner.x;
    out_line->corners[2 * i + 1] = corner.y;
  }
  return true;
}

static int write_lines(const fov_text_rows *rows, const fov_text_frame *frame,
                       fov_text_lines *out_lines) {
  out_lines->lines = fov_text_zeroed((size_t)rows->count + 1, sizeof *out_lines->lines);
  if (out_lines->lines == NULL) return -2;
  for (int i = 0; i < rows->count; i++) {
    if (write_line(&rows->rows[i], frame, &out_lines->lines[out_lines->count])) {
      out_lines->count++;
    }
  }
  out_lines->angle = atan2(frame->to_picture[3] - frame->to_picture[6] * frame->middle[1],
                           frame->to_picture[0] - frame->to_picture[6] * frame->middle[0]);
  return 0;
}

// Chains the pieces in the frame, and makes the frame better or, in the last round, writes the
// lines.
static int run_round(const fov_ink *ink, int round, double tallest, double radius,
                     int stroke_pixels, fov_text_frame *frame, fov_text_lines *out_lines) {
  fov_text_chains chains;
  fov_text_rows rows = {0};
  int status = fov_text_chains_find(ink, frame, tallest, &chains);
  if (status == 0) status = fov_text_rows_fit(ink, frame, &chains, &rows);
  if (status == 0 && round > 0) {
    status = fov_text_rows_join(&rows, &chains);
    fov_text_delete(rows.rows);
    rows.rows = NULL;
    if (status == 0) status = fov_text_rows_fit(ink, frame, &chains, &rows);
  }
  if (status == 0) {
    status = round < ROUNDS ? improve_frame(ink, &chains, &rows, radius, stroke_pixels, frame)
                            : write_lines(&rows, frame, out_lines);
  }
  fov_text_delete(rows.rows);
  fov_text_chains_release(&chains);
  return status;
}

int fov_text_lines_find(const fov_ink *ink, int width, int height, int stroke_pixels,
                        fov_text_lines *out_lines) {
  if (ink == NULL || out_lines == NULL || width < 1 || height < 1) return -1;
  if (stroke_pixels < 1 || stroke_pixels > FOV_STROKE_PIXELS_MAX) return -1;
  memset(out_lines, 0, sizeof *out_lines);
  const double tallest = 0.5 * (width < height ? width : height);
  const double radius = 0.5 * fov_hypotenuse(width, height);
  double angle;
  int status = fov_text_chains_angle(ink, tallest, &angle);
  fov_text_frame frame;
  if (status == 0) fov_text_frame_turned(width, height, angle, &frame);
  for (int round = 0; status == 0 && round <= ROUNDS; round++) {
    status = run_round(ink, round, tallest, radius, stroke_pixels, &frame, out_lines);
  }
  return status;
}

void fov_text_lines_release(fov_text_lines *lines) {
  fov_text_delete(lines->lines);
  memset(lines, 0, sizeof *lines);
}

// Fovea - the angle at which letters follow each other.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "fov_text_chains.h"
#include "fov_text_memory.h"

#define PI 3.14159265358979323846
#define ANGLES 180
// In pixels of the picture, on the longer side of a piece.
#define LEAST_SIZE 4
// How far apart two letters may lie, in units of the larger one. Far ones show the angle better.
#define REACH 7

static int size_of(const fov_ink_piece *piece) {
  const int width = piece->right - piece->left, height = piece->bottom - piece->top;
  return width > height ? width : height;
}

static int by_left(const void *a, const void *b) {
  const fov_ink_piece *const *p = a, *const *q = b;
  if ((*p)->left != (*q)->left) return (*p)->left - (*q)->left;
  return (*p)->first_run - (*q)->first_run;
}

static void vote(const fov_ink_piece *p, const fov_ink_piece *q, double *votes) {
  const double size = size_of(p), other = size_of(q);
  if (size > 1.35 * other || other > 1.35 * size) return;
  const double x = (q->left + q->right - p->left - p->right) / 2.0;
  const double y = (q->top + q->bottom - p->top - p->bottom) / 2.0;
  const double distance = fov_hypotenuse(x, y);
  if (distance < 0.5 * size || distance > REACH * size) return;
  double angle = atan2(y, x) * ANGLES / PI;
  if (angle < 0) angle += ANGLES;
  votes[(int)angle % ANGLES] += size / distance;
}

// The angle with most votes in its neighborhood.
static double winner(const double *votes) {
  int best = 0;
  double most = -1;
  for (int i = 0; i < ANGLES; i++) {
    double sum = 0;
    for (int k = -4; k <= 4; k++) sum += (5 - abs(k)) * votes[(i + k + ANGLES) % ANGLES];
    // Rows run along the picture rather than upward: columns of digits line up, too.
    const int from_level = i < ANGLES - i ? i : ANGLES - i;
    if (from_level > 50) sum *= 0.6;
    if (sum > most) {
      most = sum;
      best = i;
    }
  }
  const double angle = (best + 0.5) * PI / ANGLES;
  return angle > PI / 2 ? angle - PI : angle;
}

int fov_text_chains_angle(const fov_ink *ink, double tallest, double *out_angle) {
  const fov_ink_piece **sorted = fov_text_new(((size_t)ink->piece_count + 1) * sizeof *sorted);
  if (sorted == NULL) return -2;
  int n = 0;
  for (int i = 0; i < ink->piece_count; i++) {
    const int size = size_of(&ink->pieces[i]);
    if (size >= LEAST_SIZE && size <= 2 * tallest) sorted[n++] = &ink->pieces[i];
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_left);
  double votes[ANGLES] = {0};
  for (int i = 0; i < n; i++) {
    const int reach = sorted[i]->right + REACH * size_of(sorted[i]);
    for (int j = i + 1; j < n && sorted[j]->left <= reach; j++) vote(sorted[i], sorted[j], votes);
  }
  fov_text_delete(sorted);
  *out_angle = winner(votes);
  return 0;
}

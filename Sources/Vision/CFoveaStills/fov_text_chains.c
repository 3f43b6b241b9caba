// Fovea - pieces of ink that follow each other.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_chains.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fov_text_memory.h"

// In flat pixels: lower pieces are commas, hyphens or noise, and begin no chain.
#define LEAST_HEIGHT 4.0
// Of the higher of two letters: wider gaps are more than one space.
#define WIDEST_GAP 1.7
// How much higher a letter may be than its neighbor.
#define HEIGHT_RATIO 2.8

static int by_left(const void *a, const void *b) {
  const fov_flat_piece *p = a, *q = b;
  if (p->left != q->left) return p->left < q->left ? -1 : 1;
  return p->piece - q->piece;
}

static int by_chain(const void *a, const void *b) {
  const fov_flat_piece *p = a, *q = b;
  return p->chain != q->chain ? p->chain - q->chain : by_left(a, b);
}

// What leaves the picture is paper or background, unless it is small.
static bool leaves_picture(const fov_ink_piece *piece, const fov_text_frame *frame,
                           double tallest) {
  const bool touches = piece->left < 1 || piece->top < 1 ||
                       piece->right >= 2 * frame->middle[0] - 0.5 ||
                       piece->bottom >= 2 * frame->middle[1] - 0.5;
  return touches && fmax(piece->right - piece->left, piece->bottom - piece->top) > 0.1 * tallest;
}

static bool flatten(const fov_ink *ink, int index, const fov_text_frame *frame,
                    fov_flat_piece *out_piece) {
  const fov_ink_piece *piece = &ink->pieces[index];
  *out_piece = (fov_flat_piece){INFINITY, -INFINITY, INFINITY, -INFINITY, index, -1};
  for (int i = 0; i < piece->run_count; i++) {
    const fov_ink_run *run = &ink->runs[piece->first_run + i];
    for (int corner = 0; corner < 4; corner++) {
      const int x = corner & 1 ? run->right : run->left;
      const fov_text_point p = fov_to_flat(frame, (fov_text_point){x, run->row + (corner >> 1)});
      if (!isfinite(p.x) || !isfinite(p.y)) return false;
      out_piece->left = fmin(out_piece->left, p.x);
      out_piece->right = fmax(out_piece->right, p.x);
      out_piece->top = fmin(out_piece->top, p.y);
      out_piece->bottom = fmax(out_piece->bottom, p.y);
    }
  }
  return true;
}

static bool may_be_letters(const fov_flat_piece *p, const fov_ink_piece *piece, double tallest) {
  const double width = p->right - p->left, height = p->bottom - p->top;
  if (height > tallest || width > 40 * height || width > 3.2 * tallest) return false;
  // Frames are large and nearly empty.
  return piece->area > 0.04 * width * height;
}

// How badly one piece follows another; infinite if it does not.
static double misfit(const fov_flat_piece *p, const fov_flat_piece *q) {
  const double p_height = p->bottom - p->top, q_height = q->bottom - q->top;
  const double low = fmin(p_height, q_height), high = fmax(p_height, q_height);
  const double shared = fmin(p->bottom, q->bottom) - fmax(p->top, q->top);
  const double gap = q->left - p->right;
  if (low < LEAST_HEIGHT || high > HEIGHT_RATIO * low || shared < 0.5 * low ||
      gap > WIDEST_GAP * high || gap < -0.7 * high) {
    return INFINITY;
  }
  return fabs(gap) + fabs(p->bottom - q->bottom) + 0.5 * fabs(p->top - q->top);
}

// Writes for each piece, sorted by left edges, the one before it, or -1.
static void link_pieces(const fov_flat_piece *pieces, int n, int *out_previous) {
  for (int i = 0; i < n; i++) out_previous[i] = -1;
  for (int i = 0; i < n; i++) {
    const fov_flat_piece *p = &pieces[i];
    const double reach = p->right + WIDEST_GAP * HEIGHT_RATIO * (p->bottom - p->top);
    double best = INFINITY;
    int next = -1;
    for (int j = i + 1; j < n && pieces[j].left <= reach; j++) {
      if (pieces[j].right <= p->right) continue;
      const double cost = misfit(p, &pieces[j]);
      if (cost < best) {
        best = cost;
        next = j;
      }
    }
    if (next < 0) continue;
    // Of several pieces with the same follower the nearest keeps it.
    const int rival = out_previous[next];
    if (rival < 0 || best < misfit(&pieces[rival], &pieces[next])) out_previous[next] = i;
  }
}

int fov_text_chains_find(const fov_ink *ink, const fov_text_frame *frame, double tallest,
                         fov_text_chains *out_chains) {
  memset(out_chains, 0, sizeof *out_chains);
  const size_t room = (size_t)ink->piece_count + 1;
  fov_flat_piece *pieces = fov_text_new(room * sizeof *pieces);
  int *previous = fov_text_new(room * sizeof *previous);
  if (pieces == NULL || previous == NULL) {
    fov_text_delete(pieces);
    fov_text_delete(previous);
    return -2;
  }
  int n = 0;
  for (int i = 0; i < ink->piece_count; i++) {
    const fov_ink_piece *piece = &ink->pieces[i];
    if (!leaves_picture(piece, frame, tallest) && flatten(ink, i, frame, &pieces[n]) &&
        may_be_letters(&pieces[n], piece, tallest)) {
      n++;
    }
  }
  qsort(pieces, (size_t)n, sizeof *pieces, by_left);
  link_pieces(pieces, n, previous);
  *out_chains = (fov_text_chains){pieces, n, 0};
  for (int i = 0; i < n; i++) {
    // What lies before has a smaller left edge, so its chain is known.
    const int before = previous[i];
    pieces[i].chain = before >= 0 ? pieces[before].chain : out_chains->chain_count++;
  }
  fov_text_delete(previous);
  fov_text_chains_sort(out_chains);
  return 0;
}

void fov_text_chains_sort(fov_text_chains *chains) {
  qsort(chains->pieces, (size_t)chains->count, sizeof *chains->pieces, by_chain);
}

void fov_text_chains_release(fov_text_chains *chains) {
  fov_text_delete(chains->pieces);
  memset(chains, 0, sizeof *chains);
}

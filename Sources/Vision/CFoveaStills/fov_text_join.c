// Fovea - rows of text that are joined from several chains.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fov_text_memory.h"
#include "fov_text_rows.h"

// Between words, in units of the height of capitals.
#define WIDEST_SPACE 1.6

// A chain in flat coordinates.
typedef struct fov_chain_box {
  double left, right, top, bottom;
  int chain;
  const fov_text_row *row;  // NULL where the chain is none
} fov_chain_box;

// What joining needs. `into` is the chain that each chain is part of now.
typedef struct fov_joining {
  fov_chain_box *boxes;  // by left edges
  int *into;
  const fov_text_row **rows;  // those with most pieces first
  int box_count;
  double widest;
} fov_joining;

static int by_left(const void *a, const void *b) {
  const fov_chain_box *p = a, *q = b;
  if (p->left != q->left) return p->left < q->left ? -1 : 1;
  return p->chain - q->chain;
}

static int by_size(const void *a, const void *b) {
  const fov_text_row *const *p = a, *const *q = b;
  if ((*p)->count != (*q)->count) return (*q)->count - (*p)->count;
  return (*p)->first - (*q)->first;
}

static void collect_boxes(const fov_text_rows *rows, const fov_text_chains *chains,
                          fov_joining *joining) {
  int row = 0;
  for (int i = 0; i < chains->count;) {
    const fov_flat_piece *first = &chains->pieces[i];
    fov_chain_box box = {first->left, first->right, first->top, first->bottom, first->chain, NULL};
    // Rows come in the order of their chains.
    if (row < rows->count && rows->rows[row].first == i) box.row = &rows->rows[row++];
    for (; i < chains->count && chains->pieces[i].chain == first->chain; i++) {
      box.right = fmax(box.right, chains->pieces[i].right);
      box.top = fmin(box.top, chains->pieces[i].top);
      box.bottom = fmax(box.bottom, chains->pieces[i].bottom);
    }
    joining->into[box.chain] = box.chain;
    joining->widest = fmax(joining->widest, box.right - box.left);
    joining->boxes[joining->box_count++] = box;
  }
  qsort(joining->boxes, (size_t)joining->box_count, sizeof *joining->boxes, by_left);
  for (int i = 0; i < rows->count; i++) joining->rows[i] = &rows->rows[i];
  qsort(joining->rows, (size_t)rows->count, sizeof *joining->rows, by_size);
}

// Whether a chain lies beside a row, a space away, at its height.
static bool continues(const fov_text_row *row, const fov_chain_box *box) {
  const bool follows = box->left > row->left;
  const double gap = follows ? box->left - row->right : row->left - box->right;
  const double size = row->above;
  if (gap > WIDEST_SPACE * size || gap < -0.6 * size) return false;
  const double x = (box->left + box->right) / 2;
  const double near = follows ? fmin(x, row->right + 3 * size) : fmax(x, row->left - 3 * size);
  const double base = fov_text_row_base(row, near);
  const double lowest = base + fmax(row->below, 0.4 * size) + 0.15 * size + 1;
  if (box->top < base - 1.3 * size - 1 || box->bottom > lowest) return false;
  if (box->right - box->left < 1.2 * size) return true;
  if (box->row == NULL) {
    return box->bottom - box->top < 0.4 * size || box->bottom > base - 0.3 * size;
  }
  const double other = fov_text_row_base(box->row, x);
  return fabs(other - base) < 0.25 * size && box->row->x_height < 1.7 * row->x_height &&
         row->x_height < 1.7 * box->row->x_height;
}

// Whether a chain that is no row of its own lies within a row: a dot, a comma, an accent.
static bool lies_within(const fov_text_row *row, const fov_chain_box *box) {
  const double base = fov_text_row_base(row, box->left);
  return box->row == NULL && box->top > base - 1.2 * row->above &&
         box->bottom < base + row->below + 0.2 * row->above;
}

static int first_from(const fov_joining *joining, double left) {
  int low = 0, high = joining->box_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (joining->boxes[middle].left < left) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Takes chains into a row until none fits.
static void grow(fov_joining *joining, fov_text_row row, int chain) {
  bool grew = true;
  while (grew) {
    grew = false;
    const double reach = WIDEST_SPACE * row.above;
    const int first = first_from(joining, row.left - reach - joining->widest);
    for (int i = first; i < joining->box_count; i++) {
      const fov_chain_box *box = &joining->boxes[i];
      if (box->left > row.right + reach) break;
      if (box->chain == chain || joining->into[box->chain] != box->chain) continue;
      const bool is_inside = box->left >= row.left && box->right <= row.right;
      if (is_inside ? !lies_within(&row, box) : !continues(&row, box)) continue;
      joining->into[box->chain] = chain;
      row.left = fmin(row.left, box->left);
      row.right = fmax(row.right, box->right);
      grew = true;
    }
  }
}

int fov_text_rows_join(const fov_text_rows *rows, fov_text_chains *chains) {
  const size_t room = (size_t)chains->chain_count + 1;
  fov_joining joining = {
      .boxes = fov_text_new(room * sizeof *joining.boxes),
      .into = fov_text_new(room * sizeof *joining.into),
      .rows = fov_text_new(((size_t)rows->count + 1) * sizeof *joining.rows),
  };
  const bool is_ready = joining.boxes != NULL && joining.into != NULL && joining.rows != NULL;
  if (is_ready) {
    collect_boxes(rows, chains, &joining);
    for (int i = 0; i < rows->count; i++) {
      const fov_text_row *row = joining.rows[i];
      const int chain = chains->pieces[row->first].chain;
      if (joining.into[chain] != chain || row->count < 3 || row->level < 0.3) continue;
      grow(&joining, *row, chain);
    }
    for (int i = 0; i < chains->count; i++) {
      int chain = chains->pieces[i].chain;
      while (joining.into[chain] != chain) chain = joining.into[chain];
      chains->pieces[i].chain = chain;
    }
    fov_text_chains_sort(chains);
  }
  fov_text_delete(joining.boxes);
  fov_text_delete(joining.into);
  fov_text_delete(joining.rows);
  return is_ready ? 0 : -2;
}

// Fovea - products of matrices in training: tall and thin ones, without packing.
// SPDX-License-Identifier: Apache-2.0
//
// A block of rows and two vectors of columns stay in registers while the depth goes by:
//
//                     b   | vector | vector |     one row of b for each step of the depth
//   a of a row  --->      |  sums  |  sums  |     times one number of a for each row
//
// Neither side is copied: rows of b are read as they lie, and the numbers of a at any two strides.
#include "fov_train_bounds.h"
#include "fov_train_loops.h"

#define VECTORS 2

// The rows that registers have room for.
#if !defined(FOV_TRAIN_ROWS)
#define FOV_TRAIN_ROWS 6
#endif

#define LANES fov_train_lanes
#define WIDTH FOV_TRAIN_LANES
#define NAMED(name) name##_of_narrow
#define END end_narrow
#include "fov_train_product_block.h"
#undef LANES
#undef WIDTH
#undef NAMED
#undef END

#if defined(FOV_TRAIN_HAS_WIDE)
#define LANES fov_train_wide
#define WIDTH (2 * FOV_TRAIN_LANES)
#define NAMED(name) name##_of_wide
#define END end_wide
#include "fov_train_product_block.h"
#undef LANES
#undef WIDTH
#undef NAMED
#undef END
#endif

// A column that fills no vector.
static void single_column(const fov_train_product *p, size_t column) {
  for (size_t r = 0; r < p->rows; r++) {
    fov_real sum = 0;
    for (size_t d = 0; d < p->depth; d++) {
      sum += p->a[r * p->a_row + d * p->a_step] * p->b[d * p->b_step + column];
    }
    if (p->end.bias) {
      sum += p->end.bias[column];
      sum = sum > p->end.slope * sum ? sum : p->end.slope * sum;
      sum = sum < p->end.bound ? sum : p->end.bound;
    }
    fov_real *to = p->out + r * p->out_row + column;
    *to = p->adds ? *to + sum : sum;
  }
}

FOV_TRAIN_KERNEL void fov_train_multiply(const fov_train_product *p) {
  size_t column = 0;
#if defined(FOV_TRAIN_HAS_WIDE)
  for (; column + 4 * FOV_TRAIN_LANES <= p->columns; column += 4 * FOV_TRAIN_LANES) {
    column_of_wide(2, p, column);
  }
  if (column + 2 * FOV_TRAIN_LANES <= p->columns) {
    column_of_wide(1, p, column);
    column += 2 * FOV_TRAIN_LANES;
  }
#endif
  for (; column + 2 * FOV_TRAIN_LANES <= p->columns; column += 2 * FOV_TRAIN_LANES) {
    column_of_narrow(2, p, column);
  }
  if (column + FOV_TRAIN_LANES <= p->columns) {
    column_of_narrow(1, p, column);
    column += FOV_TRAIN_LANES;
  }
  for (; column < p->columns; column++) single_column(p, column);
}

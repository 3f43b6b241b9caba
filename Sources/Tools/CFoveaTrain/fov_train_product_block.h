// Fovea - a block of a product of matrices, for one width of vectors.
// SPDX-License-Identifier: Apache-2.0
//
// Included without a guard, once for each width: LANES are WIDTH columns, NAMED makes names, and
// END stores sums with what follows them.

#define FROM(pointer) (*(const LANES *)(const void *)(pointer))
#define AT(pointer) (*(LANES *)(void *)(pointer))

// The sums of some rows and vectors, from a row and a column on.
FOV_TRAIN_INLINE void NAMED(block)(const size_t rows, const size_t vectors,
                                   const fov_train_product *p, size_t row, size_t column) {
  const fov_real *a = p->a + row * p->a_row, *b = p->b + column;
  LANES sum[FOV_TRAIN_ROWS][VECTORS];
  FOV_TRAIN_UNROLLED for (size_t r = 0; r < rows; r++) {
    FOV_TRAIN_UNROLLED for (size_t v = 0; v < vectors; v++) sum[r][v] = (LANES){0};
  }
  for (size_t d = 0; d < p->depth; d++) {
    LANES right[VECTORS];
    FOV_TRAIN_UNROLLED for (size_t v = 0; v < vectors; v++) {
      right[v] = FROM(b + d * p->b_step + v * WIDTH);
    }
    FOV_TRAIN_UNROLLED for (size_t r = 0; r < rows; r++) {
      const LANES left = (LANES){0} + a[r * p->a_row + d * p->a_step];
      FOV_TRAIN_UNROLLED for (size_t v = 0; v < vectors; v++) sum[r][v] += left * right[v];
    }
  }
  FOV_TRAIN_UNROLLED for (size_t r = 0; r < rows; r++) {
    FOV_TRAIN_UNROLLED for (size_t v = 0; v < vectors; v++) {
      fov_real *to = p->out + (row + r) * p->out_row + column + v * WIDTH;
      if (p->adds) {
        AT(to) += sum[r][v];
      } else {
        END(&sum[r][v], &p->end, column + v * WIDTH, to);
      }
    }
  }
}

// All rows of some vectors.
FOV_TRAIN_INLINE void NAMED(column)(const size_t vectors, const fov_train_product *p,
                                    size_t column) {
  size_t r = 0;
  for (; r + FOV_TRAIN_ROWS <= p->rows; r += FOV_TRAIN_ROWS) {
    NAMED(block)(FOV_TRAIN_ROWS, vectors, p, r, column);
  }
#if FOV_TRAIN_ROWS > 8
  for (; r + 8 <= p->rows; r += 8) NAMED(block)(8, vectors, p, r, column);
#endif
  for (; r + 4 <= p->rows; r += 4) NAMED(block)(4, vectors, p, r, column);
  for (; r + 2 <= p->rows; r += 2) NAMED(block)(2, vectors, p, r, column);
  if (r < p->rows) NAMED(block)(1, vectors, p, r, column);
}

#undef FROM
#undef AT

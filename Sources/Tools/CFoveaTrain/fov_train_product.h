// Fovea - products of matrices of training: the core's, or plain loops in double precision.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_PRODUCT_H
#define FOV_TRAIN_PRODUCT_H

#include "fov_train_memory.h"
#include "fov_train_tape.h"

// A matrix in memory, and whether it is read as its transpose.
typedef struct fov_matrix {
  const fov_real *data;
  size_t stride;
  bool is_turned;
} fov_matrix;

// out[rows x columns] = (or += with `adds`) left[rows x depth] * right[depth x columns].
FOV_TRAIN_HIDDEN void fov_train_multiply(size_t rows, size_t columns, size_t depth, fov_matrix left,
                                         fov_matrix right, bool adds, fov_real *out,
                                         size_t out_stride);

#endif

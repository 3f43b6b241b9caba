// Fovea - a block of a product of matrices.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_MATRIX_BLOCK_H
#define FOV_MATRIX_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

// Kernels for the processor: kernels/fov_kernel_set.h.
typedef struct fov_kernel_set fov_kernel_set;

// rows x columns of out[m, n] = left[m, k] * right[k, n]. A transposed side lies as [k, m], [n, k].
//
//   blas        sgemm
//   float32     the kernel of 1x1 convolutions: rows of the left are its pixels, columns of the
//               right its output channels
//   int8        the same, in the order of k, so that every processor gives the same bytes
//
// float32 and int8 first bring the columns of the right into panels (weights/fov_packed_weights.h).
typedef struct fov_matrix_block {
  fov_backend backend;  // not reference
  const fov_kernel_set *kernels;
  bool transpose_left, transpose_right;
  size_t m, k, n;
  size_t row, rows, column, columns;
  const float *left, *right;  // whole matrices
  float *out;                 // the first element of the block
} fov_matrix_block;

// Floats of workspace that a block needs, a multiple of a cache line. false: they overflow.
FOV_INTERNAL bool fov_matrix_block_floats(const fov_matrix_block *block, size_t *out_floats);

FOV_INTERNAL void fov_matrix_block_multiply(const fov_matrix_block *block, float *workspace);

#endif

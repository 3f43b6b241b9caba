// Fovea - products of matrices for those who train: the project's one door to BLAS.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PRODUCT_H
#define FOV_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// out[rows x columns] = left[rows x depth] * right[depth x columns], all row-major. A side that is
// turned lies in memory as its transpose: left as [depth x rows], right as [columns x depth].
// Strides are the elements from one row in memory to the next.
typedef struct fov_product {
  size_t rows, columns, depth;
  const float *left;
  size_t left_stride;
  bool left_is_turned;
  const float *right;
  size_t right_stride;
  bool right_is_turned;
  float *out;  // overlaps no side
  size_t out_stride;
  bool accumulates;  // adds to what `out` holds
} fov_product;

// Runs on the calling thread. The result depends on the product alone.
void fov_product_run(const fov_product *product);

// Once, before several threads multiply at the same time.
void fov_product_prepare(void);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

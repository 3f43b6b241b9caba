// Fovea - the matrix product of the blas backend.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GEMM_H
#define FOV_GEMM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fov_error.h"

// c[m x n] = a[m x k] * b[k x n], added to what c holds when `accumulate` is set. Row-major; lda,
// ldb and ldc are the elements from one row to the next. Runs on one thread. The caller divides a
// product into parts, so that the result does not depend on the number of threads.
FOV_INTERNAL void fov_gemm(size_t m, size_t n, size_t k, const float *a, size_t lda, const float *b,
                           size_t ldb, bool accumulate, float *c, size_t ldc);

// Prepares the BLAS library for calls from several threads at once.
FOV_INTERNAL void fov_gemm_prepare(void);

#endif

// Fovea - sgemm by OpenBLAS, or by three loops.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_gemm.h"

#if defined(FOV_HAVE_OPENBLAS)
#include <cblas.h>

// One thread for OpenBLAS. Fovea's pool already runs the parts of a product on several threads.
// With threads of its own, OpenBLAS would also add in an order that depends on their number.
void fov_gemm_prepare(void) { openblas_set_num_threads(1); }

void fov_gemm(size_t m, size_t n, size_t k, const float *a, size_t lda, const float *b, size_t ldb,
              bool accumulate, float *c, size_t ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)m, (blasint)n, (blasint)k, 1.0f,
              a, (blasint)lda, b, (blasint)ldb, accumulate ? 1.0f : 0.0f, c, (blasint)ldc);
}

#else

void fov_gemm_prepare(void) {}

void fov_gemm(size_t m, size_t n, size_t k, const float *a, size_t lda, const float *b, size_t ldb,
              bool accumulate, float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    float *restrict row = c + i * ldc;
    for (size_t j = 0; j < n && !accumulate; j++) row[j] = 0;
    for (size_t p = 0; p < k; p++) {
      const float factor = a[i * lda + p];
      const float *restrict from = b + p * ldb;
      for (size_t j = 0; j < n; j++) row[j] += factor * from[j];
    }
  }
}

#endif

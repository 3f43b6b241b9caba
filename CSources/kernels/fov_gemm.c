// Fovea - sgemm by OpenBLAS, or by three loops.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_gemm.h"

#include "fovea/spi/fov_product.h"

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

void fov_product_prepare(void) { fov_gemm_prepare(); }

void fov_product_run(const fov_product *p) {
  cblas_sgemm(CblasRowMajor, p->left_is_turned ? CblasTrans : CblasNoTrans,
              p->right_is_turned ? CblasTrans : CblasNoTrans, (blasint)p->rows, (blasint)p->columns,
              (blasint)p->depth, 1.0f, p->left, (blasint)p->left_stride, p->right,
              (blasint)p->right_stride, p->accumulates ? 1.0f : 0.0f, p->out,
              (blasint)p->out_stride);
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

void fov_product_prepare(void) {}

void fov_product_run(const fov_product *p) {
  for (size_t i = 0; i < p->rows; i++) {
    float *row = p->out + i * p->out_stride;
    for (size_t j = 0; j < p->columns && !p->accumulates; j++) row[j] = 0;
    for (size_t d = 0; d < p->depth; d++) {
      const float factor =
          p->left[p->left_is_turned ? d * p->left_stride + i : i * p->left_stride + d];
      const size_t first = p->right_is_turned ? d : d * p->right_stride;
      const size_t step = p->right_is_turned ? p->right_stride : 1;
      for (size_t j = 0; j < p->columns; j++) row[j] += factor * p->right[first + j * step];
    }
  }
}

#endif

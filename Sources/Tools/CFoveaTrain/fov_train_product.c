// Fovea - products of matrices of training.
// SPDX-License-Identifier: Apache-2.0
#include "fov_train_product.h"

#if defined(FOV_TRAIN_DOUBLE)

void fov_train_multiply(size_t rows, size_t columns, size_t depth, fov_matrix left,
                        fov_matrix right, bool adds, fov_real *out, size_t out_stride) {
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) {
      fov_real sum = adds ? out[i * out_stride + j] : 0;
      for (size_t d = 0; d < depth; d++) {
        sum += left.data[left.is_turned ? d * left.stride + i : i * left.stride + d] *
               right.data[right.is_turned ? j * right.stride + d : d * right.stride + j];
      }
      out[i * out_stride + j] = sum;
    }
  }
}

#else

#include "fovea/spi/fov_product.h"

void fov_train_multiply(size_t rows, size_t columns, size_t depth, fov_matrix left,
                        fov_matrix right, bool adds, fov_real *out, size_t out_stride) {
  const fov_product product = {
      .rows = rows,
      .columns = columns,
      .depth = depth,
      .left = left.data,
      .left_stride = left.stride,
      .left_is_turned = left.is_turned,
      .right = right.data,
      .right_stride = right.stride,
      .right_is_turned = right.is_turned,
      .out = out,
      .out_stride = out_stride,
      .accumulates = adds,
  };
  fov_product_run(&product);
}

#endif

// Fovea - reading a value of any type and arrangement as planes of floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TENSOR_READING_H
#define FOV_TENSOR_READING_H

#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

// Copies all elements, row-major. Codes become their real values; bytes without a quantization
// become numbers.
FOV_INTERNAL void fov_tensor_read(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                  float *out_elements);

// Copies one row of all channels of a channels-last image. In out_row, rows of neighboring channels
// are `plane` elements apart.
FOV_INTERNAL void fov_tensor_read_row(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                      size_t image, size_t row, float *out_row, size_t plane);

#endif

// Fovea - the elements of a value in any form, as planes of floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TENSOR_READING_H
#define FOV_TENSOR_READING_H

#include "kernels/fov_kernel_set.h"
#include "tensor/fov_format.h"

// Copies all elements, row-major; codes become what they stand for, bytes without a meaning numbers.
FOV_INTERNAL void fov_tensor_read(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                  float *out_elements);

// One row of all channels of a channels-last image; rows of neighboring channels are `plane` elements
// apart in out_row.
FOV_INTERNAL void fov_tensor_read_row(const fov_tensor *tensor, const fov_kernel_set *kernels,
                                      size_t image, size_t row, float *out_row, size_t plane);

#endif

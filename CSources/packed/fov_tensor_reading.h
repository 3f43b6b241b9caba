// Fovea - the elements of a value in any form, as planes of floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TENSOR_READING_H
#define FOV_TENSOR_READING_H

#include "tensor/fov_format.h"

// Copies all elements, row-major; codes become what they stand for, bytes without a meaning numbers.
FOV_INTERNAL void fov_tensor_read(const fov_tensor *tensor, float *out_elements);

#endif

// Fovea - elements of float32 as indices of an axis.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_INDEX_H
#define FOV_FLOAT_INDEX_H

#include <math.h>

#include "base/fov_size.h"

// An index below `size` for any element; fov_program_operations.h says which. size > 0.
static inline size_t fov_float_index(float element, size_t size) {
  if (isnan(element)) return 0;
  const float magnitude = fabsf(element);
  const size_t whole = magnitude < (float)size ? (size_t)magnitude : size;
  if (element < 0.0f && whole > 0) return size - fov_size_min(whole, size);
  return fov_size_min(whole, size - 1);
}

#endif

// Fovea - copying a strided view of an array into a dense one.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_STRIDED_COPY_H
#define FOV_STRIDED_COPY_H

#include <stddef.h>

#include "base/fov_error.h"
#include "fovea/core/fov_pool.h"
#include "fovea/core/fov_types.h"
#include "kernels/float/fov_float_kernels.h"

// Element (i0, i1, ...) lies at source[i0 * strides[0] + i1 * strides[1] + ...]. A stride of 0
// repeats elements, a negative one reverses their order.
typedef struct fov_strided_view {
  size_t rank;
  size_t dims[FOV_MAX_RANK];
  ptrdiff_t strides[FOV_MAX_RANK];
} fov_strided_view;

// Writes the view's elements to destination, dense and row-major, on the threads of the pool, which
// may be NULL. The arrays must not overlap.
FOV_INTERNAL void fov_strided_copy(const fov_strided_view *view, const float *source,
                                   float *destination, const fov_float_kernels *kernels,
                                   fov_pool *pool);

#endif

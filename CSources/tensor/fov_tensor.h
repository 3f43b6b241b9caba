// Fovea - shapes, and arrays that carry one.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TENSOR_H
#define FOV_TENSOR_H

#include <stdbool.h>

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

typedef struct fov_format fov_format;

// An array somewhere else in memory.
typedef struct fov_tensor {
  void *data;
  const fov_shape *shape;
  fov_data_type type;
  const fov_format *format;  // NULL: dense, row-major; else see tensor/fov_format.h
} fov_tensor;

// Rank within FOV_MAX_RANK, every size at least 1, the element count within size_t.
FOV_INTERNAL fov_status fov_shape_validate(const fov_shape *shape, fov_diagnostic *diagnostic);

// The number of elements of a valid shape; dimensions [begin, end) only in the second form.
FOV_INTERNAL size_t fov_shape_count(const fov_shape *shape);
FOV_INTERNAL size_t fov_shape_count_range(const fov_shape *shape, size_t begin, size_t end);

FOV_INTERNAL bool fov_shape_equal(const fov_shape *a, const fov_shape *b);

// Elements between neighbors along each dimension of a dense array.
FOV_INTERNAL void fov_shape_strides(const fov_shape *shape, size_t out_strides[FOV_MAX_RANK]);

// The shape that both broadcast to, aligned at the last dimension; false if they do not fit.
FOV_INTERNAL bool fov_shape_broadcast(const fov_shape *a, const fov_shape *b, fov_shape *out_shape);

// Strides of a dense array along the dimensions of the shape that it broadcasts to; 0 where it is
// repeated.
FOV_INTERNAL void fov_shape_broadcast_strides(const fov_shape *shape, const fov_shape *output,
                                              size_t out_strides[FOV_MAX_RANK]);

// "1x3x416x416", for messages; buffer of at least FOV_SHAPE_TEXT bytes.
#define FOV_SHAPE_TEXT 192
FOV_INTERNAL const char *fov_shape_describe(const fov_shape *shape, char buffer[FOV_SHAPE_TEXT]);

// The last three dimensions as an image, everything before them as a batch. Rank >= 3.
typedef struct fov_planes {
  size_t batch, channels, rows, columns;
} fov_planes;

FOV_INTERNAL fov_planes fov_shape_planes(const fov_shape *shape);

#endif

// Fovea - arithmetic on shapes.
// SPDX-License-Identifier: Apache-2.0
#include "tensor/fov_tensor.h"

#include <stdio.h>

#include "base/fov_size.h"

size_t fov_data_type_bytes(fov_data_type type) {
  switch (type) {
    case fov_data_type_float32: return 4;
    case fov_data_type_uint8: return 1;
    case fov_data_type_int8: return 1;
    case fov_data_type_int32: return 4;
    case fov_data_type_int16: return 2;
  }
  return 0;
}

fov_status fov_shape_validate(const fov_shape *shape, fov_diagnostic *diagnostic) {
  if (shape->rank > FOV_MAX_RANK) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "rank %zu is more than the %d that are supported", shape->rank, FOV_MAX_RANK);
  }
  // The bytes of the widest element must fit too. Sizes in bytes then need no second check.
  size_t bytes = sizeof(float);
  for (size_t i = 0; i < shape->rank; i++) {
    if (shape->dims[i] == 0) {
      return fov_fail(diagnostic, fov_status_shape_mismatch, "dimension %zu is 0", i);
    }
    if (!fov_size_multiply(bytes, shape->dims[i], &bytes)) {
      return fov_fail(diagnostic, fov_status_overflow, "the number of elements overflows");
    }
  }
  return fov_status_ok;
}

size_t fov_shape_count(const fov_shape *shape) {
  return fov_shape_count_range(shape, 0, shape->rank);
}

size_t fov_shape_count_range(const fov_shape *shape, size_t begin, size_t end) {
  size_t count = 1;
  for (size_t i = begin; i < end; i++) count *= shape->dims[i];
  return count;
}

bool fov_shape_equal(const fov_shape *a, const fov_shape *b) {
  if (a->rank != b->rank) return false;
  for (size_t i = 0; i < a->rank; i++) {
    if (a->dims[i] != b->dims[i]) return false;
  }
  return true;
}

void fov_shape_strides(const fov_shape *shape, size_t out_strides[FOV_MAX_RANK]) {
  size_t stride = 1;
  for (size_t i = shape->rank; i-- > 0;) {
    out_strides[i] = stride;
    stride *= shape->dims[i];
  }
}

bool fov_shape_broadcast(const fov_shape *a, const fov_shape *b, fov_shape *out_shape) {
  const size_t rank = fov_size_max(a->rank, b->rank);
  fov_shape result = {.rank = rank};
  for (size_t i = 0; i < rank; i++) {
    const size_t from_a = i < rank - a->rank ? 1 : a->dims[i - (rank - a->rank)];
    const size_t from_b = i < rank - b->rank ? 1 : b->dims[i - (rank - b->rank)];
    if (from_a != from_b && from_a != 1 && from_b != 1) return false;
    result.dims[i] = fov_size_max(from_a, from_b);
  }
  *out_shape = result;
  return true;
}

void fov_shape_broadcast_strides(const fov_shape *shape, const fov_shape *output,
                                 size_t out_strides[FOV_MAX_RANK]) {
  size_t dense[FOV_MAX_RANK];
  fov_shape_strides(shape, dense);
  const size_t added = output->rank - shape->rank;
  for (size_t i = 0; i < output->rank; i++) {
    const bool repeated = i < added || shape->dims[i - added] == 1;
    out_strides[i] = repeated ? 0 : dense[i - added];
  }
}

const char *fov_shape_describe(const fov_shape *shape, char buffer[FOV_SHAPE_TEXT]) {
  if (shape->rank == 0) return "scalar";
  size_t used = 0;
  const size_t rank = fov_size_min(shape->rank, FOV_MAX_RANK);
  for (size_t i = 0; i < rank; i++) {
    used +=
        (size_t)snprintf(buffer + used, FOV_SHAPE_TEXT - used, i ? "x%zu" : "%zu", shape->dims[i]);
  }
  return buffer;
}

fov_planes fov_shape_planes(const fov_shape *shape) {
  return (fov_planes){
      .batch = fov_shape_count_range(shape, 0, shape->rank - 3),
      .channels = shape->dims[shape->rank - 3],
      .rows = shape->dims[shape->rank - 2],
      .columns = shape->dims[shape->rank - 1],
  };
}

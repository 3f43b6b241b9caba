// Fovea - checks of input shapes, with messages.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_shape_require.h"

#include "tensor/fov_tensor.h"

fov_status fov_shape_require_planes(const fov_shape *shape, fov_diagnostic *diagnostic) {
  if (shape->rank >= 3) return fov_status_ok;
  char text[FOV_SHAPE_TEXT];
  return fov_fail(diagnostic, fov_status_shape_mismatch,
                  "the input is %s; expected rank 3 or more, [..., channels, rows, columns]",
                  fov_shape_describe(shape, text));
}

fov_status fov_shape_require_axis(const fov_shape *shape, size_t axis, fov_diagnostic *diagnostic) {
  if (axis < shape->rank) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_argument,
                  "axis %zu is outside the input's rank %zu", axis, shape->rank);
}

fov_status fov_shape_require_rank(const fov_shape *shape, size_t rank, const char *what,
                                  fov_diagnostic *diagnostic) {
  if (shape->rank == rank) return fov_status_ok;
  char text[FOV_SHAPE_TEXT];
  return fov_fail(diagnostic, fov_status_shape_mismatch, "%s of %.100s; expected rank %zu", what,
                  fov_shape_describe(shape, text), rank);
}

fov_status fov_shape_require_equal(const fov_shape *a, size_t a_dimension, const fov_shape *b,
                                   size_t b_dimension, fov_diagnostic *diagnostic) {
  if (a->dims[a_dimension] == b->dims[b_dimension]) return fov_status_ok;
  char left[FOV_SHAPE_TEXT], right[FOV_SHAPE_TEXT];
  return fov_fail(diagnostic, fov_status_shape_mismatch,
                  "%.100s and %.100s do not fit; expected dimension %zu to equal dimension %zu",
                  fov_shape_describe(a, left), fov_shape_describe(b, right), a_dimension,
                  b_dimension);
}

fov_status fov_shape_require_indices(size_t size, fov_diagnostic *diagnostic) {
  if (size <= FOV_INDEX_LIMIT) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_unsupported,
                  "indices of %zu elements; expected at most %zu, so that float32 can hold every "
                  "index",
                  size, FOV_INDEX_LIMIT);
}

fov_status fov_require_choice(size_t value, size_t greatest, const char *what,
                              fov_diagnostic *diagnostic) {
  if (value <= greatest) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_argument,
                  "%s %zu does not exist; expected 0 to %zu", what, value, greatest);
}

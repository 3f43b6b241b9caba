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

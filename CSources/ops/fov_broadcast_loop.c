// Fovea - going through the rows of a result whose operands are repeated to its shape.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_broadcast_loop.h"

// Whether dimension `i` of the result continues the dimension before it, for every operand.
static bool continues(const fov_broadcast_loop *loop,
                      size_t strides[FOV_BROADCAST_OPERANDS][FOV_MAX_RANK], size_t i, size_t size) {
  for (size_t k = 0; k < loop->operands; k++) {
    if (loop->strides[k][loop->outer - 1] != strides[k][i] * size) return false;
  }
  return true;
}

fov_broadcast_loop fov_broadcast_loop_make(const fov_tensor *inputs, size_t operands,
                                           const fov_shape *output) {
  size_t strides[FOV_BROADCAST_OPERANDS][FOV_MAX_RANK];
  fov_broadcast_loop loop = {.operands = operands, .count = 1, .steps = {1, 1, 1}};
  for (size_t k = 0; k < operands; k++) {
    fov_shape_broadcast_strides(inputs[k].shape, output, strides[k]);
  }
  for (size_t i = 0; i < output->rank; i++) {
    const size_t size = output->dims[i];
    if (size == 1) continue;
    if (loop.outer > 0 && continues(&loop, strides, i, size)) {
      loop.dims[loop.outer - 1] *= size;
    } else {
      loop.dims[loop.outer++] = size;
    }
    for (size_t k = 0; k < operands; k++) loop.strides[k][loop.outer - 1] = strides[k][i];
  }
  if (loop.outer == 0) return loop;
  loop.outer--;
  loop.count = loop.dims[loop.outer];
  for (size_t k = 0; k < operands; k++) loop.steps[k] = loop.strides[k][loop.outer];
  return loop;
}

bool fov_broadcast_loop_next(fov_broadcast_loop *loop, const float *at[FOV_BROADCAST_OPERANDS]) {
  for (size_t i = loop->outer; i-- > 0;) {
    const bool more = ++loop->index[i] < loop->dims[i];
    for (size_t k = 0; k < loop->operands; k++) {
      const size_t stride = loop->strides[k][i];
      at[k] = more ? at[k] + stride : at[k] - (loop->dims[i] - 1) * stride;
    }
    if (more) return true;
    loop->index[i] = 0;
  }
  return false;
}

fov_status fov_broadcast_shape(const fov_shape *inputs, size_t count, fov_shape *out_shape,
                               fov_diagnostic *diagnostic) {
  fov_shape result = inputs[0];
  for (size_t k = 1; k < count; k++) {
    const fov_shape before = result;
    if (!fov_shape_broadcast(&before, &inputs[k], &result)) {
      char left[FOV_SHAPE_TEXT], right[FOV_SHAPE_TEXT];
      return fov_fail(diagnostic, fov_status_shape_mismatch,
                      "%.100s and %.100s do not fit; expected equal dimensions or 1",
                      fov_shape_describe(&before, left), fov_shape_describe(&inputs[k], right));
    }
    FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  }
  *out_shape = result;
  return fov_status_ok;
}

// Fovea - dimensions in another order.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_strided_copy.h"
#include "ops/fov_operation_table.h"

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const size_t *axes = parameters;
  fov_shape result = {.rank = inputs[0].rank};
  uint32_t seen = 0;
  for (size_t i = 0; i < result.rank; i++) {
    if (axes[i] >= result.rank || (seen >> axes[i] & 1u) != 0) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "axis %zu at place %zu; expected each of the %zu axes once", axes[i], i,
                      result.rank);
    }
    seen |= 1u << axes[i];
    result.dims[i] = inputs[0].dims[axes[i]];
  }
  *out_shape = result;
  return fov_status_ok;
}

static void run(const fov_run *run) {
  const size_t *axes = run->parameters;
  size_t strides[FOV_MAX_RANK];
  fov_shape_strides(run->inputs[0].shape, strides);
  fov_strided_view view = {.rank = run->output.shape->rank};
  for (size_t i = 0; i < view.rank; i++) {
    view.dims[i] = run->output.shape->dims[i];
    view.strides[i] = (ptrdiff_t)strides[axes[i]];
  }
  fov_strided_copy(&view, fov_run_input(run, 0), fov_run_output(run), run->kernels->float32,
                   run->pool);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_archive_sizes(archive, parameters, FOV_MAX_RANK);
}

const fov_operation fov_operation_transpose = {
    .name = "transpose",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = FOV_MAX_RANK * sizeof(size_t),
    .input_count = 1,
};

// Fovea - repeating dimensions of 1.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_strided_copy.h"
#include "ops/fov_operation_table.h"

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_shape *shape = parameters;
  FOV_FORWARD(fov_shape_validate(shape, diagnostic));
  fov_shape both;
  if (!fov_shape_broadcast(&inputs[0], shape, &both) || !fov_shape_equal(&both, shape)) {
    char from[FOV_SHAPE_TEXT], to[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "%.100s cannot be repeated to %.100s; expected equal dimensions or 1",
                    fov_shape_describe(&inputs[0], from), fov_shape_describe(shape, to));
  }
  *out_shape = *shape;
  return fov_status_ok;
}

static void run(const fov_run *run) {
  size_t strides[FOV_MAX_RANK];
  fov_shape_broadcast_strides(run->inputs[0].shape, run->output.shape, strides);
  fov_strided_view view = {.rank = run->output.shape->rank};
  for (size_t i = 0; i < view.rank; i++) {
    view.dims[i] = run->output.shape->dims[i];
    view.strides[i] = (ptrdiff_t)strides[i];
  }
  fov_strided_copy(&view, fov_run_input(run, 0), fov_run_output(run), run->kernels->float32,
                   run->pool);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_archive_shape(archive, parameters);
}

const fov_operation fov_operation_broadcast = {
    .name = "broadcast",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_shape),
    .input_count = 1,
};

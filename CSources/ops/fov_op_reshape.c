// Fovea - the same elements in the same order under another shape.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "ops/fov_operation_table.h"

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_shape *shape = parameters;
  FOV_FORWARD(fov_shape_validate(shape, diagnostic));
  const size_t found = fov_shape_count(&inputs[0]);
  const size_t expected = fov_shape_count(shape);
  if (found != expected) {
    char from[FOV_SHAPE_TEXT], to[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "%.100s has %zu elements; expected the %zu of %.100s",
                    fov_shape_describe(&inputs[0], from), found, expected,
                    fov_shape_describe(shape, to));
  }
  *out_shape = *shape;
  return fov_status_ok;
}

static void run(const fov_run *run) {
  if (run->output.data == run->inputs[0].data) return;
  memcpy(run->output.data, run->inputs[0].data, fov_shape_count(run->output.shape) * sizeof(float));
}

static void archive(fov_archive *archive, void *parameters) {
  fov_archive_shape(archive, parameters);
}

const fov_operation fov_operation_reshape = {
    .name = "reshape",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_shape),
    .input_count = 1,
    .in_place = true,
    .alias = true,
};

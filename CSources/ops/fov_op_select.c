// Fovea - one of two elements, as a third says.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_broadcast_loop.h"
#include "ops/fov_operation_table.h"

// NaN: a condition of NaN is not 0, hence true. Elements are copied as they are.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)parameters;
  return fov_broadcast_shape(inputs, input_count, out_shape, diagnostic);
}

static void run(const fov_run *run) {
  fov_broadcast_loop loop = fov_broadcast_loop_make(run->inputs, 3, run->output.shape);
  const float *at[3] = {fov_run_input(run, 0), fov_run_input(run, 1), fov_run_input(run, 2)};
  float *restrict out = fov_run_output(run);
  do {
    const float *condition = at[0], *left = at[1], *right = at[2];
    for (size_t i = 0; i < loop.count; i++) {
      out[i] = *condition != 0.0f ? *left : *right;
      condition += loop.steps[0];
      left += loop.steps[1];
      right += loop.steps[2];
    }
    out += loop.count;
  } while (fov_broadcast_loop_next(&loop, at));
}

const fov_operation fov_operation_select = {
    .name = "select",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_archive_nothing,
    .input_count = 3,
};

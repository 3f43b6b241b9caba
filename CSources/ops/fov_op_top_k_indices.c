// Fovea - where the greatest elements of an axis are.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_ranking.h"
#include "ops/fov_shape_require.h"

// The order is total (ops/fov_ranking.h), so that NaN and equal elements have a place, too.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_top_k *top = parameters;
  FOV_FORWARD(fov_shape_require_axis(&inputs[0], top->axis, diagnostic));
  fov_shape result = inputs[0];
  const size_t size = result.dims[top->axis];
  FOV_FORWARD(fov_shape_require_indices(size, diagnostic));
  if (top->count == 0 || top->count > size) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "the greatest %zu of %zu elements; expected 1 to %zu", top->count, size, size);
  }
  result.dims[top->axis] = top->count;
  *out_shape = result;
  return fov_status_ok;
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  (void)request;
  const fov_top_k *top = parameters;
  const bool fits = fov_size_multiply(top->count, sizeof(fov_ranked), out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

static void run(const fov_run *run) {
  const fov_top_k *top = run->parameters;
  const fov_shape *shape = run->inputs[0].shape;
  const size_t outer = fov_shape_count_range(shape, 0, top->axis);
  const size_t size = shape->dims[top->axis];
  const size_t pitch = fov_shape_count_range(shape, top->axis + 1, shape->rank);
  const float *in = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t line = 0; line < outer * pitch; line++) {
    const float *from = in + line / pitch * size * pitch + line % pitch;
    float *to = out + line / pitch * top->count * pitch + line % pitch;
    fov_ranking ranking = {
        .entries = run->workspace, .capacity = top->count, .ascending = top->ascending};
    for (size_t i = 0; i < size; i++) fov_ranking_add(&ranking, from[i * pitch], i);
    fov_ranking_sort(&ranking);
    for (size_t i = 0; i < top->count; i++) to[i * pitch] = (float)ranking.entries[i].index;
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_top_k *top = parameters;
  fov_archive_size(archive, &top->axis);
  fov_archive_size(archive, &top->count);
  fov_archive_bool(archive, &top->ascending);
}

const fov_operation fov_operation_top_k_indices = {
    .name = "top_k_indices",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_top_k),
    .input_count = 1,
};

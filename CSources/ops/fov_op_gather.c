// Fovea - elements at given indices.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_size.h"
#include "ops/fov_float_index.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// An index of any value is safe: fov_float_index.h. Elements are copied as they are.

// MARK: shape

// result += dims [begin, end) of a shape.
static fov_status append(const fov_shape *shape, size_t begin, size_t end, fov_shape *result,
                         fov_diagnostic *diagnostic) {
  for (size_t i = begin; i < end; i++) {
    if (result->rank == FOV_MAX_RANK) {
      return fov_fail(diagnostic, fov_status_unsupported, "a result of more than %d dimensions",
                      FOV_MAX_RANK);
    }
    result->dims[result->rank++] = shape->dims[i];
  }
  return fov_status_ok;
}

static fov_status check_batch(const fov_gather *gather, const fov_shape *inputs,
                              fov_diagnostic *diagnostic) {
  if (gather->batch_dimensions > fov_size_min(inputs[0].rank, inputs[1].rank)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "%zu batch dimensions; expected at most the ranks %zu and %zu",
                    gather->batch_dimensions, inputs[0].rank, inputs[1].rank);
  }
  for (size_t i = 0; i < gather->batch_dimensions; i++) {
    FOV_FORWARD(fov_shape_require_equal(&inputs[0], i, &inputs[1], i, diagnostic));
  }
  return fov_status_ok;
}

static fov_status infer_take(const fov_gather *gather, const fov_shape *inputs, fov_shape *result,
                             fov_diagnostic *diagnostic) {
  const fov_shape *x = &inputs[0], *indices = &inputs[1];
  FOV_FORWARD(fov_shape_require_axis(x, gather->axis, diagnostic));
  if (gather->axis < gather->batch_dimensions) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "axis %zu; expected one behind %zu batch dimensions", gather->axis,
                    gather->batch_dimensions);
  }
  FOV_FORWARD(fov_shape_require_indices(x->dims[gather->axis], diagnostic));
  FOV_FORWARD(append(x, 0, gather->axis, result, diagnostic));
  FOV_FORWARD(append(indices, gather->batch_dimensions, indices->rank, result, diagnostic));
  return append(x, gather->axis + 1, x->rank, result, diagnostic);
}

static fov_status infer_along_axis(const fov_gather *gather, const fov_shape *inputs,
                                   fov_shape *result, fov_diagnostic *diagnostic) {
  const fov_shape *x = &inputs[0], *indices = &inputs[1];
  FOV_FORWARD(fov_shape_require_axis(x, gather->axis, diagnostic));
  FOV_FORWARD(fov_shape_require_rank(indices, x->rank, "indices", diagnostic));
  FOV_FORWARD(fov_shape_require_indices(x->dims[gather->axis], diagnostic));
  if (gather->batch_dimensions != 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "%zu batch dimensions along an axis; expected 0", gather->batch_dimensions);
  }
  for (size_t i = 0; i < x->rank; i++) {
    if (i != gather->axis) FOV_FORWARD(fov_shape_require_equal(x, i, indices, i, diagnostic));
  }
  *result = *indices;
  return fov_status_ok;
}

static fov_status infer_nd(const fov_gather *gather, const fov_shape *inputs, fov_shape *result,
                           fov_diagnostic *diagnostic) {
  const fov_shape *x = &inputs[0], *indices = &inputs[1];
  const size_t batch = gather->batch_dimensions;
  const size_t coordinates = indices->rank > batch ? indices->dims[indices->rank - 1] : SIZE_MAX;
  if (coordinates > x->rank - batch) {
    char text[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "indices of %.100s; expected at most %zu coordinates in the last dimension",
                    fov_shape_describe(indices, text), x->rank - batch);
  }
  for (size_t i = batch; i < batch + coordinates; i++) {
    FOV_FORWARD(fov_shape_require_indices(x->dims[i], diagnostic));
  }
  FOV_FORWARD(append(indices, 0, indices->rank - 1, result, diagnostic));
  return append(x, batch + coordinates, x->rank, result, diagnostic);
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_gather *gather = parameters;
  FOV_FORWARD(fov_require_choice(gather->kind, fov_gather_kind_nd, "gathering", diagnostic));
  FOV_FORWARD(check_batch(gather, inputs, diagnostic));
  fov_shape result = {.rank = 0};
  FOV_FORWARD(gather->kind == fov_gather_kind_take ? infer_take(gather, inputs, &result, diagnostic)
              : gather->kind == fov_gather_kind_along_axis
                  ? infer_along_axis(gather, inputs, &result, diagnostic)
                  : infer_nd(gather, inputs, &result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// MARK: run

// Runs of `inner` elements, which stay together.
static float *copy(const float *from, size_t inner, float *out) {
  if (inner == 1) {
    *out = *from;
  } else {
    memcpy(out, from, inner * sizeof(float));
  }
  return out + inner;
}

static void take(const fov_gather *gather, const fov_run *run) {
  const fov_shape *x = run->inputs[0].shape, *shape = run->inputs[1].shape;
  const size_t batch = fov_shape_count_range(x, 0, gather->batch_dimensions);
  const size_t middle = fov_shape_count_range(x, gather->batch_dimensions, gather->axis);
  const size_t size = x->dims[gather->axis];
  const size_t inner = fov_shape_count_range(x, gather->axis + 1, x->rank);
  const size_t count = fov_shape_count_range(shape, gather->batch_dimensions, shape->rank);
  const float *in = fov_run_input(run, 0), *indices = fov_run_input(run, 1);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < batch; n++, indices += count) {
    for (size_t m = 0; m < middle; m++, in += size * inner) {
      for (size_t i = 0; i < count; i++) {
        out = copy(in + fov_float_index(indices[i], size) * inner, inner, out);
      }
    }
  }
}

static void take_along_axis(const fov_gather *gather, const fov_run *run) {
  const fov_shape *x = run->inputs[0].shape;
  const size_t outer = fov_shape_count_range(x, 0, gather->axis);
  const size_t size = x->dims[gather->axis];
  const size_t count = run->output.shape->dims[gather->axis];
  const size_t inner = fov_shape_count_range(x, gather->axis + 1, x->rank);
  const float *in = fov_run_input(run, 0), *indices = fov_run_input(run, 1);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < outer; n++, in += size * inner) {
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < inner; j++) {
        *out++ = in[fov_float_index(*indices++, size) * inner + j];
      }
    }
  }
}

static void take_nd(const fov_gather *gather, const fov_run *run) {
  const fov_shape *x = run->inputs[0].shape, *shape = run->inputs[1].shape;
  const size_t first = gather->batch_dimensions;
  const size_t coordinates = shape->dims[shape->rank - 1];
  const size_t batch = fov_shape_count_range(x, 0, first);
  const size_t count = fov_shape_count_range(shape, first, shape->rank - 1);
  const size_t inner = fov_shape_count_range(x, first + coordinates, x->rank);
  const size_t image = fov_shape_count_range(x, first, x->rank);
  const float *in = fov_run_input(run, 0), *indices = fov_run_input(run, 1);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < batch; n++, in += image) {
    for (size_t i = 0; i < count; i++) {
      size_t place = 0;
      for (size_t k = 0; k < coordinates; k++) {
        const size_t size = x->dims[first + k];
        place = place * size + fov_float_index(*indices++, size);
      }
      out = copy(in + place * inner, inner, out);
    }
  }
}

static void run(const fov_run *run) {
  const fov_gather *gather = run->parameters;
  switch (gather->kind) {
    case fov_gather_kind_take: take(gather, run); return;
    case fov_gather_kind_along_axis: take_along_axis(gather, run); return;
    case fov_gather_kind_nd: take_nd(gather, run); return;
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_gather *gather = parameters;
  FOV_ARCHIVE_ENUM(archive, gather->kind, fov_gather_kind_nd);
  fov_archive_size(archive, &gather->axis);
  fov_archive_size(archive, &gather->batch_dimensions);
}

const fov_operation fov_operation_gather = {
    .name = "gather",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_gather),
    .input_count = 2,
};

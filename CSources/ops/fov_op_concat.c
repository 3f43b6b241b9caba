// Fovea - concatenation of arrays along one dimension.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// Whether the shapes are the same except for the axis.
static bool fits(const fov_shape *a, const fov_shape *b, size_t axis) {
  if (a->rank != b->rank) return false;
  for (size_t i = 0; i < a->rank; i++) {
    if (i != axis && a->dims[i] != b->dims[i]) return false;
  }
  return true;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  const size_t axis = *(const size_t *)parameters;
  FOV_FORWARD(fov_shape_require_axis(&inputs[0], axis, diagnostic));
  fov_shape result = inputs[0];
  for (size_t n = 1; n < input_count; n++) {
    if (!fits(&inputs[0], &inputs[n], axis)) {
      char first[FOV_SHAPE_TEXT], other[FOV_SHAPE_TEXT];
      return fov_fail(diagnostic, fov_status_shape_mismatch,
                      "input %zu is %.100s; expected %.100s but for axis %zu", n,
                      fov_shape_describe(&inputs[n], other), fov_shape_describe(&inputs[0], first),
                      axis);
    }
    if (!fov_size_add(result.dims[axis], inputs[n].dims[axis], &result.dims[axis])) {
      return fov_fail(diagnostic, fov_status_overflow, "the sizes of axis %zu overflow", axis);
    }
  }
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// A call of memcpy would take longer than few floats. Two copies of four may overlap.
#define FEW_FLOATS 8

static void copy_part(float *restrict to, const float *restrict from, size_t count) {
  const size_t four = 4 * sizeof(float);
  if (count > FEW_FLOATS) {
    memcpy(to, from, count * sizeof(float));
  } else if (count >= 4) {
    memcpy(to, from, four);
    memcpy(to + count - 4, from + count - 4, four);
  } else {
    FOV_PLAIN_LOOP for (size_t i = 0; i < count; i++) to[i] = from[i];
  }
}

// Units are ranges of what lies around the axis.
typedef struct job {
  const fov_run *run;
  size_t axis, outer, each, pitch;  // `each` of `outer` a unit; elements of the result for one
} job;

#define UNIT_ELEMENTS 16384

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const size_t begin = unit * job->each, end = fov_size_min(begin + job->each, job->outer);
  float *place = fov_run_output(job->run);
  for (size_t n = 0; n < job->run->input_count; n++) {
    const float *source = fov_run_input(job->run, n);
    const fov_shape *shape = job->run->inputs[n].shape;
    const size_t part = fov_shape_count_range(shape, job->axis, shape->rank);
    for (size_t i = begin; i < end; i++) {
      copy_part(place + i * job->pitch, source + i * part, part);
    }
    place += part;
  }
}

static void run(const fov_run *run) {
  const fov_shape *shape = run->output.shape;
  job job = {.run = run, .axis = *(const size_t *)run->parameters};
  job.outer = fov_shape_count_range(shape, 0, job.axis);
  job.pitch = fov_shape_count_range(shape, job.axis, shape->rank);
  job.each = fov_size_parts(UNIT_ELEMENTS, job.pitch);
  fov_parallel_for(run->pool, fov_size_parts(job.outer, job.each), run_unit, &job);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_archive_size(archive, parameters);
}

const fov_operation fov_operation_concat = {
    .name = "concat",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(size_t),
};

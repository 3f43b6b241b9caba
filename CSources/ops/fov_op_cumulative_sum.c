// Fovea - sums of all elements up to each one.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// Sums are kept in double precision, and rounded where they are stored. NaN: from an element that
// is NaN on, all are NaN.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_cumulative_sum *cumulative = parameters;
  FOV_FORWARD(fov_shape_require_axis(&inputs[0], cumulative->axis, diagnostic));
  *out_shape = inputs[0];
  return fov_status_ok;
}

// Columns that are summed together, so that memory is read in order.
#define COLUMNS 64

// `size` rows of `columns` elements, `pitch` apart, from the first row on or from the last.
static void add_columns(const fov_cumulative_sum *cumulative, const float *in, float *out,
                        size_t size, size_t pitch, size_t columns) {
  double sums[COLUMNS] = {0};
  for (size_t i = 0; i < size; i++) {
    const size_t row = (cumulative->reverse ? size - 1 - i : i) * pitch;
    for (size_t j = 0; j < columns; j++) {
      const double before = sums[j];
      sums[j] = before + (double)in[row + j];
      out[row + j] = (float)(cumulative->exclusive ? before : sums[j]);
    }
  }
}

static void run(const fov_run *run) {
  const fov_cumulative_sum *cumulative = run->parameters;
  const fov_shape *shape = run->output.shape;
  const size_t outer = fov_shape_count_range(shape, 0, cumulative->axis);
  const size_t size = shape->dims[cumulative->axis];
  const size_t pitch = fov_shape_count_range(shape, cumulative->axis + 1, shape->rank);
  const float *in = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < outer; n++, in += size * pitch, out += size * pitch) {
    for (size_t j = 0; j < pitch; j += COLUMNS) {
      add_columns(cumulative, in + j, out + j, size, pitch, fov_size_min(COLUMNS, pitch - j));
    }
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_cumulative_sum *cumulative = parameters;
  fov_archive_size(archive, &cumulative->axis);
  fov_archive_bool(archive, &cumulative->exclusive);
  fov_archive_bool(archive, &cumulative->reverse);
}

const fov_operation fov_operation_cumulative_sum = {
    .name = "cumulative_sum",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_cumulative_sum),
    .input_count = 1,
    .in_place = true,
};

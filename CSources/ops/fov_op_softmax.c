// Fovea - exponentials that add up to 1 along one dimension.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// y = exp(x - max) / sum of exp(x - max). NaN: all elements of a sum become NaN if one of them is
// NaN or +infinity, or if all are -infinity.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  FOV_FORWARD(fov_shape_require_axis(&inputs[0], *(const size_t *)parameters, diagnostic));
  *out_shape = inputs[0];
  return fov_status_ok;
}

// A unit is some sums next to each other: of rows, or of columns.
typedef struct sums {
  const fov_float_kernels *kernels;
  const float *in;
  float *out;
  size_t size, pitch;  // of one sum: elements, and from one of them to the next
  size_t outer;        // rows, or planes of columns
  size_t blocks;       // units of a plane of columns; 0: units are of rows
} sums;

#define ELEMENTS_A_UNIT 4096

// Rows of so few elements are transposed, and many of them are computed as columns.
#define SHORT_ROW 32

static void normalize_short_rows(const sums *sums, size_t first, size_t end) {
  float columns[SHORT_ROW * FOV_SOFTMAX_COLUMNS];
  const fov_float_kernels *kernels = sums->kernels;
  const size_t size = sums->size, pitch = FOV_SOFTMAX_COLUMNS;
  for (size_t row = first; row < end; row += pitch) {
    const size_t rows = fov_size_min(pitch, end - row);
    kernels->transpose(sums->in + row * size, size, rows, size, columns, pitch);
    kernels->softmax_columns(columns, columns, size, pitch, rows);
    kernels->transpose(columns, pitch, size, rows, sums->out + row * size, size);
  }
}

static size_t rows_a_unit(const sums *sums) {
  return fov_size_max(1, ELEMENTS_A_UNIT / fov_size_max(1, sums->size));
}

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const sums *sums = context;
  if (sums->blocks == 0) {
    const size_t rows = rows_a_unit(sums), end = fov_size_min(sums->outer, (unit + 1) * rows);
    if (sums->size <= SHORT_ROW) {
      normalize_short_rows(sums, unit * rows, end);
      return;
    }
    for (size_t n = unit * rows; n < end; n++) {
      sums->kernels->softmax_row(sums->in + n * sums->size, sums->out + n * sums->size, sums->size);
    }
    return;
  }
  const size_t column = unit % sums->blocks * FOV_SOFTMAX_COLUMNS;
  const size_t at = unit / sums->blocks * sums->size * sums->pitch + column;
  sums->kernels->softmax_columns(sums->in + at, sums->out + at, sums->size, sums->pitch,
                                 fov_size_min(FOV_SOFTMAX_COLUMNS, sums->pitch - column));
}

static void run(const fov_run *run) {
  const size_t axis = *(const size_t *)run->parameters;
  const fov_shape *shape = run->output.shape;
  const size_t pitch = fov_shape_count_range(shape, axis + 1, shape->rank);
  sums sums = {
      .kernels = run->kernels->float32,
      .in = fov_run_input(run, 0),
      .out = fov_run_output(run),
      .size = shape->dims[axis],
      .pitch = pitch,
      .outer = fov_shape_count_range(shape, 0, axis),
      .blocks = pitch == 1 ? 0 : fov_size_parts(pitch, FOV_SOFTMAX_COLUMNS),
  };
  const size_t units =
      sums.blocks == 0 ? fov_size_parts(sums.outer, rows_a_unit(&sums)) : sums.outer * sums.blocks;
  fov_parallel_for(run->pool, units, run_unit, &sums);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_archive_size(archive, parameters);
}

const fov_operation fov_operation_softmax = {
    .name = "softmax",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(size_t),
    .input_count = 1,
    .in_place = true,
};

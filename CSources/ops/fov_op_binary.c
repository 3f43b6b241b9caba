// Fovea - functions of two elements, with broadcasting.
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/fov_loop.h"
#include "ops/fov_binary_rare.h"
#include "ops/fov_broadcast_loop.h"
#include "ops/fov_operation_table.h"

// NaN: a NaN on either side gives NaN, except that maximum and minimum give the right element. No
// comparison with NaN is true but not_equal, and NaN counts as true.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  const fov_binary_function function = *(const fov_binary_function *)parameters;
  if ((size_t)function > fov_binary_truncated_divide) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "function %lld is no function of two elements; expected 0 to %d",
                    (long long)function, fov_binary_truncated_divide);
  }
  return fov_broadcast_shape(inputs, input_count, out_shape, diagnostic);
}

// MARK: rows

// A row of results. Each side is a row too, or one of them is a single element.
typedef void (*fov_binary_row)(const float *left, const float *right, float *out, size_t count);

// The same with elements that are apart: steps of left, right and out.
typedef void (*fov_binary_column)(const float *left, const float *right, float *out, size_t count,
                                  const size_t steps[3]);

typedef struct fov_binary_rows {
  fov_binary_row both;
  fov_binary_row right_constant;
  fov_binary_row left_constant;
  fov_binary_column column;
} fov_binary_rows;

// Defines the rows and the column of a function: `expression` in x and y.
#define FOV_BINARY_ROWS(name, expression)                                                     \
  static void name##_column(const float *left, const float *right, float *out, size_t count,  \
                            const size_t steps[3]) {                                          \
    FOV_PLAIN_LOOP for (size_t i = 0; i < count; i++) {                                       \
      const float x = left[i * steps[0]], y = right[i * steps[1]];                            \
      out[i * steps[2]] = (expression);                                                       \
    }                                                                                         \
  }                                                                                           \
  static void name##_both(const float *left, const float *right, float *out, size_t count) {  \
    FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) {                           \
      const float x = left[i], y = right[i];                                                  \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }                                                                                           \
  static void name##_right(const float *left, const float *right, float *out, size_t count) { \
    const float y = right[0];                                                                 \
    FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) {                           \
      const float x = left[i];                                                                \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }                                                                                           \
  static void name##_left(const float *left, const float *right, float *out, size_t count) {  \
    const float x = left[0];                                                                  \
    FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) {                           \
      const float y = right[i];                                                               \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }

FOV_BINARY_ROWS(add, x + y)
FOV_BINARY_ROWS(subtract, x - y)
FOV_BINARY_ROWS(multiply, x *y)
FOV_BINARY_ROWS(divide, x / y)
FOV_BINARY_ROWS(maximum, x > y ? x : y)
FOV_BINARY_ROWS(minimum, x < y ? x : y)

// Empty for functions of fov_binary_rare.h.
static fov_binary_rows select_rows(fov_binary_function function) {
#define FOV_ROWS(name) ((fov_binary_rows){name##_both, name##_right, name##_left, name##_column})
  switch (function) {
    case fov_binary_add: return FOV_ROWS(add);
    case fov_binary_subtract: return FOV_ROWS(subtract);
    case fov_binary_multiply: return FOV_ROWS(multiply);
    case fov_binary_divide: return FOV_ROWS(divide);
    case fov_binary_maximum: return FOV_ROWS(maximum);
    case fov_binary_minimum: return FOV_ROWS(minimum);
    default: return (fov_binary_rows){0};
  }
#undef FOV_ROWS
}

// MARK: run

// Rows of so few elements are computed as columns: one for each element, of the dimension before.
#define SHORT_ROW 8

static void run_columns(fov_broadcast_loop *loop, fov_binary_column column, const float *left,
                        const float *right, float *out) {
  const size_t inner = --loop->outer, count = loop->count, height = loop->dims[inner];
  const size_t steps[3] = {loop->strides[0][inner], loop->strides[1][inner], count};
  const float *at[FOV_BROADCAST_OPERANDS] = {left, right};
  do {
    for (size_t i = 0; i < count; i++) {
      column(at[0] + i * loop->steps[0], at[1] + i * loop->steps[1], out + i, height, steps);
    }
    out += count * height;
  } while (fov_broadcast_loop_next(loop, at));
}

// Part of a result, whose loop has these rows.
typedef struct part {
  fov_binary_function function;
  fov_binary_rows rows;
  fov_broadcast_loop loop;
  const float *at[FOV_BROADCAST_OPERANDS];
  float *out;
} part;

static void run_part(part *part) {
  fov_broadcast_loop *loop = &part->loop;
  const fov_binary_rows *rows = &part->rows;
  if (rows->column && loop->outer > 0 && loop->count <= SHORT_ROW) {
    run_columns(loop, rows->column, part->at[0], part->at[1], part->out);
    return;
  }
  const fov_binary_row row = loop->steps[0] == 0   ? rows->left_constant
                             : loop->steps[1] == 0 ? rows->right_constant
                                                   : rows->both;
  do {
    if (row) {
      row(part->at[0], part->at[1], part->out, loop->count);
    } else {
      fov_binary_rare_row(part->function, part->at, loop->steps, part->out, loop->count);
    }
    part->out += loop->count;
  } while (fov_broadcast_loop_next(loop, part->at));
}

// Units are ranges of the first dimension of the loop, or of its row if it has no other.
typedef struct job {
  part whole;
  size_t size, each, pitch;  // of that dimension; indices of a unit; results of an index
} job;

#define UNIT_ELEMENTS 16384

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const size_t begin = unit * job->each, count = fov_size_min(job->each, job->size - begin);
  part part = job->whole;
  fov_broadcast_loop *loop = &part.loop;
  for (size_t k = 0; k < 2; k++) {
    part.at[k] += begin * (loop->outer > 0 ? loop->strides[k][0] : loop->steps[k]);
  }
  part.out += begin * job->pitch;
  if (loop->outer > 0) {
    loop->dims[0] = count;
  } else {
    loop->count = count;
  }
  run_part(&part);
}

static void run(const fov_run *run) {
  const fov_binary_function function = *(const fov_binary_function *)run->parameters;
  job job = {.whole = {.function = function,
                       .rows = select_rows(function),
                       .loop = fov_broadcast_loop_make(run->inputs, 2, run->output.shape),
                       .at = {fov_run_input(run, 0), fov_run_input(run, 1)},
                       .out = fov_run_output(run)}};
  const fov_broadcast_loop *loop = &job.whole.loop;
  job.size = loop->outer > 0 ? loop->dims[0] : loop->count;
  job.pitch = fov_shape_count(run->output.shape) / job.size;
  job.each = fov_size_parts(UNIT_ELEMENTS, job.pitch);
  fov_parallel_for(run->pool, fov_size_parts(job.size, job.each), run_unit, &job);
}

void fov_binary_archive(fov_archive *archive, void *parameters) {
  fov_binary_function *function = parameters;
  FOV_ARCHIVE_ENUM(archive, *function, fov_binary_truncated_divide);
}

const fov_operation fov_operation_binary = {
    .name = "binary",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_binary_archive,
    .parameter_bytes = sizeof(fov_binary_function),
    .input_count = 2,
    .in_place = true,
};

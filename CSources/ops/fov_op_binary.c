// Fovea - functions of two elements, with broadcasting.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stddef.h>

#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"

// NaN: a NaN on either side gives NaN, except that maximum and minimum give the right element.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_binary_function function = *(const fov_binary_function *)parameters;
  if ((size_t)function > fov_binary_floor_divide) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "function %lld is no function of two elements; expected 0 to %d",
                    (long long)function, fov_binary_floor_divide);
  }
  fov_shape result;
  if (!fov_shape_broadcast(&inputs[0], &inputs[1], &result)) {
    char left[FOV_SHAPE_TEXT], right[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "%.100s and %.100s do not fit; expected equal dimensions or 1",
                    fov_shape_describe(&inputs[0], left), fov_shape_describe(&inputs[1], right));
  }
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// MARK: rows

// A row of results. Each side is a row too, or one of them is a single element.
typedef void (*fov_binary_row)(const float *left, const float *right, float *out, size_t count);

typedef struct fov_binary_rows {
  fov_binary_row both;
  fov_binary_row right_constant;
  fov_binary_row left_constant;
} fov_binary_rows;

// Defines the three rows of a function: `expression` in x and y, `assumption` before each loop.
#define FOV_BINARY_ROWS(name, assumption, expression)                                         \
  static void name##_both(const float *left, const float *right, float *out, size_t count) {  \
    assumption for (size_t i = 0; i < count; i++) {                                           \
      const float x = left[i], y = right[i];                                                  \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }                                                                                           \
  static void name##_right(const float *left, const float *right, float *out, size_t count) { \
    const float y = right[0];                                                                 \
    assumption for (size_t i = 0; i < count; i++) {                                           \
      const float x = left[i];                                                                \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }                                                                                           \
  static void name##_left(const float *left, const float *right, float *out, size_t count) {  \
    const float x = left[0];                                                                  \
    assumption for (size_t i = 0; i < count; i++) {                                           \
      const float y = right[i];                                                               \
      out[i] = (expression);                                                                  \
    }                                                                                         \
  }

FOV_BINARY_ROWS(add, FOV_INDEPENDENT_ITERATIONS, x + y)
FOV_BINARY_ROWS(subtract, FOV_INDEPENDENT_ITERATIONS, x - y)
FOV_BINARY_ROWS(multiply, FOV_INDEPENDENT_ITERATIONS, x *y)
FOV_BINARY_ROWS(divide, FOV_INDEPENDENT_ITERATIONS, x / y)
FOV_BINARY_ROWS(maximum, FOV_INDEPENDENT_ITERATIONS, x > y ? x : y)
FOV_BINARY_ROWS(minimum, FOV_INDEPENDENT_ITERATIONS, x < y ? x : y)
FOV_BINARY_ROWS(power, , powf(x, y))
FOV_BINARY_ROWS(modulo, , x - floorf(x / y) * y)
FOV_BINARY_ROWS(floor_divide, , floorf(x / y))

static fov_binary_rows select_rows(fov_binary_function function) {
#define FOV_ROWS(name) ((fov_binary_rows){name##_both, name##_right, name##_left})
  switch (function) {
    case fov_binary_add: return FOV_ROWS(add);
    case fov_binary_subtract: return FOV_ROWS(subtract);
    case fov_binary_multiply: return FOV_ROWS(multiply);
    case fov_binary_divide: return FOV_ROWS(divide);
    case fov_binary_maximum: return FOV_ROWS(maximum);
    case fov_binary_minimum: return FOV_ROWS(minimum);
    case fov_binary_power: return FOV_ROWS(power);
    case fov_binary_modulo: return FOV_ROWS(modulo);
    case fov_binary_floor_divide: return FOV_ROWS(floor_divide);
  }
  return FOV_ROWS(add);
#undef FOV_ROWS
}

// MARK: going through two arrays

// The output's dimensions, merged where possible, with the strides of each side along them. A
// stride is 0 where the side is repeated.
typedef struct fov_binary_loop {
  size_t rank;
  size_t dims[FOV_MAX_RANK];
  size_t left[FOV_MAX_RANK];
  size_t right[FOV_MAX_RANK];
} fov_binary_loop;

// Strides of a shape along the dimensions of the output, 0 where it is repeated.
static void find_strides(const fov_shape *shape, const fov_shape *output,
                         size_t out_strides[FOV_MAX_RANK]) {
  size_t dense[FOV_MAX_RANK];
  fov_shape_strides(shape, dense);
  const size_t added = output->rank - shape->rank;
  for (size_t i = 0; i < output->rank; i++) {
    const bool repeated = i < added || shape->dims[i - added] == 1;
    out_strides[i] = repeated ? 0 : dense[i - added];
  }
}

static fov_binary_loop make_loop(const fov_shape *left, const fov_shape *right,
                                 const fov_shape *output) {
  size_t lefts[FOV_MAX_RANK], rights[FOV_MAX_RANK];
  find_strides(left, output, lefts);
  find_strides(right, output, rights);
  fov_binary_loop loop = {.rank = 0};
  for (size_t i = 0; i < output->rank; i++) {
    const size_t size = output->dims[i];
    if (size == 1) continue;
    const size_t last = loop.rank - 1;
    if (loop.rank > 0 && loop.left[last] == lefts[i] * size &&
        loop.right[last] == rights[i] * size) {
      loop.dims[last] *= size;
      loop.left[last] = lefts[i];
      loop.right[last] = rights[i];
    } else {
      loop.dims[loop.rank] = size;
      loop.left[loop.rank] = lefts[i];
      loop.right[loop.rank] = rights[i];
      loop.rank++;
    }
  }
  if (loop.rank == 0) loop = (fov_binary_loop){.rank = 1, .dims = {1}, .left = {1}, .right = {1}};
  return loop;
}

static void run(const fov_run *run) {
  const fov_binary_rows rows = select_rows(*(const fov_binary_function *)run->parameters);
  const fov_binary_loop loop =
      make_loop(run->inputs[0].shape, run->inputs[1].shape, run->output.shape);
  const float *left = fov_run_input(run, 0);
  const float *right = fov_run_input(run, 1);
  float *out = fov_run_output(run);

  // Along the innermost dimension at least one side moves, element by element.
  const size_t inner = loop.rank - 1;
  const size_t count = loop.dims[inner];
  const fov_binary_row row = loop.left[inner] == 0    ? rows.left_constant
                             : loop.right[inner] == 0 ? rows.right_constant
                                                      : rows.both;
  size_t index[FOV_MAX_RANK] = {0};
  for (;;) {
    row(left, right, out, count);
    out += count;
    size_t i = inner;
    for (;;) {
      if (i == 0) return;
      i--;
      if (++index[i] < loop.dims[i]) break;
      index[i] = 0;
      left -= (loop.dims[i] - 1) * loop.left[i];
      right -= (loop.dims[i] - 1) * loop.right[i];
    }
    left += loop.left[i];
    right += loop.right[i];
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_binary_function *function = parameters;
  FOV_ARCHIVE_ENUM(archive, *function, fov_binary_floor_divide);
}

const fov_operation fov_operation_binary = {
    .name = "binary",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_binary_function),
    .input_count = 2,
    .in_place = true,
};

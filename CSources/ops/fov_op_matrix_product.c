// Fovea - products of matrices.
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>

#include "base/fov_size.h"
#include "kernels/int8/fov_int8_kernels.h"
#include "ops/fov_matrix_block.h"
#include "ops/fov_operation_table.h"
#include "pool/fov_parallel_slots.h"

// result[m, n] = left[m, k] * right[k, n], for each matrix of a batch. reference: three loops, the
// specification. Other backends: blocks of rows and columns (ops/fov_matrix_block.h), each a unit
// of work. Units follow from shapes alone. NaN: an element with a NaN in its row or column is NaN.

typedef struct product {
  const fov_run *run;
  fov_matrix_block block;                          // as large as blocks are, at row and column 0
  fov_shape batch;                                 // of the result's matrices
  size_t left[FOV_MAX_RANK], right[FOV_MAX_RANK];  // strides along it, in matrices
  size_t batches, row_parts, column_parts;         // units are all of these
  size_t slot_floats;                              // workspace of a slot
} product;

// MARK: shape

// The dimensions before the last two.
static fov_shape batch_of(const fov_shape *shape) {
  fov_shape batch = *shape;
  batch.rank = shape->rank - 2;
  return batch;
}

// Rows or columns of a side, which may be transposed.
static size_t side_size(const fov_shape *shape, bool transpose, size_t axis) {
  return shape->dims[shape->rank - 2 + (transpose ? 1 - axis : axis)];
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_matrix_product *p = parameters;
  const fov_shape *left = &inputs[0], *right = &inputs[1];
  fov_shape result = {.rank = 0};
  bool fits = left->rank >= 2 && right->rank >= 2;
  if (fits) {
    const fov_shape left_batch = batch_of(left), right_batch = batch_of(right);
    fits = side_size(left, p->transpose_left, 1) == side_size(right, p->transpose_right, 0) &&
           fov_shape_broadcast(&left_batch, &right_batch, &result);
  }
  if (!fits) {
    char first[FOV_SHAPE_TEXT], second[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "no product of %s%.100s and %s%.100s; expected [..., m, k] and [..., k, n]",
                    p->transpose_left ? "transposed " : "", fov_shape_describe(left, first),
                    p->transpose_right ? "transposed " : "", fov_shape_describe(right, second));
  }
  result.dims[result.rank++] = side_size(left, p->transpose_left, 0);
  result.dims[result.rank++] = side_size(right, p->transpose_right, 1);
  *out_shape = result;
  return fov_status_ok;
}

// MARK: units

#define LEAST_ROWS 32
#define MOST_ROWS 256
#define MOST_COLUMNS 512
#define BLOCK_FLOATS ((size_t)128 * 1024)  // of a side: 512 KiB, in the second cache

// As the units of convolutions.
#define WANTED_UNITS 16
#define UNIT_PRODUCTS 200000

static size_t clamp(size_t x, size_t least, size_t most) {
  return fov_size_min(fov_size_max(x, least), most);
}

static void cut(product *p) {
  fov_matrix_block *block = &p->block;
  const size_t depth = BLOCK_FLOATS / block->k;
  const size_t panels = clamp(depth, FOV_PANEL, MOST_COLUMNS) / FOV_PANEL;
  block->columns = fov_size_min(block->n, panels * FOV_PANEL);
  p->column_parts = fov_size_parts(block->n, block->columns);
  block->rows = fov_size_min(block->m, clamp(depth, LEAST_ROWS, MOST_ROWS));
  const double products =
      (double)p->batches * (double)block->m * (double)block->n * (double)block->k;
  const size_t wanted = products >= (double)WANTED_UNITS * UNIT_PRODUCTS
                            ? WANTED_UNITS
                            : (size_t)(products / UNIT_PRODUCTS) + 1;
  const size_t others = p->batches * p->column_parts;
  if (others < wanted) {
    const size_t share = fov_size_parts(block->m, fov_size_parts(wanted, others));
    block->rows = fov_size_min(block->rows, fov_size_max(share, LEAST_ROWS));
  }
  p->row_parts = fov_size_parts(block->m, block->rows);
}

// false: the workspace of a slot overflows.
static bool describe(const fov_matrix_product *parameters, const fov_shape *left,
                     const fov_shape *right, const fov_shape *output, fov_backend backend,
                     product *p) {
  const fov_shape left_batch = batch_of(left), right_batch = batch_of(right);
  *p = (product){
      .block = {.backend = backend,
                .transpose_left = parameters->transpose_left,
                .transpose_right = parameters->transpose_right,
                .m = output->dims[output->rank - 2],
                .k = side_size(left, parameters->transpose_left, 1),
                .n = output->dims[output->rank - 1]},
      .batch = batch_of(output),
  };
  p->batches = fov_shape_count(&p->batch);
  // With one right matrix for all, the rows of all left matrices are those of one.
  if (fov_shape_count(&right_batch) == 1 && !parameters->transpose_left) {
    p->block.m *= p->batches;
    p->batches = 1;
    p->batch.rank = 0;
  } else {
    fov_shape_broadcast_strides(&left_batch, &p->batch, p->left);
    fov_shape_broadcast_strides(&right_batch, &p->batch, p->right);
  }
  cut(p);
  return backend == fov_backend_reference || fov_matrix_block_floats(&p->block, &p->slot_floats);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  product p;
  const bool fits = describe(parameters, &request->inputs[0], &request->inputs[1], request->output,
                             request->backend, &p) &&
                    fov_size_multiply(p.slot_floats, request->slots, out_bytes) &&
                    fov_size_multiply(*out_bytes, sizeof(float), out_bytes);
  // sgemm counts in int.
  const bool counts = p.block.m <= INT_MAX && p.block.k <= INT_MAX && p.block.n <= INT_MAX;
  return fits && counts ? fov_status_ok : fov_status_overflow;
}

// MARK: run

// The whole matrices of a batch.
static fov_matrix_block block_of(const product *p, size_t batch) {
  fov_matrix_block block = p->block;
  size_t left = 0, right = 0, rest = batch;
  for (size_t i = p->batch.rank; i-- > 0; rest /= p->batch.dims[i]) {
    left += rest % p->batch.dims[i] * p->left[i];
    right += rest % p->batch.dims[i] * p->right[i];
  }
  block.left = fov_run_input(p->run, 0) + left * block.m * block.k;
  block.right = fov_run_input(p->run, 1) + right * block.k * block.n;
  block.out = fov_run_output(p->run) + batch * block.m * block.n;
  return block;
}

static void run_unit(void *context, size_t unit, size_t slot) {
  const product *p = context;
  fov_matrix_block block = block_of(p, unit / (p->column_parts * p->row_parts));
  block.kernels = p->run->kernels;
  block.row = unit / p->column_parts % p->row_parts * block.rows;
  block.rows = fov_size_min(block.rows, block.m - block.row);
  block.column = unit % p->column_parts * block.columns;
  block.columns = fov_size_min(block.columns, block.n - block.column);
  block.out += block.row * block.n + block.column;
  float *workspace = p->run->workspace;
  fov_matrix_block_multiply(&block, p->slot_floats ? workspace + slot * p->slot_floats : NULL);
}

static void run_reference(const product *p, size_t batch) {
  const fov_matrix_block b = block_of(p, batch);
  const size_t left_row = b.transpose_left ? 1 : b.k, left_column = b.transpose_left ? b.m : 1;
  const size_t right_row = b.transpose_right ? 1 : b.n, right_column = b.transpose_right ? b.k : 1;
  for (size_t row = 0; row < b.m; row++) {
    for (size_t column = 0; column < b.n; column++) {
      float sum = 0.0f;
      for (size_t i = 0; i < b.k; i++) {
        sum += b.left[row * left_row + i * left_column] *
               b.right[i * right_row + column * right_column];
      }
      b.out[row * b.n + column] = sum;
    }
  }
}

static void run(const fov_run *run) {
  product p;
  describe(run->parameters, run->inputs[0].shape, run->inputs[1].shape, run->output.shape,
           run->backend, &p);
  p.run = run;
  if (run->backend == fov_backend_reference) {
    for (size_t batch = 0; batch < p.batches; batch++) run_reference(&p, batch);
  } else {
    fov_parallel_for_slots(run->pool, p.batches * p.row_parts * p.column_parts, run->slots,
                           run_unit, &p);
  }
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  const fov_matrix_product *product = parameters;
  return (uint64_t)fov_shape_count(output) * side_size(&inputs[0], product->transpose_left, 1);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_matrix_product *product = parameters;
  fov_archive_bool(archive, &product->transpose_left);
  fov_archive_bool(archive, &product->transpose_right);
}

const fov_operation fov_operation_matrix_product = {
    .name = "matrix_product",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .multiply_accumulates = multiply_accumulates,
    .archive = archive,
    .parameter_bytes = sizeof(fov_matrix_product),
    .input_count = 2,
};

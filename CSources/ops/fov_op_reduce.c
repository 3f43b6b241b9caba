// Fovea - sums, products and extremes over whole dimensions.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "ops/fov_operation_table.h"

// The workspace holds one total in double precision for each result. NaN: maximum, minimum and
// argmax ignore it, and give -infinity, +infinity and 0 where all elements are NaN. Other functions
// give NaN.

// Integers up to here are exact in float32.
#define FOV_ARGMAX_LIMIT ((size_t)1 << 24)

// MARK: shape

static bool is_reduced(const fov_reduce *reduce, size_t dimension) {
  return (reduce->axes >> dimension & 1u) != 0;
}

// The shape of the result. `keep`: reduced dimensions stay, with a size of 1.
static fov_shape reduced_shape(const fov_reduce *reduce, const fov_shape *input, bool keep) {
  fov_shape result = {.rank = 0};
  for (size_t i = 0; i < input->rank; i++) {
    if (is_reduced(reduce, i)) {
      if (keep) result.dims[result.rank++] = 1;
    } else {
      result.dims[result.rank++] = input->dims[i];
    }
  }
  return result;
}

static fov_status check_argmax(const fov_reduce *reduce, const fov_shape *input,
                               fov_diagnostic *diagnostic) {
  if ((reduce->axes & (reduce->axes - 1)) != 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "argmax over the axes of mask 0x%x; expected one axis", reduce->axes);
  }
  for (size_t i = 0; i < input->rank; i++) {
    if (is_reduced(reduce, i) && input->dims[i] > FOV_ARGMAX_LIMIT) {
      return fov_fail(diagnostic, fov_status_unsupported,
                      "argmax over %zu elements; expected at most %zu, so that float32 can hold "
                      "every index",
                      input->dims[i], FOV_ARGMAX_LIMIT);
    }
  }
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_reduce *reduce = parameters;
  if ((size_t)reduce->function > fov_reduce_log_sum_exp) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "function %lld is no reduction; expected 0 to %d", (long long)reduce->function,
                    fov_reduce_log_sum_exp);
  }
  if (reduce->axes == 0 || reduce->axes >> inputs[0].rank != 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "axes of mask 0x%x; expected one or more of the input's rank %zu", reduce->axes,
                    inputs[0].rank);
  }
  if (isnan(reduce->epsilon)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "epsilon of a reduction is not a number");
  }
  if (reduce->function == fov_reduce_argmax) {
    FOV_FORWARD(check_argmax(reduce, &inputs[0], diagnostic));
  }
  *out_shape = reduced_shape(reduce, &inputs[0], reduce->keep_dimensions);
  return fov_status_ok;
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_shape result = reduced_shape(parameters, &request->inputs[0], false);
  const bool fits = fov_size_multiply(fov_shape_count(&result), sizeof(double), out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

// MARK: rows

// Adds a row of elements to totals that are `step` apart: 1 when the dimension of the row is kept,
// 0 when it is reduced to one total. `index` is the position of the row along the reduced axis, for
// an argmax that keeps the row. `results` are float32 values beside the totals.
typedef struct fov_reduce_row {
  const float *in;
  size_t count;
  size_t step;
  size_t index;
  double *totals;
  float *results;
} fov_reduce_row;

// total = expression in x and total, for every element of a row.
#define FOV_ACCUMULATE(expression)                         \
  do {                                                     \
    if (row->step == 0) {                                  \
      double total = row->totals[0];                       \
      for (size_t i = 0; i < row->count; i++) {            \
        const double x = (double)row->in[i];               \
        total = (expression);                              \
      }                                                    \
      row->totals[0] = total;                              \
    } else {                                               \
      const float *restrict in = row->in;                  \
      double *restrict totals = row->totals;               \
      for (size_t i = 0; i < row->count; i++) {            \
        const double x = (double)in[i], total = totals[i]; \
        totals[i] = (expression);                          \
      }                                                    \
    }                                                      \
    return;                                                \
  } while (0)

// `results` hold the largest element of each total, from an earlier pass.
static void accumulate_exponentials(const fov_reduce_row *row) {
  for (size_t i = 0; i < row->count; i++) {
    const float largest = row->results[i * row->step];
    const float shift = isfinite(largest) ? largest : 0.0f;
    row->totals[i * row->step] += exp((double)row->in[i] - (double)shift);
  }
}

static void accumulate_argmax(const fov_reduce_row *row) {
  for (size_t i = 0; i < row->count; i++) {
    if ((double)row->in[i] > row->totals[i * row->step]) {
      row->totals[i * row->step] = (double)row->in[i];
      row->results[i * row->step] = (float)(row->step == 0 ? i : row->index);
    }
  }
}

static void accumulate_row(fov_reduce_function function, const fov_reduce_row *row) {
  switch (function) {
    case fov_reduce_sum:
    case fov_reduce_mean:
    case fov_reduce_log_sum: FOV_ACCUMULATE(total + x);
    case fov_reduce_product: FOV_ACCUMULATE(total * x);
    case fov_reduce_sum_square:
    case fov_reduce_l2: FOV_ACCUMULATE(total + x * x);
    case fov_reduce_l1: FOV_ACCUMULATE(total + fabs(x));
    case fov_reduce_maximum: FOV_ACCUMULATE(x > total ? x : total);
    case fov_reduce_minimum: FOV_ACCUMULATE(x < total ? x : total);
    case fov_reduce_argmax: accumulate_argmax(row); return;
    case fov_reduce_log_sum_exp: accumulate_exponentials(row); return;
  }
}

static double identity(fov_reduce_function function) {
  switch (function) {
    case fov_reduce_product: return 1.0;
    case fov_reduce_maximum:
    case fov_reduce_argmax: return -INFINITY;
    case fov_reduce_minimum: return INFINITY;
    default: return 0.0;
  }
}

// MARK: going through the input

// Leading dimensions that stay divide input and result into parts that have nothing to do with one
// another. Units of work are neighboring parts.
typedef struct job {
  const fov_run *run;
  size_t leading;              // dimensions
  size_t parts;                // elements of the leading dimensions
  size_t parts_each;           // of a unit
  size_t rows, results;        // of a part
  size_t steps[FOV_MAX_RANK];  // along the totals of a part; 0 for reduced dimensions
} job;

// Units of fewer elements would take less time than their start.
#define ELEMENTS_A_UNIT ((size_t)16 * 1024)

static job job_of(const fov_run *run) {
  const fov_reduce *reduce = run->parameters;
  const fov_shape *input = run->inputs[0].shape;
  const size_t inner = input->rank - 1;
  job job = {.run = run, .results = 1};
  while (!is_reduced(reduce, job.leading) && job.leading < inner) job.leading++;
  for (size_t i = input->rank; i-- > job.leading;) {
    job.steps[i] = is_reduced(reduce, i) ? 0 : job.results;
    if (job.steps[i] != 0) job.results *= input->dims[i];
  }
  job.parts = fov_shape_count_range(input, 0, job.leading);
  job.rows = fov_shape_count_range(input, job.leading, inner);
  const size_t elements = job.rows * input->dims[inner];
  job.parts_each = fov_size_max(1, ELEMENTS_A_UNIT / fov_size_max(1, elements));
  return job;
}

// Rows that are summed together. Each addition waits for the one before it in its row alone.
#define ROWS_TOGETHER 8

// Adds neighboring rows to their totals, each in the order of its elements.
static void sum_rows(const float *in, size_t rows, size_t count, double *totals) {
  size_t row = 0;
  for (; row + ROWS_TOGETHER <= rows; row += ROWS_TOGETHER, in += ROWS_TOGETHER * count) {
    double sums[ROWS_TOGETHER] = {0.0};
    for (size_t i = 0; i < count; i++) {
      for (size_t k = 0; k < ROWS_TOGETHER; k++) sums[k] += (double)in[k * count + i];
    }
    for (size_t k = 0; k < ROWS_TOGETHER; k++) totals[row + k] += sums[k];
  }
  for (; row < rows; row++, in += count) {
    for (size_t i = 0; i < count; i++) totals[row] += (double)in[i];
  }
}

static bool is_sum(fov_reduce_function function) {
  return function == fov_reduce_sum || function == fov_reduce_mean ||
         function == fov_reduce_log_sum;
}

// Goes once through parts [parts[0], parts[1]). `function` adds each row to its totals.
static void accumulate(const job *job, const size_t parts[2], fov_reduce_function function) {
  const fov_shape *input = job->run->inputs[0].shape;
  const size_t inner = input->rank - 1, first = parts[0] * job->results;
  double *totals = (double *)job->run->workspace;
  float *results = fov_run_output(job->run);
  for (size_t i = first; i < parts[1] * job->results; i++) totals[i] = identity(function);
  fov_reduce_row row = {.count = input->dims[inner], .step = job->steps[inner]};
  row.in = fov_run_input(job->run, 0) + parts[0] * job->rows * row.count;
  if (job->results == 1 && job->rows == 1 && is_sum(function)) {
    sum_rows(row.in, parts[1] - parts[0], row.count, totals + first);
    return;
  }
  size_t index[FOV_MAX_RANK] = {0}, part = first;
  for (size_t n = (parts[1] - parts[0]) * job->rows; n > 0; n--, row.in += row.count) {
    size_t place = part;
    row.index = 0;
    for (size_t i = job->leading; i < inner; i++) {
      place += index[i] * job->steps[i];
      if (job->steps[i] == 0) row.index = index[i];
    }
    row.totals = totals + place;
    row.results = results + place;
    accumulate_row(function, &row);
    size_t i = inner;
    for (; i > job->leading && ++index[i - 1] == input->dims[i - 1]; i--) index[i - 1] = 0;
    if (i == job->leading) part += job->results;
  }
}

// MARK: run

// The result of a total. `largest` is what log_sum_exp subtracted before.
static double finish(const fov_reduce *reduce, double total, double elements, double largest) {
  switch (reduce->function) {
    case fov_reduce_mean: return total / elements;
    case fov_reduce_log_sum: return log(total + (double)reduce->epsilon);
    case fov_reduce_l2: return sqrt(total);
    case fov_reduce_log_sum_exp: return log(total) + (isfinite(largest) ? largest : 0.0);
    default: return total;
  }
}

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const fov_run *run = job->run;
  const fov_reduce *reduce = run->parameters;
  const size_t parts[2] = {unit * job->parts_each,
                           fov_size_min(job->parts, (unit + 1) * job->parts_each)};
  const size_t first = parts[0] * job->results, end = parts[1] * job->results;
  const double *totals = run->workspace;
  float *out = fov_run_output(run);
  for (size_t i = first; i < end; i++) out[i] = 0.0f;
  if (reduce->function == fov_reduce_log_sum_exp) {
    accumulate(job, parts, fov_reduce_maximum);
    for (size_t i = first; i < end; i++) out[i] = (float)totals[i];
  }
  accumulate(job, parts, reduce->function);
  if (reduce->function == fov_reduce_argmax) return;
  const size_t elements = fov_shape_count(run->inputs[0].shape) / (job->parts * job->results);
  for (size_t i = first; i < end; i++) {
    out[i] = (float)finish(reduce, totals[i], (double)elements, (double)out[i]);
  }
}

static void run(const fov_run *run) {
  job job = job_of(run);
  fov_parallel_for(run->pool, fov_size_parts(job.parts, job.parts_each), run_unit, &job);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_reduce *reduce = parameters;
  FOV_ARCHIVE_ENUM(archive, reduce->function, fov_reduce_log_sum_exp);
  fov_archive_u32(archive, &reduce->axes);
  fov_archive_bool(archive, &reduce->keep_dimensions);
  fov_archive_f32(archive, &reduce->epsilon);
}

const fov_operation fov_operation_reduce = {
    .name = "reduce",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_reduce),
    .input_count = 1,
};

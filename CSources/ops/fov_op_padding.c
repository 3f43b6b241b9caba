// Fovea - borders around an array, on any dimension.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "ops/fov_operation_table.h"

// MARK: shape

static fov_status check_dimension(const fov_padding *padding, size_t dimension, size_t size,
                                  size_t *out_size, fov_diagnostic *diagnostic) {
  const size_t before = padding->before[dimension], after = padding->after[dimension];
  if (padding->mode == fov_padding_reflect && (before >= size || after >= size)) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "dimension %zu of size %zu cannot be reflected by %zu before and %zu after; "
                    "expected less than its size",
                    dimension, size, before, after);
  }
  if (!fov_size_add(size, before, out_size) || !fov_size_add(*out_size, after, out_size)) {
    return fov_fail(diagnostic, fov_status_overflow, "dimension %zu overflows by its padding",
                    dimension);
  }
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_padding *padding = parameters;
  if ((size_t)padding->mode > fov_padding_replicate) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "mode %lld is no padding; expected 0 to %d", (long long)padding->mode,
                    fov_padding_replicate);
  }
  if (padding->mode == fov_padding_constant && isnan(padding->value)) {
    return fov_fail(diagnostic, fov_status_invalid_argument, "the padding value is not a number");
  }
  fov_shape result = {.rank = inputs[0].rank};
  for (size_t i = 0; i < result.rank; i++) {
    FOV_FORWARD(check_dimension(padding, i, inputs[0].dims[i], &result.dims[i], diagnostic));
  }
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// MARK: run

#define FOV_OUTSIDE SIZE_MAX

// The element of a dimension of `size` that the output has at `index`; FOV_OUTSIDE for the
// constant.
static size_t source_index(fov_padding_mode mode, size_t index, size_t before, size_t size) {
  if (index >= before && index - before < size) return index - before;
  switch (mode) {
    case fov_padding_constant: break;
    case fov_padding_reflect:
      return index < before ? before - index : 2 * (size - 1) - (index - before);
    case fov_padding_replicate: return index < before ? 0 : size - 1;
  }
  return FOV_OUTSIDE;
}

static void fill(float *out, float value, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = value;
}

// Extends a row of `size` elements on both sides.
static void pad_row(const fov_padding *padding, size_t dimension, const float *restrict row,
                    size_t size, float *restrict out) {
  const size_t before = padding->before[dimension], after = padding->after[dimension];
  float *right = out + before + size;
  memcpy(out + before, row, size * sizeof(float));
  switch (padding->mode) {
    case fov_padding_constant:
      fill(out, padding->value, before);
      fill(right, padding->value, after);
      break;
    case fov_padding_reflect:
      for (size_t i = 0; i < before; i++) out[i] = row[before - i];
      for (size_t i = 0; i < after; i++) right[i] = row[size - 2 - i];
      break;
    case fov_padding_replicate:
      fill(out, row[0], before);
      fill(right, row[size - 1], after);
      break;
  }
}

static void run(const fov_run *run) {
  const fov_padding *padding = run->parameters;
  const fov_shape *input = run->inputs[0].shape, *output = run->output.shape;
  const float *in = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  if (output->rank == 0) {
    out[0] = in[0];
    return;
  }
  size_t strides[FOV_MAX_RANK];
  fov_shape_strides(input, strides);
  const size_t inner = output->rank - 1;
  const size_t rows = fov_shape_count_range(output, 0, inner);
  size_t index[FOV_MAX_RANK] = {0};
  for (size_t n = 0; n < rows; n++) {
    const float *row = in;
    for (size_t i = 0; i < inner && row; i++) {
      const size_t source =
          source_index(padding->mode, index[i], padding->before[i], input->dims[i]);
      row = source == FOV_OUTSIDE ? NULL : row + source * strides[i];
    }
    if (row) {
      pad_row(padding, inner, row, input->dims[inner], out);
    } else {
      fill(out, padding->value, output->dims[inner]);
    }
    out += output->dims[inner];
    for (size_t i = inner; i-- > 0;) {
      if (++index[i] < output->dims[i]) break;
      index[i] = 0;
    }
  }
}

void fov_padding_archive(fov_archive *archive, void *parameters) {
  fov_padding *padding = parameters;
  FOV_ARCHIVE_ENUM(archive, padding->mode, fov_padding_replicate);
  fov_archive_f32(archive, &padding->value);
  fov_archive_sizes(archive, padding->before, FOV_MAX_RANK);
  fov_archive_sizes(archive, padding->after, FOV_MAX_RANK);
}

const fov_operation fov_operation_padding = {
    .name = "padding",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_padding_archive,
    .parameter_bytes = sizeof(fov_padding),
    .input_count = 1,
};

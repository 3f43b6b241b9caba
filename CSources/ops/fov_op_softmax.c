// Fovea - exponentials that add up to 1 along one dimension.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "kernels/fov_exponential.h"
#include "kernels/fov_loop.h"
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

// Along contiguous elements.
static void normalize_row(const float *in, float *out, size_t size) {
  float largest = -INFINITY;
  for (size_t i = 0; i < size; i++) largest = in[i] > largest ? in[i] : largest;
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < size; i++)
    out[i] = fov_exponential(in[i] - largest);
  float sum = 0.0f;
  for (size_t i = 0; i < size; i++) sum += out[i];
  for (size_t i = 0; i < size; i++) out[i] = out[i] / sum;
}

// Columns that are normalized together when the elements of a sum are `pitch` apart.
#define FOV_SOFTMAX_COLUMNS 64

static void normalize_columns(const float *in, float *out, size_t size, size_t pitch,
                              size_t columns) {
  float largest[FOV_SOFTMAX_COLUMNS], sums[FOV_SOFTMAX_COLUMNS];
  for (size_t j = 0; j < columns; j++) {
    largest[j] = -INFINITY;
    sums[j] = 0.0f;
  }
  for (size_t i = 0; i < size; i++) {
    const float *row = in + i * pitch;
    for (size_t j = 0; j < columns; j++) largest[j] = row[j] > largest[j] ? row[j] : largest[j];
  }
  for (size_t i = 0; i < size; i++) {
    const float *row = in + i * pitch;
    float *result = out + i * pitch;
    FOV_INDEPENDENT_ITERATIONS for (size_t j = 0; j < columns; j++) {
      const float power = fov_exponential(row[j] - largest[j]);
      result[j] = power;
      sums[j] += power;
    }
  }
  for (size_t i = 0; i < size; i++) {
    float *result = out + i * pitch;
    for (size_t j = 0; j < columns; j++) result[j] = result[j] / sums[j];
  }
}

static void run(const fov_run *run) {
  const size_t axis = *(const size_t *)run->parameters;
  const fov_shape *shape = run->output.shape;
  const size_t outer = fov_shape_count_range(shape, 0, axis);
  const size_t size = shape->dims[axis];
  const size_t pitch = fov_shape_count_range(shape, axis + 1, shape->rank);
  const float *in = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < outer; n++) {
    if (pitch == 1) {
      normalize_row(in, out, size);
    } else {
      for (size_t j = 0; j < pitch; j += FOV_SOFTMAX_COLUMNS) {
        normalize_columns(in + j, out + j, size, pitch,
                          fov_size_min(FOV_SOFTMAX_COLUMNS, pitch - j));
      }
    }
    in += size * pitch;
    out += size * pitch;
  }
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

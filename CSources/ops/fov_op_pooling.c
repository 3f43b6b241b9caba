// Fovea - the maximum, the average or the root of squares over windows of a plane.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// NaN: a maximum ignores it, and a window of nothing but NaN gives -infinity. Averages and roots of
// a window with a NaN are NaN.

// MARK: shape

static const char *const axis_names[2] = {"rows", "columns"};

// Every window must hold an element of the plane. It is enough to check two of them: the first must
// not end before the plane begins, and the last must not begin after it ends.
static fov_status check_axis(const fov_pooling *pooling, size_t axis, size_t size,
                             fov_diagnostic *diagnostic) {
  const size_t kernel = pooling->kernel[axis], stride = pooling->stride[axis];
  const size_t before = pooling->before[axis], output = pooling->output[axis];
  const char *name = axis_names[axis];
  if (kernel == 0 || stride == 0 || output == 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "pooling %s: kernel %zu, stride %zu, output %zu; expected 1 or more", name,
                    kernel, stride, output);
  }
  if (before >= kernel) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "pooling %s: %zu are added before; expected less than the kernel of %zu", name,
                    before, kernel);
  }
  size_t last, end, limit;
  if (!fov_size_multiply(output - 1, stride, &last) || !fov_size_add(last, kernel, &end) ||
      !fov_size_add(size, before, &limit)) {
    return fov_fail(diagnostic, fov_status_overflow, "pooling %s: the last window overflows", name);
  }
  if (stride > INT32_MAX) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "pooling %s: a stride of %zu; expected at most %d", name, stride, INT32_MAX);
  }
  if (last >= limit) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "pooling %s: window %zu begins %zu after the first; expected less than the "
                    "%zu of the input and its border",
                    name, output - 1, last, limit);
  }
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_pooling *pooling = parameters;
  if ((size_t)pooling->function > fov_pooling_l2) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "function %lld is no pooling; expected 0 to %d", (long long)pooling->function,
                    fov_pooling_l2);
  }
  FOV_FORWARD(fov_shape_require_planes(&inputs[0], diagnostic));
  fov_shape result = inputs[0];
  for (size_t axis = 0; axis < 2; axis++) {
    size_t *size = &result.dims[result.rank - 2 + axis];
    FOV_FORWARD(check_axis(pooling, axis, *size, diagnostic));
    *size = pooling->output[axis];
  }
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// MARK: windows

// Elements [begin, end) of an axis that window `index` covers, at least one.
typedef struct fov_window {
  size_t begin, end;
} fov_window;

static inline fov_window find_window(const fov_pooling *pooling, size_t axis, size_t index,
                                     size_t size) {
  const size_t start = index * pooling->stride[axis];
  const size_t before = pooling->before[axis];
  return (fov_window){
      .begin = start > before ? start - before : 0,
      .end = fov_size_min(size, start + pooling->kernel[axis] - before),
  };
}

static inline float larger(float value, float largest) { return value > largest ? value : largest; }

static float window_maximum(const float *plane, size_t pitch, fov_window rows, fov_window columns) {
  float largest = -INFINITY;
  for (size_t y = rows.begin; y < rows.end; y++) {
    for (size_t x = columns.begin; x < columns.end; x++) {
      largest = larger(plane[y * pitch + x], largest);
    }
  }
  return largest;
}

// In double precision: windows may be whole planes, and the rounding of a float sum grows with
// them.
static double window_sum(const float *plane, size_t pitch, fov_window rows, fov_window columns) {
  double sum = 0.0;
  for (size_t y = rows.begin; y < rows.end; y++) {
    for (size_t x = columns.begin; x < columns.end; x++) sum += (double)plane[y * pitch + x];
  }
  return sum;
}

static double window_sum_of_squares(const float *plane, size_t pitch, fov_window rows,
                                    fov_window columns) {
  double sum = 0.0;
  for (size_t y = rows.begin; y < rows.end; y++) {
    for (size_t x = columns.begin; x < columns.end; x++) {
      const double value = (double)plane[y * pitch + x];
      sum += value * value;
    }
  }
  return sum;
}

// What an average divides by.
static double window_elements(const fov_pooling *pooling, fov_window rows, fov_window columns) {
  if (!pooling->exclude_padding) return (double)pooling->kernel[0] * (double)pooling->kernel[1];
  return (double)(rows.end - rows.begin) * (double)(columns.end - columns.begin);
}

// MARK: planes

// Wider windows are computed one by one. So the work is bounded by the plane, for any window size
// that a file may have.
#define NARROW_KERNEL 16

// One row of maxima of narrow windows. Element k of all windows is taken at once, in a loop without
// conditions.
static void pool_row_maximum(const fov_pooling *pooling, const float *restrict plane, size_t width,
                             fov_window rows, float *restrict out) {
  const size_t stride = pooling->stride[1], before = pooling->before[1];
  for (size_t i = 0; i < pooling->output[1]; i++) out[i] = -INFINITY;
  for (size_t y = rows.begin; y < rows.end; y++) {
    for (size_t k = 0; k < pooling->kernel[1]; k++) {
      // Windows whose element k lies in the plane: i * stride + k - before in [0, width).
      const size_t begin = k >= before ? 0 : fov_size_parts(before - k, stride);
      const size_t reach = width + before > k ? fov_size_parts(width + before - k, stride) : 0;
      const size_t end = fov_size_min(reach, pooling->output[1]);
      if (begin >= end) continue;
      const float *restrict from = plane + y * width + (begin * stride + k - before);
      for (size_t i = begin; i < end; i++, from += stride) out[i] = larger(*from, out[i]);
    }
  }
}

// One row of outputs from any windows.
static void pool_row(const fov_pooling *pooling, const float *restrict plane, size_t width,
                     fov_window rows, float *restrict out) {
  for (size_t i = 0; i < pooling->output[1]; i++) {
    const fov_window columns = find_window(pooling, 1, i, width);
    switch (pooling->function) {
      case fov_pooling_maximum: out[i] = window_maximum(plane, width, rows, columns); break;
      case fov_pooling_average:
        out[i] = (float)(window_sum(plane, width, rows, columns) /
                         window_elements(pooling, rows, columns));
        break;
      case fov_pooling_l2:
        out[i] = (float)sqrt(window_sum_of_squares(plane, width, rows, columns));
        break;
    }
  }
}

// `count` maxima of 2x2 windows side by side.
static void pool_pairs(const float *restrict upper, const float *restrict lower,
                       float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float left = larger(upper[2 * i], -INFINITY);
    const float above = larger(upper[2 * i + 1], left);
    const float below = larger(lower[2 * i], above);
    out[i] = larger(lower[2 * i + 1], below);
  }
}

// 2x2 windows at a stride of 2 without a border: pairs of whole rows.
static bool is_pairs(const fov_pooling *pooling, const fov_planes *planes) {
  const size_t sizes[2] = {planes->rows, planes->columns};
  for (size_t axis = 0; axis < 2; axis++) {
    if (pooling->kernel[axis] != 2 || pooling->stride[axis] != 2 || pooling->before[axis] != 0 ||
        pooling->output[axis] > sizes[axis] / 2) {
      return false;
    }
  }
  return pooling->function == fov_pooling_maximum;
}

static void pool_plane(const fov_pooling *pooling, const fov_planes *planes, bool pairs,
                       const float *restrict plane, float *restrict out) {
  for (size_t i = 0; i < pooling->output[0]; i++, out += pooling->output[1]) {
    const fov_window rows = find_window(pooling, 0, i, planes->rows);
    if (pairs) {
      const float *upper = plane + rows.begin * planes->columns;
      pool_pairs(upper, upper + planes->columns, out, pooling->output[1]);
    } else if (pooling->function == fov_pooling_maximum && pooling->kernel[1] <= NARROW_KERNEL) {
      pool_row_maximum(pooling, plane, planes->columns, rows, out);
    } else {
      pool_row(pooling, plane, planes->columns, rows, out);
    }
  }
}

static void run(const fov_run *run) {
  const fov_pooling *pooling = run->parameters;
  const fov_planes planes = fov_shape_planes(run->inputs[0].shape);
  const bool pairs = is_pairs(pooling, &planes);
  const size_t input_pixels = planes.rows * planes.columns;
  const size_t output_pixels = pooling->output[0] * pooling->output[1];
  for (size_t p = 0; p < planes.batch * planes.channels; p++) {
    pool_plane(pooling, &planes, pairs, fov_run_input(run, 0) + p * input_pixels,
               fov_run_output(run) + p * output_pixels);
  }
}

void fov_pooling_archive(fov_archive *archive, void *parameters) {
  fov_pooling *pooling = parameters;
  FOV_ARCHIVE_ENUM(archive, pooling->function, fov_pooling_l2);
  fov_archive_sizes(archive, pooling->kernel, 2);
  fov_archive_sizes(archive, pooling->stride, 2);
  fov_archive_sizes(archive, pooling->before, 2);
  fov_archive_sizes(archive, pooling->output, 2);
  fov_archive_bool(archive, &pooling->exclude_padding);
}

const fov_operation fov_operation_pooling = {
    .name = "pooling",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_pooling_archive,
    .parameter_bytes = sizeof(fov_pooling),
    .input_count = 1,
};

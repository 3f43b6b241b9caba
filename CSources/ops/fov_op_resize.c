// Fovea - planes sampled at other sizes.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_resize_sample.h"
#include "ops/fov_shape_require.h"

// NaN: a bilinear sample is NaN if an element with a weight above 0 is NaN or infinite.

// MARK: shape

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_resize *resize = parameters;
  if ((size_t)resize->filter > fov_resize_bilinear) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "filter %lld is no resizing; expected 0 to %d", (long long)resize->filter,
                    fov_resize_bilinear);
  }
  FOV_FORWARD(fov_shape_require_planes(&inputs[0], diagnostic));
  fov_shape result = inputs[0];
  for (size_t axis = 0; axis < 2; axis++) {
    if (!isfinite(resize->step[axis]) || !isfinite(resize->offset[axis])) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "resizing by a step of %g from %g; expected finite numbers",
                      resize->step[axis], resize->offset[axis]);
    }
    if (resize->output[axis] == 0) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "resizing to 0 %s; expected 1 or more", axis == 0 ? "rows" : "columns");
    }
    result.dims[result.rank - 2 + axis] = resize->output[axis];
  }
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// MARK: rows

// Positions of the samples of one row, computed once.
static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  (void)request;
  const fov_resize *resize = parameters;
  const bool fits = fov_size_multiply(resize->output[1], sizeof(fov_resize_sample), out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

static void nearest_row(const float *restrict row, const fov_resize_sample *restrict columns,
                        float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = row[columns[i].near];
}

// Every element twice.
static void double_row(const float *restrict row, float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[2 * i] = row[i];
    out[2 * i + 1] = row[i];
  }
}

static void bilinear_row(const float *restrict upper, const float *restrict lower, float fraction,
                         const fov_resize_sample *restrict columns, float *restrict out,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    const fov_resize_sample column = columns[i];
    const float above = fov_resize_mix(upper[column.near], upper[column.far], column.fraction);
    const float below = fov_resize_mix(lower[column.near], lower[column.far], column.fraction);
    out[i] = fov_resize_mix(above, below, fraction);
  }
}

// Whether output columns are input columns 0 0 1 1 2 2 ...
static bool doubles(const fov_resize_sample *columns, size_t count, size_t width) {
  if (count != 2 * width) return false;
  for (size_t i = 0; i < count; i++) {
    if (columns[i].near != i / 2) return false;
  }
  return true;
}

// MARK: planes

static void nearest_planes(const fov_run *run, const fov_resize_sample *columns) {
  const fov_resize *resize = run->parameters;
  const fov_planes planes = fov_shape_planes(run->inputs[0].shape);
  const size_t width = resize->output[1];
  const bool twice = doubles(columns, width, planes.columns);
  const float *plane = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t p = 0; p < planes.batch * planes.channels; p++) {
    size_t previous = SIZE_MAX;
    for (size_t i = 0; i < resize->output[0]; i++) {
      const size_t row = fov_resize_sample_of(resize, 0, i, planes.rows).near;
      const float *source = plane + row * planes.columns;
      if (row == previous) {
        memcpy(out, out - width, width * sizeof(float));
      } else if (twice) {
        double_row(source, out, planes.columns);
      } else {
        nearest_row(source, columns, out, width);
      }
      previous = row;
      out += width;
    }
    plane += planes.rows * planes.columns;
  }
}

static void bilinear_planes(const fov_run *run, const fov_resize_sample *columns) {
  const fov_resize *resize = run->parameters;
  const fov_planes planes = fov_shape_planes(run->inputs[0].shape);
  const float *plane = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t p = 0; p < planes.batch * planes.channels; p++) {
    for (size_t i = 0; i < resize->output[0]; i++) {
      const fov_resize_sample row = fov_resize_sample_of(resize, 0, i, planes.rows);
      bilinear_row(plane + row.near * planes.columns, plane + row.far * planes.columns,
                   row.fraction, columns, out, resize->output[1]);
      out += resize->output[1];
    }
    plane += planes.rows * planes.columns;
  }
}

static void run(const fov_run *run) {
  const fov_resize *resize = run->parameters;
  const fov_shape *input = run->inputs[0].shape;
  fov_resize_sample *columns = run->workspace;
  for (size_t i = 0; i < resize->output[1]; i++) {
    columns[i] = fov_resize_sample_of(resize, 1, i, input->dims[input->rank - 1]);
  }
  if (resize->filter == fov_resize_nearest) {
    nearest_planes(run, columns);
  } else {
    bilinear_planes(run, columns);
  }
}

void fov_resize_archive(fov_archive *archive, void *parameters) {
  fov_resize *resize = parameters;
  FOV_ARCHIVE_ENUM(archive, resize->filter, fov_resize_bilinear);
  fov_archive_sizes(archive, resize->output, 2);
  for (size_t axis = 0; axis < 2; axis++) {
    fov_archive_f64(archive, &resize->step[axis]);
    fov_archive_f64(archive, &resize->offset[axis]);
  }
}

const fov_operation fov_operation_resize = {
    .name = "resize",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = fov_resize_archive,
    .parameter_bytes = sizeof(fov_resize),
    .input_count = 1,
};

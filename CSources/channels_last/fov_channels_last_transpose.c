// Fovea - transpositions between rows of channels and channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_transpose.h"

#include <string.h>

#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_strided_copy.h"
#include "ops/fov_operation_table.h"

// MARK: from rows

bool fov_channels_last_is_from_rows(const size_t *axes, size_t rank) {
  if (rank < 3) return false;
  for (size_t i = 0; i + 3 < rank; i++) {
    if (axes[i] != i) return false;
  }
  return axes[rank - 3] == rank - 1 && axes[rank - 2] == rank - 3 && axes[rank - 1] == rank - 2;
}

static void quantize_pixel(const fov_run *run, fov_quantization quantization, const float *from,
                           uint8_t *to, size_t channels) {
  const fov_int8_kernels *kernels = run->kernels->int8;
  const float inverse = 1.0f / quantization.scale;
  if (quantization.zero_points) {
    kernels->quantize_channels(from, inverse, quantization.zero_points, to, channels);
  } else {
    kernels->quantize(from, inverse, (float)quantization.zero_point, to, channels);
  }
}

static void copy_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_plane out = fov_format_plane(&run->output, image);
  const size_t channels = planes.channels, size = fov_data_type_bytes(run->output.type);
  const size_t pixel = (image * planes.rows + row) * planes.columns;
  const float *from = fov_run_input(run, 0) + pixel * channels;
  uint8_t *to = fov_plane_row(&out, row, size);
  const fov_quantization quantization = run->output.format->quantization;
  for (size_t x = 0; x < planes.columns; x++, from += channels) {
    if (size == 1) {
      quantize_pixel(run, quantization, from, to, channels);
    } else {
      memcpy(to, from, channels * sizeof(float));
    }
    to += out.pixel * (ptrdiff_t)size;
  }
}

static void run_from_rows(const fov_run *run) { fov_channels_last_each_row(run, copy_row); }

static bool is_planes(const fov_tensor *tensor) {
  return tensor->format->arrangement == fov_arrangement_planar &&
         tensor->type == fov_data_type_float32;
}

static bool is_image(const fov_tensor *tensor) {
  return tensor->format->arrangement == fov_arrangement_channels_last &&
         tensor->type == fov_data_type_float32;
}

// The shape of the image whose rows these are.
static fov_shape image_of_rows(const fov_shape *rows) {
  fov_shape image = *rows;
  const size_t last = rows->rank - 1;
  image.dims[last - 2] = rows->dims[last];
  image.dims[last - 1] = rows->dims[last - 2];
  image.dims[last] = rows->dims[last - 1];
  return image;
}

static fov_status check_from_rows(const void *parameters, const fov_tensor *inputs,
                                  size_t input_count, const fov_tensor *output,
                                  fov_diagnostic *diagnostic) {
  (void)parameters;
  const bool writes = is_image(output) || fov_format_has_codes(output->format, output->type);
  if (input_count == 1 && is_planes(&inputs[0]) && writes && inputs[0].shape->rank >= 3) {
    const fov_shape image = image_of_rows(inputs[0].shape);
    if (fov_shape_equal(&image, output->shape)) return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph, "rows of floats that are no such image");
}

const fov_operation fov_operation_channels_last_from_rows = {
    .name = "from_rows",
    .run = run_from_rows,
    .archive = fov_archive_nothing,
    .check = check_from_rows,
    .input_count = 1,
};

// MARK: to rows

// The distance between elements of each dimension of `shape`, if those of the image's batch,
// channels, rows and columns are `steps`. false if `shape` splits them otherwise. Goes from the
// last dimension to the first.
static bool find_strides(const fov_shape *image, const ptrdiff_t steps[4], const fov_shape *shape,
                         ptrdiff_t *strides) {
  const fov_planes planes = fov_shape_planes(image);
  size_t left[4] = {planes.batch, planes.channels, planes.rows, planes.columns};
  ptrdiff_t step[4];
  memcpy(step, steps, sizeof step);
  size_t part = 3;
  for (size_t i = shape->rank; i-- > 0;) {
    const size_t size = shape->dims[i];
    strides[i] = 0;
    if (size == 1) continue;
    while (part > 0 && left[part] == 1) part--;
    if (size == 0 || left[part] % size != 0) return false;
    strides[i] = step[part];
    step[part] *= (ptrdiff_t)size;
    left[part] /= size;
  }
  return left[0] * left[1] * left[2] * left[3] == 1;
}

bool fov_channels_last_splits(const fov_shape *image, const fov_shape *shape) {
  const ptrdiff_t steps[4] = {0};
  ptrdiff_t strides[FOV_MAX_RANK];
  return find_strides(image, steps, shape, strides);
}

static void run_to_rows(const fov_run *run) {
  const fov_channels_last_to_rows *parameters = run->parameters;
  const fov_tensor *image = &run->inputs[0];
  const fov_plane plane = fov_format_plane(image, 0);
  const float *first = plane.data;
  const float *second = fov_shape_planes(image->shape).batch > 1
                            ? (const float *)fov_format_plane(image, 1).data
                            : first;
  const ptrdiff_t steps[4] = {second - first, 1, plane.row, plane.pixel};
  ptrdiff_t strides[FOV_MAX_RANK];
  find_strides(image->shape, steps, &parameters->shape, strides);
  fov_strided_view view = {.rank = parameters->shape.rank};
  for (size_t i = 0; i < view.rank; i++) {
    view.dims[i] = run->output.shape->dims[i];
    view.strides[i] = strides[parameters->axes[i]];
  }
  fov_strided_copy(&view, first, fov_run_output(run), run->kernels->float32, run->pool);
}

static void archive_to_rows(fov_archive *archive, void *parameters) {
  fov_channels_last_to_rows *to_rows = parameters;
  fov_archive_shape(archive, &to_rows->shape);
  fov_archive_sizes(archive, to_rows->axes, FOV_MAX_RANK);
}

static fov_status check_to_rows(const void *parameters, const fov_tensor *inputs,
                                size_t input_count, const fov_tensor *output,
                                fov_diagnostic *diagnostic) {
  const fov_channels_last_to_rows *to_rows = parameters;
  if (input_count == 1 && is_image(&inputs[0]) && is_planes(output) &&
      fov_channels_last_splits(inputs[0].shape, &to_rows->shape)) {
    fov_shape shape;
    FOV_FORWARD(
        fov_operation_transpose.infer_shape(to_rows->axes, &to_rows->shape, 1, &shape, diagnostic));
    if (fov_shape_equal(&shape, output->shape)) return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph, "an image of floats that has no such rows");
}

const fov_operation fov_operation_channels_last_to_rows = {
    .name = "to_rows",
    .run = run_to_rows,
    .archive = archive_to_rows,
    .parameter_bytes = sizeof(fov_channels_last_to_rows),
    .check = check_to_rows,
    .input_count = 1,
    .any_arrangement = true,
};

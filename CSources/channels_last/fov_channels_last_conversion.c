// Fovea - conversions between planes of floats, channels-last floats and channels-last codes.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_quantizing.h"
#include "channels_last/fov_channels_last_rows.h"
#include "channels_last/fov_range.h"
#include "channels_last/fov_tensor_reading.h"
#include "channels_last/fov_zero_points.h"
#include "kernels/fov_kernel_set.h"

// MARK: compiled files

// The kinds that a conversion reads and writes. Only `quantize` writes a measured quantization.
typedef struct sides {
  fov_arrangement from, to;
  fov_data_type from_type, to_type;
  bool measures;
} sides;

static fov_status check_sides(const sides *sides, const fov_tensor *inputs, size_t input_count,
                              const fov_tensor *output, fov_diagnostic *diagnostic) {
  const bool fits = input_count == 1 && inputs[0].format->arrangement == sides->from &&
                    inputs[0].type == sides->from_type &&
                    output->format->arrangement == sides->to && output->type == sides->to_type &&
                    (sides->measures || !output->format->measured);
  if (fits) return fov_channels_last_check_same_shape(&inputs[0], output, diagnostic);
  return fov_fail(diagnostic, fov_status_invalid_graph, "a conversion of other kinds of values");
}

// MARK: planes to pixels and back

static void row_to_channels_last(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t plane = planes.rows * planes.columns;
  const float *from =
      fov_run_input(run, 0) + image * planes.channels * plane + row * planes.columns;
  const fov_plane out = fov_format_plane(&run->output, image);
  if (run->output.type == fov_data_type_float32) {
    run->kernels->float32->transpose(from, plane, planes.channels, planes.columns,
                                     fov_plane_row(&out, row, sizeof(float)), (size_t)out.pixel);
    return;
  }
  const fov_quantization all = fov_format_quantization(&run->output);
  uint8_t *codes = fov_plane_row(&out, row, 1);
  for (size_t c = 0; c < planes.channels; c++, from += plane) {
    const fov_quantization quantization = fov_quantization_of_channel(all, c);
    for (size_t x = 0; x < planes.columns; x++) {
      codes[x * (size_t)out.pixel + c] = fov_quantize(from[x], quantization);
    }
  }
}

static void run_to_channels_last(const fov_run *run) {
  fov_channels_last_each_row(run, row_to_channels_last);
}

static fov_status check_to_channels_last(const void *parameters, const fov_tensor *inputs,
                                         size_t input_count, const fov_tensor *output,
                                         fov_diagnostic *diagnostic) {
  (void)parameters;
  const sides sides = {fov_arrangement_planar, fov_arrangement_channels_last, fov_data_type_float32,
                       output->type == fov_data_type_int16 ? fov_data_type_uint8 : output->type,
                       false};
  return check_sides(&sides, inputs, input_count, output, diagnostic);
}

const fov_operation fov_operation_to_channels_last = {
    .name = "to_channels_last",
    .run = run_to_channels_last,
    .archive = fov_archive_nothing,
    .check = check_to_channels_last,
    .input_count = 1,
};

static void row_to_planes(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t plane = planes.rows * planes.columns;
  float *to = fov_run_output(run) + image * planes.channels * plane + row * planes.columns;
  fov_tensor_read_row(&run->inputs[0], run->kernels, image, row, to, plane);
}

static void run_to_planes(const fov_run *run) { fov_channels_last_each_row(run, row_to_planes); }

static fov_status check_to_planes(const void *parameters, const fov_tensor *inputs,
                                  size_t input_count, const fov_tensor *output,
                                  fov_diagnostic *diagnostic) {
  (void)parameters;
  const sides sides = {fov_arrangement_channels_last, fov_arrangement_planar, inputs[0].type,
                       fov_data_type_float32, false};
  return check_sides(&sides, inputs, input_count, output, diagnostic);
}

const fov_operation fov_operation_to_planes = {
    .name = "to_planes",
    .run = run_to_planes,
    .archive = fov_archive_nothing,
    .check = check_to_planes,
    .input_count = 1,
};

// MARK: floats to codes and back

// Pixels of the input become pixels of the output.
static fov_pixel_steps steps_of(const fov_run *run) {
  const fov_format *in = run->inputs[0].format, *out = run->output.format;
  return (fov_pixel_steps){.from = (ptrdiff_t)in->pixel,
                           .to = (ptrdiff_t)out->pixel,
                           .channels = fov_shape_planes(run->output.shape).channels,
                           .may_fill_gaps = !in->is_view && !out->is_view};
}

static void quantize_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const fov_quantizing job = {
      .from = fov_plane_row(&in, row, sizeof(float)),
      .to = fov_plane_row(&out, row, fov_data_type_bytes(run->output.type)),
      .type = run->output.type,
      .quantization = fov_format_quantization(&run->output),
      .pixels = planes.columns,
      .steps = steps_of(run),
  };
  fov_quantize_pixels(&job, run->kernels);
}

static void run_quantize(const fov_run *run) {
  if (run->output.format->measured) {
    const fov_range range = fov_tensor_range(&run->inputs[0], run->kernels);
    fov_format_set_quantization(&run->output, fov_range_quantization(range));
  }
  fov_channels_last_each_row(run, quantize_row);
}

static fov_status check_quantize(const void *parameters, const fov_tensor *inputs,
                                 size_t input_count, const fov_tensor *output,
                                 fov_diagnostic *diagnostic) {
  (void)parameters;
  const bool is_int16 = output->type == fov_data_type_int16;
  const sides sides = {fov_arrangement_channels_last, fov_arrangement_channels_last,
                       fov_data_type_float32, is_int16 ? fov_data_type_int16 : fov_data_type_uint8,
                       !is_int16};
  return check_sides(&sides, inputs, input_count, output, diagnostic);
}

const fov_operation fov_operation_quantize = {
    .name = "quantize",
    .run = run_quantize,
    .archive = fov_archive_nothing,
    .check = check_quantize,
    .input_count = 1,
};

static void dequantize_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_quantization quantization = fov_format_quantization(&run->inputs[0]);
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const uint8_t *from = fov_plane_row(&in, row, 1);
  float *to = fov_plane_row(&out, row, sizeof(float));
  const float bias = -(float)quantization.zero_point * quantization.scale;
  fov_zero_points zeros;
  const size_t step = fov_zero_points_repeat(quantization.zero_points, steps_of(run), &zeros);
  for (size_t x = 0; x < planes.columns; x += step) {
    const size_t pixels = fov_size_min(step, planes.columns - x), count = pixels * zeros.values;
    if (zeros.of_values) {
      run->kernels->int8->dequantize_channels(from, quantization.scale, zeros.of_values, to, count);
    } else {
      run->kernels->int8->dequantize(from, quantization.scale, bias, to, count);
    }
    from += (ptrdiff_t)pixels * in.pixel;
    to += (ptrdiff_t)pixels * out.pixel;
  }
}

static void run_dequantize(const fov_run *run) { fov_channels_last_each_row(run, dequantize_row); }

static fov_status check_dequantize(const void *parameters, const fov_tensor *inputs,
                                   size_t input_count, const fov_tensor *output,
                                   fov_diagnostic *diagnostic) {
  (void)parameters;
  const sides sides = {fov_arrangement_channels_last, fov_arrangement_channels_last,
                       fov_data_type_uint8, fov_data_type_float32, false};
  return check_sides(&sides, inputs, input_count, output, diagnostic);
}

const fov_operation fov_operation_dequantize = {
    .name = "dequantize",
    .run = run_dequantize,
    .archive = fov_archive_nothing,
    .check = check_dequantize,
    .input_count = 1,
};

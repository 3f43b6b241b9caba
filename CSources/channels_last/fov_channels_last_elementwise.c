// Fovea - functions of one element and sums of two channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "channels_last/fov_channels_last_add.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "channels_last/fov_range.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"

// A row as runs of contiguous elements: one run if its pixels have no gaps, else one for each
// pixel.
typedef struct runs {
  size_t count, elements;
} runs;

static runs divide_row(const fov_run *run, bool dense) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  if (!dense) return (runs){.count = planes.columns, .elements = planes.channels};
  const size_t pixel = run->output.format->pixel;
  return (runs){.count = 1, .elements = (planes.columns - 1) * pixel + planes.channels};
}

// MARK: functions of one element

void fov_channels_last_unary_table(const fov_unary *unary, fov_quantization input,
                                   fov_quantization output, uint8_t out_table[256]) {
  for (int code = 0; code < 256; code++) {
    float value = fov_dequantize((uint8_t)code, input);
    fov_unary_apply(unary, &value, &value, 1);
    out_table[code] = isnan(value) ? (uint8_t)output.zero_point : fov_quantize(value, output);
  }
}

static void unary_row(const fov_run *run, size_t image, size_t row) {
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  if (run->output.type == fov_data_type_uint8) {
    const fov_planes planes = fov_shape_planes(run->output.shape);
    const fov_look_up job = {
        .codes = fov_plane_row(&in, row, 1),
        .results = fov_plane_row(&out, row, 1),
        .pixel = in.pixel,
        .result_pixel = out.pixel,
        .pixels = planes.columns,
        .channels = planes.channels,
        .table = run->workspace,
    };
    run->kernels->look_up(&job);
    return;
  }
  const runs runs = divide_row(run, fov_format_is_run(&run->inputs[0], &run->output));
  for (size_t i = 0; i < runs.count; i++) {
    fov_unary_run(
        run, (const float *)fov_plane_row(&in, row, sizeof(float)) + (ptrdiff_t)i * in.pixel,
        (float *)fov_plane_row(&out, row, sizeof(float)) + (ptrdiff_t)i * out.pixel, runs.elements);
  }
}

static void run_unary(const fov_run *run) {
  if (run->output.type == fov_data_type_uint8) {
    fov_channels_last_unary_table(run->parameters, fov_format_quantization(&run->inputs[0]),
                                  fov_format_quantization(&run->output), run->workspace);
  }
  fov_channels_last_each_row(run, unary_row);
}

// The table, for codes.
static fov_status unary_workspace(const void *parameters, const fov_workspace_request *request,
                                  size_t *out_bytes) {
  (void)parameters;
  (void)request;
  *out_bytes = 256;
  return fov_status_ok;
}

static fov_status check_unary(const void *parameters, const fov_tensor *inputs, size_t input_count,
                              const fov_tensor *output, fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 1, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_same_type(&inputs[0], output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_one_zero(&inputs[0], diagnostic));
  FOV_FORWARD(fov_channels_last_check_one_zero(output, diagnostic));
  return fov_channels_last_check_inferred(&fov_operation_unary, parameters, &inputs[0], output,
                                          diagnostic);
}

const fov_operation fov_operation_channels_last_unary = {
    .name = "unary",
    .workspace = unary_workspace,
    .run = run_unary,
    .archive = fov_unary_archive,
    .parameter_bytes = sizeof(fov_unary),
    .check = check_unary,
    .input_count = 1,
    .in_place = true,
};

// MARK: sums

// code = round(a * a_scale + b * b_scale + bias) + zero, all in steps of the result.
typedef struct sum_of_codes {
  float a_scale, b_scale, bias, zero;
  uint8_t lowest, highest;
} sum_of_codes;

static sum_of_codes scale_sum(const fov_run *run) {
  const fov_channels_last_add *add = run->parameters;
  const fov_quantization a = fov_format_quantization(&run->inputs[0]);
  const fov_quantization b = fov_format_quantization(&run->inputs[1]);
  const fov_quantization out = fov_format_quantization(&run->output);
  const double a_scale = (double)a.scale / (double)out.scale;
  const double b_scale = (double)b.scale / (double)out.scale;
  const double zero = (double)out.zero_point;
  return (sum_of_codes){
      .a_scale = (float)a_scale,
      .b_scale = (float)b_scale,
      .bias = (float)((add->rounds_first ? 0.0 : zero) - a.zero_point * a_scale -
                      b.zero_point * b_scale),
      .zero = add->rounds_first ? (float)zero : 0.0f,
      .lowest = isfinite(add->lowest) ? fov_quantize(add->lowest, out) : 0,
      .highest = isfinite(add->highest) ? fov_quantize(add->highest, out) : 255,
  };
}

static void add_row(const fov_run *run, size_t image, size_t row) {
  const fov_channels_last_add *add = run->parameters;
  const size_t size = fov_data_type_bytes(run->output.type);
  const fov_plane a = fov_format_plane(&run->inputs[0], image);
  const fov_plane b = fov_format_plane(&run->inputs[1], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const bool dense = fov_format_is_run(&run->inputs[0], &run->output) &&
                     fov_format_is_run(&run->inputs[1], &run->output);
  const runs runs = divide_row(run, dense);
  const uint8_t *from_a = fov_plane_row(&a, row, size), *from_b = fov_plane_row(&b, row, size);
  uint8_t *to = fov_plane_row(&out, row, size);
  const ptrdiff_t bytes = (ptrdiff_t)size;
  const sum_of_codes sum = size == 1 ? scale_sum(run) : (sum_of_codes){0};
  for (size_t i = 0; i < runs.count; i++) {
    if (size == 1) {
      run->kernels->int8->add(from_a, from_b, sum.a_scale, sum.b_scale, sum.bias, sum.zero,
                              sum.lowest, sum.highest, to, runs.elements);
    } else {
      run->kernels->float32->add((const float *)(const void *)from_a,
                                 (const float *)(const void *)from_b, add->lowest, add->highest,
                                 (float *)(void *)to, runs.elements);
    }
    from_a += a.pixel * bytes;
    from_b += b.pixel * bytes;
    to += out.pixel * bytes;
  }
}

static void run_add(const fov_run *run) { fov_channels_last_each_row(run, add_row); }

static void archive_add(fov_archive *archive, void *parameters) {
  fov_channels_last_add *add = parameters;
  fov_archive_f32(archive, &add->lowest);
  fov_archive_f32(archive, &add->highest);
  fov_archive_bool(archive, &add->rounds_first);
}

static fov_status check_add(const void *parameters, const fov_tensor *inputs, size_t input_count,
                            const fov_tensor *output, fov_diagnostic *diagnostic) {
  const fov_channels_last_add *add = parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 2, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_bounds(add->lowest, add->highest, diagnostic));
  FOV_FORWARD(fov_channels_last_check_one_zero(output, diagnostic));
  for (size_t i = 0; i < 2; i++) {
    FOV_FORWARD(fov_channels_last_check_same_type(&inputs[i], output, diagnostic));
    FOV_FORWARD(fov_channels_last_check_same_shape(&inputs[i], output, diagnostic));
    FOV_FORWARD(fov_channels_last_check_one_zero(&inputs[i], diagnostic));
    if (output->type == fov_data_type_float32 || inputs[i].format->measured) continue;
    FOV_FORWARD(fov_channels_last_check_steps(inputs[i].format->quantization,
                                              output->format->quantization, diagnostic));
  }
  return fov_status_ok;
}

const fov_operation fov_operation_channels_last_add = {
    .name = "add",
    .run = run_add,
    .archive = archive_add,
    .parameter_bytes = sizeof(fov_channels_last_add),
    .check = check_add,
    .input_count = 2,
    .in_place = true,
};

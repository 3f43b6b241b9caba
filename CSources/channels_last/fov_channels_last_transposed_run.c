// Fovea - running a transposed convolution on channels-last images, phase by phase.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "ops/fov_operation_table.h"

// MARK: joint phases

// The result of a joint convolution: pixels of the input's size, with the channels of all phases.
typedef struct joint {
  fov_shape shape;
  fov_format format;
  size_t bytes;
} joint;

// false when sizes overflow.
static bool plan_joint(const fov_channels_last_transposed *layer, const fov_shape *input,
                       joint *out_joint) {
  const size_t channels = layer->phases[0]->convolution.output_channels;
  *out_joint = (joint){.shape = *input};
  out_joint->shape.dims[input->rank - 3] = channels;
  out_joint->format = (fov_format){.arrangement = fov_arrangement_channels_last, .pixel = channels};
  return fov_format_bytes(&out_joint->format, &out_joint->shape, fov_data_type_float32,
                          &out_joint->bytes) &&
         fov_size_align(out_joint->bytes, &out_joint->bytes);
}

// Phases of one row of the result lie one after another in each pixel.
static void spread_row(const fov_run *run, size_t image, size_t row) {
  const fov_channels_last_transposed *layer = run->parameters;
  const size_t *stride = layer->convolution.stride;
  const size_t channels = layer->convolution.output_channels;
  const size_t pixel = layer->phases[0]->convolution.output_channels;
  const fov_planes input = fov_shape_planes(run->inputs[0].shape);
  const fov_planes output = fov_shape_planes(run->output.shape);
  const fov_plane plane = fov_format_plane(&run->output, image);
  const float *from = (const float *)run->workspace +
                      (image * input.rows + row / stride[0]) * input.columns * pixel +
                      row % stride[0] * stride[1] * channels;
  float *to = fov_plane_row(&plane, row, sizeof(float));
  for (size_t x = 0; x < output.columns; from += pixel) {
    const float *value = from;
    const size_t end = fov_size_min(output.columns, x + stride[1]);
    for (; x < end; x++, to += plane.pixel) {
      for (size_t c = 0; c < channels; c++) to[c] = *value++;
    }
  }
}

static void run_joint(const fov_run *run) {
  const fov_channels_last_transposed *layer = run->parameters;
  joint joint;
  plan_joint(layer, run->inputs[0].shape, &joint);
  fov_run inner = *run;
  inner.output = (fov_tensor){.data = run->workspace,
                              .shape = &joint.shape,
                              .type = fov_data_type_float32,
                              .format = &joint.format};
  inner.workspace = (uint8_t *)run->workspace + joint.bytes;
  fov_channels_last_convolution_run(&inner, layer->phases[0], fov_channels_last_all_pixels());
  fov_channels_last_each_row(run, spread_row);
}

static fov_status joint_workspace(const fov_channels_last_transposed *layer,
                                  const fov_workspace_request *request, size_t *out_bytes) {
  joint joint;
  if (!plan_joint(layer, &request->inputs[0], &joint)) return fov_status_overflow;
  fov_workspace_request inner = *request;
  inner.output = &joint.shape;
  FOV_FORWARD(fov_channels_last_convolution_workspace(layer->phases[0], &inner,
                                                      fov_channels_last_all_pixels(), out_bytes));
  return fov_size_add(*out_bytes, joint.bytes, out_bytes) ? fov_status_ok : fov_status_overflow;
}

// MARK: phases, one after another

static void run_phases(const fov_run *run) {
  const fov_channels_last_transposed *layer = run->parameters;
  if (layer->is_joint) {
    run_joint(run);
    return;
  }
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    fov_channels_last_convolution_run(run, layer->phases[i],
                                      fov_channels_last_phase_part(layer, i));
  }
  fov_format_fill_border(&run->output);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_channels_last_transposed *layer = parameters;
  if (layer->is_joint) return joint_workspace(layer, request, out_bytes);
  *out_bytes = 0;
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    size_t bytes;
    FOV_FORWARD(fov_channels_last_convolution_workspace(
        layer->phases[i], request, fov_channels_last_phase_part(layer, i), &bytes));
    *out_bytes = fov_size_max(*out_bytes, bytes);
  }
  return fov_status_ok;
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  const fov_channels_last_transposed *layer = parameters;
  const fov_convolution_parameters planar = {.convolution = layer->convolution,
                                             .input_channels = layer->input_channels};
  return fov_operation_transposed_convolution.multiply_accumulates(&planar, inputs, output);
}

static size_t weight_bytes(const void *parameters) {
  const fov_channels_last_transposed *layer = parameters;
  size_t bytes = 0;
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    bytes += fov_operation_channels_last_convolution.weight_bytes(layer->phases[i]);
  }
  return bytes;
}

const fov_operation fov_operation_channels_last_transposed = {
    .name = "transposed convolution",
    .workspace = workspace,
    .run = run_phases,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = weight_bytes,
    .release = fov_channels_last_transposed_release,
    .archive = fov_channels_last_transposed_archive,
    .parameter_bytes = sizeof(fov_channels_last_transposed),
    .check = fov_channels_last_transposed_check,
    .restore = fov_channels_last_transposed_restore,
};

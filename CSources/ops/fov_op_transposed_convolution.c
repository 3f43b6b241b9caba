// Fovea - transposed convolution ("deconvolution").
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "pool/fov_parallel_slots.h"

// Every input element adds its value times the kernel to the output, at element * stride - before:
//
//   output[y * stride + ky - before, x * stride + kx - before] += input[y, x] * weight[ky, kx]
//
// One unit computes one output plane, from all input channels of its group.

// (size - 1) * stride + kernel - before - after + extension
static fov_status output_size(const fov_convolution *c, int axis, size_t size, size_t *out_size,
                              fov_diagnostic *diagnostic) {
  size_t full, cut;
  if (!fov_size_multiply(size - 1, c->stride[axis], &full) ||
      !fov_size_add(full, c->kernel[axis], &full) ||
      !fov_size_add(full, c->output_extension[axis], &full) ||
      !fov_size_add(c->before[axis], c->after[axis], &cut)) {
    return fov_fail(diagnostic, fov_status_overflow, "the output size overflows");
  }
  if (full <= cut) {
    return fov_fail(diagnostic, fov_status_shape_mismatch, "cropping %zu of %zu %s leaves nothing",
                    cut, full, axis == 0 ? "rows" : "columns");
  }
  *out_size = full - cut;
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_convolution_parameters *p = parameters;
  if (p->convolution.dilation[0] != 1 || p->convolution.dilation[1] != 1) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "a transposed convolution has no dilation, found %zu x %zu",
                    p->convolution.dilation[0], p->convolution.dilation[1]);
  }
  return fov_convolution_infer_shape(p, &inputs[0], output_size, out_shape, diagnostic);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_convolution_parameters *p = parameters;
  size_t floats;
  if (!fov_size_multiply(p->convolution.kernel[0] * p->convolution.kernel[1], request->slots,
                         &floats) ||
      !fov_size_multiply(floats, sizeof(float), out_bytes)) {
    return fov_status_overflow;
  }
  return fov_status_ok;
}

typedef struct scatter_context {
  const fov_run *run;
  const fov_convolution_parameters *parameters;
  fov_planes input;
  fov_planes output;
} scatter_context;

static void scatter_plane(const scatter_context *context, const float *restrict from,
                          const float *restrict weights, float *restrict out) {
  const fov_convolution *c = &context->parameters->convolution;
  const fov_planes *input = &context->input;
  const fov_planes *output = &context->output;
  for (size_t y = 0; y < input->rows; y++) {
    for (size_t ky = 0; ky < c->kernel[0]; ky++) {
      // Wraps to a huge number above the top border, which is outside too.
      const size_t row = y * c->stride[0] + ky - c->before[0];
      if (row >= output->rows) continue;
      float *restrict line = out + row * output->columns;
      for (size_t x = 0; x < input->columns; x++) {
        const float value = from[y * input->columns + x];
        for (size_t kx = 0; kx < c->kernel[1]; kx++) {
          const size_t column = x * c->stride[1] + kx - c->before[1];
          if (column < output->columns) line[column] += value * weights[ky * c->kernel[1] + kx];
        }
      }
    }
  }
}

static void compute_plane(void *opaque, size_t unit, size_t slot) {
  const scatter_context *context = opaque;
  const fov_convolution_parameters *p = context->parameters;
  const fov_convolution *c = &p->convolution;
  const size_t batch = unit / c->output_channels;
  const size_t channel = unit % c->output_channels;
  const size_t group_inputs = p->input_channels / c->groups;
  const size_t group_outputs = c->output_channels / c->groups;
  const size_t group = channel / group_outputs;
  const size_t kernel = c->kernel[0] * c->kernel[1];
  const size_t input_pixels = context->input.rows * context->input.columns;
  const size_t output_pixels = context->output.rows * context->output.columns;
  float *weights = (float *)context->run->workspace + slot * kernel;
  float *out = fov_run_output(context->run) + unit * output_pixels;
  for (size_t i = 0; i < output_pixels; i++) out[i] = p->bias[channel];
  for (size_t i = 0; i < group_inputs; i++) {
    const size_t input_channel = group * group_inputs + i;
    const float *from =
        fov_run_input(context->run, 0) + (batch * p->input_channels + input_channel) * input_pixels;
    fov_weight_store_panel(&p->weights, input_channel, 1, channel % group_outputs * kernel, kernel,
                           weights);
    scatter_plane(context, from, weights, out);
  }
  if (p->has_activation) fov_unary_apply(&p->activation, out, out, output_pixels);
}

static void run_transposed(const fov_run *run) {
  scatter_context context = {
      .run = run,
      .parameters = run->parameters,
      .input = fov_shape_planes(run->inputs[0].shape),
      .output = fov_shape_planes(run->output.shape),
  };
  fov_parallel_for_slots(run->pool, context.output.batch * context.output.channels, run->slots,
                         compute_plane, &context);
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  (void)output;
  const fov_convolution_parameters *p = parameters;
  return (uint64_t)fov_shape_count(&inputs[0]) * p->weights.columns;
}

static void archive(fov_archive *archive, void *parameters) {
  fov_convolution_parameters_archive(archive, parameters, true);
}

const fov_operation fov_operation_transposed_convolution = {
    .name = "transposed convolution",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run_transposed,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = fov_convolution_weight_bytes,
    .release = fov_convolution_release,
    .archive = archive,
    .parameter_bytes = sizeof(fov_convolution_parameters),
    .input_count = 1,
};

// Fovea - convolution by loops: the specification, and what the blas backend uses for depthwise.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_convolution_direct.h"

#include "base/fov_size.h"
#include "kernels/fov_im2col.h"
#include "ops/fov_op_unary.h"
#include "pool/fov_parallel_slots.h"

// One unit computes one output plane. It starts from the bias and adds one tap after another, in
// the order input channel, kernel row, kernel column. Padding adds nothing: a tap is added only
// where it lies inside the input, so that the inner loop needs no condition.
typedef struct direct_context {
  const fov_run *run;
  const fov_convolution_parameters *parameters;
  fov_planes input;
  fov_planes output;
} direct_context;

static void add_tap(const direct_context *context, const float *restrict plane, float weight,
                    size_t kernel_row, size_t kernel_column, float *restrict out) {
  const fov_convolution *c = &context->parameters->convolution;
  const fov_planes *input = &context->input;
  const fov_planes *output = &context->output;
  const fov_tap_range rows = fov_tap_outputs(c, 0, kernel_row, input->rows, output->rows);
  const fov_tap_range columns =
      fov_tap_outputs(c, 1, kernel_column, input->columns, output->columns);
  const size_t count = columns.end - columns.begin;
  if (count == 0) return;
  const size_t first = columns.begin * c->stride[1] + kernel_column * c->dilation[1] - c->before[1];
  for (size_t row = rows.begin; row < rows.end; row++) {
    const size_t line = row * c->stride[0] + kernel_row * c->dilation[0] - c->before[0];
    const float *restrict from = plane + line * input->columns + first;
    float *restrict to = out + row * output->columns + columns.begin;
    const size_t step = c->stride[1];
    if (step == 1) {
      for (size_t i = 0; i < count; i++) to[i] += weight * from[i];
    } else if (step == 2) {
      for (size_t i = 0; i < count; i++) to[i] += weight * from[2 * i];
    } else {
      for (size_t i = 0; i < count; i++) to[i] += weight * from[i * step];
    }
  }
}

static void compute_plane(void *opaque, size_t unit, size_t slot) {
  const direct_context *context = opaque;
  const fov_convolution_parameters *p = context->parameters;
  const fov_convolution *c = &p->convolution;
  const size_t batch = unit / c->output_channels;
  const size_t channel = unit % c->output_channels;
  const size_t taps = fov_convolution_taps(p);
  const size_t group_channels = p->input_channels / c->groups;
  const size_t group = channel / (c->output_channels / c->groups);
  const size_t input_pixels = context->input.rows * context->input.columns;
  const size_t output_pixels = context->output.rows * context->output.columns;

  float *weights = (float *)context->run->workspace + slot * taps;
  fov_weight_store_panel(&p->weights, channel, 1, 0, taps, weights);

  const float *plane = fov_run_input(context->run, 0) +
                       (batch * p->input_channels + group * group_channels) * input_pixels;
  float *out = fov_run_output(context->run) + unit * output_pixels;
  for (size_t i = 0; i < output_pixels; i++) out[i] = p->bias[channel];
  for (size_t i = 0; i < group_channels; i++, plane += input_pixels) {
    for (size_t ky = 0; ky < c->kernel[0]; ky++) {
      for (size_t kx = 0; kx < c->kernel[1]; kx++) {
        add_tap(context, plane, *weights++, ky, kx, out);
      }
    }
  }
  if (p->has_activation) fov_unary_apply(&p->activation, out, out, output_pixels);
}

void fov_convolution_run_direct(const fov_run *run) {
  direct_context context = {
      .run = run,
      .parameters = run->parameters,
      .input = fov_shape_planes(run->inputs[0].shape),
      .output = fov_shape_planes(run->output.shape),
  };
  fov_parallel_for_slots(run->pool, context.output.batch * context.output.channels, run->slots,
                         compute_plane, &context);
}

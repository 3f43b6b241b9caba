// Fovea - convolutions of single channels on a tape.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_tape_convolution.h"

// Elements of the rows that are finished while they are in the cache.
#define ROWS_ELEMENTS 65536

static fov_depthwise shape_of(const fov_tape_call *call) {
  const fov_convolution *c = &fov_tape_convolution_of(call)->convolution;
  const fov_tape_size *in = &fov_tape_input_slot(call, 0)->size;
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  return (fov_depthwise){.channels = in->stride,
                         .rows = in->rows,
                         .columns = in->columns,
                         .output_rows = out->rows,
                         .output_columns = out->columns,
                         .kernel = {c->kernel[0], c->kernel[1]},
                         .step = {c->stride[0], c->stride[1]},
                         .dilation = {c->dilation[0], c->dilation[1]},
                         .before = {c->before[0], c->before[1]},
                         .end_row = out->rows};
}

static void run_forward(const fov_tape_call *call) {
  fov_depthwise shape = shape_of(call);
  const fov_tape_weights *w = fov_tape_weights_of(call);
  const size_t row = shape.output_columns * shape.channels;
  const size_t rows = row > ROWS_ELEMENTS ? 1 : ROWS_ELEMENTS / row;
  fov_real *out = fov_tape_out(call);
  const bool ends = fov_train_end_of(fov_tape_activation_of(call), &shape.end);
  if (ends) shape.end.bias = call->parameters + w->first_bias;
  for (size_t y = 0; y < shape.output_rows; y += rows) {
    shape.first_row = y;
    shape.end_row = y + rows < shape.output_rows ? y + rows : shape.output_rows;
    call->tape->kernels->depthwise_forward(&shape, fov_tape_in(call, 0),
                                           call->parameters + w->first, false, out);
    if (ends) continue;
    call->tape->kernels->finish(fov_tape_activation_of(call), call->parameters + w->first_bias,
                                (shape.end_row - y) * shape.output_columns, shape.channels,
                                out + y * row);
  }
}

// The gradient of the input is a convolution of that of the output by the turned kernel.
static bool is_convolution_back(const fov_depthwise *s) {
  return s->step[0] == 1 && s->step[1] == 1 &&
         s->before[0] <= (s->kernel[0] - 1) * s->dilation[0] &&
         s->before[1] <= (s->kernel[1] - 1) * s->dilation[1];
}

static void convolve_back(const fov_tape_call *call, const fov_depthwise *shape,
                          fov_real *in_gradient) {
  const fov_tape_weights *w = fov_tape_weights_of(call);
  const size_t taps = w->taps, channels = shape->channels;
  fov_real *turned = call->workspace;
  for (size_t t = 0; t < taps; t++) {
    memcpy(turned + t * channels, call->parameters + w->first + (taps - 1 - t) * channels,
           channels * sizeof *turned);
  }
  fov_depthwise back = *shape;
  back.rows = shape->output_rows;
  back.columns = shape->output_columns;
  back.output_rows = shape->rows;
  back.output_columns = shape->columns;
  for (int axis = 0; axis < 2; axis++) {
    back.before[axis] = (shape->kernel[axis] - 1) * shape->dilation[axis] - shape->before[axis];
  }
  back.end_row = back.output_rows;
  call->tape->kernels->depthwise_forward(&back, fov_tape_out_gradient(call), turned,
                                         call->node->adds[0], in_gradient);
}

static void run_backward(const fov_tape_call *call) {
  const fov_depthwise shape = shape_of(call);
  const fov_tape_weights *w = fov_tape_weights_of(call);
  const fov_train_kernels *kernels = call->tape->kernels;
  fov_real *gradient = fov_tape_out_gradient(call), *in_gradient = fov_tape_in_gradient(call, 0);
  kernels->unfinish(fov_tape_activation_of(call), fov_tape_out(call),
                    shape.output_rows * shape.output_columns, shape.channels, gradient,
                    call->gradients + w->first_bias);
  kernels->depthwise_weights(&shape, fov_tape_in(call, 0), gradient, call->gradients + w->first);
  if (!in_gradient) return;
  if (is_convolution_back(&shape)) {
    convolve_back(call, &shape, in_gradient);
    return;
  }
  if (!call->node->adds[0]) {
    memset(in_gradient, 0, shape.rows * shape.columns * shape.channels * sizeof *in_gradient);
  }
  kernels->depthwise_spread(&shape, gradient, call->parameters + w->first, in_gradient);
}

static size_t workspace(const fov_tape *tape, const fov_tape_node *node) {
  const fov_tape_convolution *c = node->parameters;
  return tape->weights[c->weights].count;
}

const fov_tape_operation fov_tape_depthwise = {
    .forward = run_forward, .backward = run_backward, .workspace = workspace, .keeps_input = true};
const fov_tape_operation fov_tape_depthwise_activated = {.forward = run_forward,
                                                         .backward = run_backward,
                                                         .workspace = workspace,
                                                         .keeps_input = true,
                                                         .keeps_output = true};

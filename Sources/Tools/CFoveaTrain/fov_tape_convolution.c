// Fovea - adding convolutions to a tape, and where their weights lie.
// SPDX-License-Identifier: Apache-2.0
#include "fov_tape_convolution.h"

#define LARGEST_KERNEL 64

static fov_status output_side(const fov_convolution *c, int axis, size_t size, size_t *out_size,
                              fov_diagnostic *diagnostic) {
  const size_t window = (c->kernel[axis] - 1) * c->dilation[axis] + 1;
  const size_t padded = size + c->before[axis] + c->after[axis];
  if (window > padded) {
    return fov_tape_fail(diagnostic, fov_status_shape_mismatch,
                         "a kernel that covers %zu of %zu pixels", window, padded);
  }
  *out_size = (padded - window) / c->stride[axis] + 1;
  return fov_status_ok;
}

static bool is_sound(const fov_convolution *c, size_t channels) {
  for (int axis = 0; axis < 2; axis++) {
    if (c->kernel[axis] < 1 || c->kernel[axis] > LARGEST_KERNEL || c->stride[axis] < 1 ||
        c->dilation[axis] < 1 || c->dilation[axis] > 1024 || c->before[axis] > 65536 ||
        c->after[axis] > 65536) {
      return false;
    }
  }
  return c->groups >= 1 && channels % c->groups == 0 && c->output_channels >= 1 &&
         c->output_channels % c->groups == 0 && c->output_channels <= 65536;
}

static fov_tape_weights weights_of(const fov_convolution *c, const fov_tape_size *in) {
  const size_t taps = c->kernel[0] * c->kernel[1], groups = c->groups;
  fov_tape_weights w = {.taps = taps,
                        .groups = groups,
                        .inputs = in->channels / groups,
                        .outputs = c->output_channels / groups,
                        .rate = 1};
  w.is_depthwise =
      groups > 1 && w.inputs == 1 && w.outputs == 1 && in->stride == fov_train_padded(in->channels);
  w.input_stride = w.is_depthwise ? 1 : groups == 1 ? in->stride : w.inputs;
  w.row = fov_train_padded(w.is_depthwise ? in->channels : w.outputs);
  w.count = (w.is_depthwise ? 1 : groups) * taps * w.input_stride * w.row;
  w.bias_count = fov_train_padded(c->output_channels);
  return w;
}

// The place of a weight of the caller among those of the tape.
static size_t place_of(const fov_tape_weights *w, size_t output, size_t input, size_t tap) {
  if (w->is_depthwise) return w->first + tap * w->row + output;
  const size_t group = output / w->outputs;
  const size_t row = (group * w->taps + tap) * w->input_stride + input;
  return w->first + row * w->row + output % w->outputs;
}

static fov_status add_weights(fov_tape *tape, fov_tape_weights *w, const float *weights,
                              const float *bias) {
  w->first = tape->parameter_count;
  w->first_bias = w->first + w->count;
  const size_t end = w->first_bias + w->bias_count;
  fov_real *initial =
      fov_train_grow(tape->initial, &tape->parameter_capacity, end, sizeof *initial);
  if (!initial) return fov_status_out_of_memory;
  tape->initial = initial;
  fov_tape_weights *list =
      fov_train_grow(tape->weights, &tape->weight_capacity, tape->weight_count + 1, sizeof *list);
  if (!list) return fov_status_out_of_memory;
  tape->weights = list;
  for (size_t i = w->first; i < end; i++) initial[i] = 0;
  const size_t outputs = w->outputs * w->groups;
  for (size_t o = 0; o < outputs; o++) {
    for (size_t i = 0; i < w->inputs; i++) {
      for (size_t t = 0; t < w->taps; t++) {
        initial[place_of(w, o, i, t)] = weights[(o * w->inputs + i) * w->taps + t];
      }
    }
    initial[w->first_bias + o] = bias[o];
  }
  return fov_status_ok;
}

static const fov_tape_operation *operation_of(const fov_tape_weights *w, bool is_activated) {
  if (w->is_depthwise) return is_activated ? &fov_tape_depthwise_activated : &fov_tape_depthwise;
  return is_activated ? &fov_tape_dense_activated : &fov_tape_dense;
}

static fov_status add_alone(fov_tape *tape, const fov_convolution *convolution,
                            const float *weights, const float *bias, const fov_unary *activation,
                            fov_tape_value input, const fov_tape_size *size,
                            fov_tape_value *out_value) {
  fov_tape_weights own = weights_of(convolution, &tape->slots[input.index].size);
  FOV_TRAIN_FORWARD(add_weights(tape, &own, weights, bias));
  fov_tape_convolution parameters = {.convolution = *convolution, .weights = tape->weight_count};
  parameters.has_activation = activation != NULL;
  if (activation) parameters.activation = *activation;
  FOV_TRAIN_FORWARD(fov_tape_add_node(tape, operation_of(&own, activation), &parameters,
                                      sizeof parameters, &input, 1, size, out_value));
  tape->slots[out_value->index].has_gradient = true;
  tape->weights[tape->weight_count++] = own;
  tape->parameter_count = own.first_bias + own.bias_count;
  return fov_status_ok;
}

fov_status fov_tape_add_convolution(fov_tape *tape, const fov_convolution *convolution,
                                    const float *weights, const float *bias,
                                    const fov_unary *activation, fov_tape_value input,
                                    fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  const fov_tape_size in = tape->slots[input.index].size;
  if (!is_sound(convolution, in.channels)) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument,
                         "a convolution that does not fit %zu channels", in.channels);
  }
  if (activation && !fov_tape_has_unary(activation->function)) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "function %d has no gradient here",
                         (int)activation->function);
  }
  fov_tape_size out = fov_tape_size_make(0, 0, convolution->output_channels);
  FOV_TRAIN_FORWARD(output_side(convolution, 0, in.rows, &out.rows, diagnostic));
  FOV_TRAIN_FORWARD(output_side(convolution, 1, in.columns, &out.columns, diagnostic));
  const bool is_fused = activation && fov_unary_is_told_by_result(activation);
  fov_tape_value own;
  FOV_TRAIN_FORWARD(
      add_alone(tape, convolution, weights, bias, is_fused ? activation : NULL, input, &out, &own));
  if (activation && !is_fused) {
    FOV_TRAIN_FORWARD(fov_tape_add_unary(tape, activation, own, out_value, diagnostic));
  } else {
    *out_value = own;
  }
  return fov_status_ok;
}

void fov_tape_read_weights(const fov_tape *tape, const fov_real *parameters, size_t convolution,
                           float *out_weights, float *out_bias) {
  const fov_tape_weights *w = &tape->weights[convolution];
  for (size_t o = 0; o < w->outputs * w->groups; o++) {
    for (size_t i = 0; i < w->inputs; i++) {
      for (size_t t = 0; t < w->taps; t++) {
        out_weights[(o * w->inputs + i) * w->taps + t] = (float)parameters[place_of(w, o, i, t)];
      }
    }
    out_bias[o] = (float)parameters[w->first_bias + o];
  }
}

// Fovea - creating tapes, adding values and nodes, reading weights.
// SPDX-License-Identifier: Apache-2.0
#include "fov_tape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

fov_status fov_tape_fail(fov_diagnostic *diagnostic, fov_status status, const char *format, ...) {
  if (!diagnostic) return status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
  va_end(arguments);
  return status;
}

fov_status fov_tape_create(fov_tape **out_tape) {
  fov_tape *tape = fov_train_allocate(1, sizeof *tape);
  if (!tape) return fov_status_out_of_memory;
  tape->kernels = fov_train_kernels_best();
  *out_tape = tape;
  return fov_status_ok;
}

static void release_node(fov_tape_node *node) {
  if (node->operation && node->operation->release) node->operation->release(node->parameters);
  fov_train_release(node->parameters);
  fov_train_release(node->inputs);
  fov_train_release(node->adds);
}

void fov_tape_destroy(fov_tape *tape) {
  if (!tape) return;
  for (size_t i = 0; i < tape->node_count; i++) release_node(&tape->nodes[i]);
  fov_train_release(tape->slots);
  fov_train_release(tape->nodes);
  fov_train_release(tape->weights);
  fov_train_release(tape->outputs);
  fov_train_release(tape->initial);
  fov_train_release(tape);
}

fov_tape_size fov_tape_size_of(const fov_tape *tape, fov_tape_value value) {
  return value.index < tape->slot_count ? tape->slots[value.index].size : (fov_tape_size){0};
}

fov_tape_size fov_tape_size_make(size_t rows, size_t columns, size_t channels) {
  return (fov_tape_size){rows, columns, channels, fov_train_padded(channels)};
}

// MARK: Adding

// No side of a value is longer, so that products of sizes do not overflow.
#define LONGEST_SIDE ((size_t)1 << 20)
#define MOST_ELEMENTS ((size_t)1 << 31)

static bool is_sound(const fov_tape_size *size) {
  const size_t channels = size->stride;
  if (size->rows < 1 || size->columns < 1 || size->channels < 1) return false;
  if (size->rows > LONGEST_SIDE || size->columns > LONGEST_SIDE || channels > LONGEST_SIDE) {
    return false;
  }
  return size->rows * size->columns <= MOST_ELEMENTS / channels;
}

fov_status fov_tape_check(const fov_tape *tape, const fov_tape_value *inputs, size_t input_count,
                          fov_diagnostic *diagnostic) {
  if (tape->is_finished) {
    return fov_tape_fail(diagnostic, fov_status_invalid_graph, "the tape is finished");
  }
  for (size_t i = 0; i < input_count; i++) {
    if (inputs[i].index >= tape->slot_count) {
      return fov_tape_fail(diagnostic, fov_status_invalid_graph, "there is no value %u",
                           (unsigned)inputs[i].index);
    }
  }
  return fov_status_ok;
}

static fov_status add_slot(fov_tape *tape, const fov_tape_size *size, fov_tape_value *out_value) {
  if (!is_sound(size)) return fov_status_overflow;
  fov_tape_slot *slots =
      fov_train_grow(tape->slots, &tape->slot_capacity, tape->slot_count + 1, sizeof *slots);
  if (!slots) return fov_status_out_of_memory;
  tape->slots = slots;
  slots[tape->slot_count] = (fov_tape_slot){.size = *size, .writer = FOV_TAPE_NONE};
  *out_value = (fov_tape_value){(uint32_t)tape->slot_count++};
  return fov_status_ok;
}

fov_status fov_tape_add_picture(fov_tape *tape, size_t rows, size_t columns, size_t channels,
                                const fov_pixels *pixels, fov_tape_value *out_value,
                                fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, NULL, 0, diagnostic));
  if (tape->slot_count > 0 || channels < 1 || channels > 4) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument,
                         "a tape begins with one picture of 1 to 4 channels");
  }
  const fov_tape_size size = {rows, columns, channels, channels};
  FOV_TRAIN_FORWARD(add_slot(tape, &size, out_value));
  tape->pixels = *pixels;
  return fov_status_ok;
}

static bool fill_node(fov_tape_node *node, const void *parameters, size_t parameter_bytes,
                      const fov_tape_value *inputs) {
  node->inputs = fov_train_allocate(node->input_count, sizeof *node->inputs);
  node->adds = fov_train_allocate(node->input_count, sizeof *node->adds);
  node->parameters = fov_train_copy(parameters, 1, parameter_bytes);
  if (!node->inputs || !node->adds || !node->parameters) return false;
  for (size_t i = 0; i < node->input_count; i++) node->inputs[i] = inputs[i].index;
  return true;
}

fov_status fov_tape_add_node(fov_tape *tape, const fov_tape_operation *operation,
                             const void *parameters, size_t parameter_bytes,
                             const fov_tape_value *inputs, size_t input_count,
                             const fov_tape_size *size, fov_tape_value *out_value) {
  fov_tape_node *nodes =
      fov_train_grow(tape->nodes, &tape->node_capacity, tape->node_count + 1, sizeof *nodes);
  if (!nodes) return fov_status_out_of_memory;
  tape->nodes = nodes;
  fov_tape_node node = {.input_count = input_count};
  const bool is_filled = fill_node(&node, parameters, parameter_bytes, inputs);
  const fov_status status = is_filled ? add_slot(tape, size, out_value) : fov_status_out_of_memory;
  if (status != fov_status_ok) {
    release_node(&node);
    return status;
  }
  node.operation = operation;
  node.output = out_value->index;
  tape->slots[node.output].writer = (uint32_t)tape->node_count;
  for (size_t i = 0; i < input_count; i++) {
    tape->slots[node.inputs[i]].readers++;
    if (tape->slots[node.inputs[i]].has_gradient) tape->slots[node.output].has_gradient = true;
  }
  nodes[tape->node_count++] = node;
  return fov_status_ok;
}

fov_status fov_tape_add_output(fov_tape *tape, fov_tape_value value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &value, 1, diagnostic));
  if (!tape->slots[value.index].has_gradient || tape->slots[value.index].is_output) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument,
                         "an output is given once, and has weights in front of it");
  }
  uint32_t *outputs = fov_train_grow(tape->outputs, &tape->output_capacity, tape->output_count + 1,
                                     sizeof *outputs);
  if (!outputs) return fov_status_out_of_memory;
  tape->outputs = outputs;
  outputs[tape->output_count++] = value.index;
  tape->slots[value.index].is_output = true;
  return fov_status_ok;
}

// MARK: Weights

size_t fov_tape_convolution_count(const fov_tape *tape) { return tape->weight_count; }
size_t fov_tape_parameter_count(const fov_tape *tape) { return tape->parameter_count; }
const fov_real *fov_tape_initial_parameters(const fov_tape *tape) { return tape->initial; }

void fov_tape_set_rate(fov_tape *tape, size_t convolution, float rate) {
  if (convolution < tape->weight_count) tape->weights[convolution].rate = rate;
}

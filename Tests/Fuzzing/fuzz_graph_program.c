// Fovea - graphs as a list of steps that follow from bytes.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_graph_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"
#include "tensor/fov_tensor.h"

void *fuzz_program_keep(fuzz_program *program, size_t bytes) {
  if (program->kept_count == sizeof program->kept / sizeof program->kept[0]) {
    fuzz_fail("a program keeps more than %zu arrays", program->kept_count);
  }
  return program->kept[program->kept_count++] = fuzz_allocate(bytes);
}

void fuzz_program_release(fuzz_program *program) {
  for (size_t i = 0; i < program->kept_count; i++) free(program->kept[i]);
}

// MARK: Steps

fov_status fuzz_step_add(fov_graph *graph, const fuzz_step *step, size_t index,
                         fov_value *out_value, fov_diagnostic *diagnostic) {
  const fov_value input = step->inputs[0];
  const fov_weights *bias = step->bias.data ? &step->bias : NULL;
  char name[16];
  snprintf(name, sizeof name, "step %zu", index);
  if (fov_graph_set_label(graph, name) != fov_status_ok) return fov_status_out_of_memory;
  switch (step->operation) {
    case fuzz_input_value:
      return fov_graph_add_input(graph, name, step->type, &step->as.shape, out_value, diagnostic);
    case fuzz_constant:
      return fov_graph_add_constant(graph, &step->as.shape, &step->weights, out_value, diagnostic);
    case fuzz_pixels:
      return fov_graph_add_pixels(graph, &step->as.pixels, input, out_value, diagnostic);
    case fuzz_convolution:
      return fov_graph_add_convolution(graph, &step->as.convolution, &step->weights, bias, input,
                                       out_value, diagnostic);
    case fuzz_transposed:
      return fov_graph_add_transposed_convolution(graph, &step->as.convolution, &step->weights,
                                                  bias, input, out_value, diagnostic);
    case fuzz_pooling:
      return fov_graph_add_pooling(graph, &step->as.pooling, input, out_value, diagnostic);
    case fuzz_unary:
      return fov_graph_add_unary(graph, &step->as.unary, input, out_value, diagnostic);
    case fuzz_affine:
      return fov_graph_add_channel_affine(graph, step->as.channels, step->scale, step->shift, input,
                                          out_value, diagnostic);
    case fuzz_binary:
      return fov_graph_add_binary(graph, step->as.binary, input, step->inputs[1], out_value,
                                  diagnostic);
    case fuzz_concat:
      return fov_graph_add_concat(graph, step->as.axis, step->inputs, step->input_count, out_value,
                                  diagnostic);
    case fuzz_slice:
      return fov_graph_add_slice(graph, &step->as.slice, input, out_value, diagnostic);
    case fuzz_reshape:
      return fov_graph_add_reshape(graph, &step->as.shape, input, out_value, diagnostic);
    case fuzz_transpose:
      return fov_graph_add_transpose(graph, step->as.axes, input, out_value, diagnostic);
    case fuzz_broadcast:
      return fov_graph_add_broadcast(graph, &step->as.shape, input, out_value, diagnostic);
    case fuzz_padding:
      return fov_graph_add_padding(graph, &step->as.padding, input, out_value, diagnostic);
    case fuzz_resize:
      return fov_graph_add_resize(graph, &step->as.resize, input, out_value, diagnostic);
    case fuzz_reduce:
      return fov_graph_add_reduce(graph, &step->as.reduce, input, out_value, diagnostic);
    case fuzz_softmax:
      return fov_graph_add_softmax(graph, step->as.axis, input, out_value, diagnostic);
    case fuzz_energy:
      return fov_graph_add_local_response_normalization(graph, &step->as.energy, input, out_value,
                                                        diagnostic);
  }
  return fov_status_invalid_argument;
}

// Products for one element of the result.
static uint64_t products(const fuzz_program *program, const fuzz_step *step) {
  const fov_shape *input = &program->steps[step->inputs[0].index].shape;
  const fov_convolution *convolution = &step->as.convolution;
  switch (step->operation) {
    case fuzz_convolution:
      return input->dims[input->rank - 3] / convolution->groups * convolution->kernel[0] *
             convolution->kernel[1];
    case fuzz_transposed:
      return 1 + fov_shape_count(input) * (convolution->output_channels / convolution->groups) *
                     convolution->kernel[0] * convolution->kernel[1] /
                     fov_shape_count(&step->shape);
    case fuzz_pooling:
      return fov_size_min(step->as.pooling.kernel[0], input->dims[input->rank - 2]) *
             fov_size_min(step->as.pooling.kernel[1], input->dims[input->rank - 1]);
    case fuzz_energy: return 8 + fov_size_min(step->as.energy.size, input->dims[input->rank - 3]);
    case fuzz_reduce: return 1 + fov_shape_count(input) / fov_shape_count(&step->shape);
    case fuzz_unary:
    case fuzz_softmax: return 8;
    default: return 1;
  }
}

void fuzz_step_weigh(fuzz_program *program, const fuzz_step *step) {
  const size_t elements = fov_shape_count(&step->shape);
  if (program->is_too_large || elements > FUZZ_MOST_ELEMENTS) {
    program->is_too_large = true;
    return;
  }
  program->work += elements * products(program, step);
  if (program->work > FUZZ_MOST_WORK) program->is_too_large = true;
}

// MARK: Reading

static void expect(bool holds, const char *what, const char *message) {
  if (!holds) fuzz_fail("%s (\"%s\")", what, message);
}

// A graph that refuses says why and is as before.
bool fuzz_program_add(fov_graph *graph, fuzz_program *program, fuzz_step *step) {
  fov_diagnostic diagnostic = {""};
  fov_value value = {UINT32_MAX};
  fov_shape shape;
  if (program->count == FUZZ_MOST_STEPS) return false;
  const fov_status status = fuzz_step_add(graph, step, program->count, &value, &diagnostic);
  if (status != fov_status_ok) {
    expect(diagnostic.message[0] != 0, "no reason", fov_status_name(status));
    const fov_value next = {(uint32_t)program->count};
    expect(fov_graph_value_shape(graph, next, &shape) != fov_status_ok, "half a step",
           diagnostic.message);
    return false;
  }
  expect(diagnostic.message[0] == 0, "a reason without a failure", diagnostic.message);
  expect(value.index == program->count, "another number", "");
  expect(fov_graph_value_shape(graph, value, &step->shape) == fov_status_ok, "no shape", "");
  expect(fov_shape_validate(&step->shape, NULL) == fov_status_ok, "an impossible shape", "");
  program->steps[program->count++] = *step;
  fuzz_step_weigh(program, step);
  return true;
}

#define MOST_CHOICES 24
#define HEADS 0xFD  // of the byte that chooses an operation: this or more

static void read_steps(fuzz_input *input, fuzz_program *program, fov_graph *graph) {
  for (size_t tries = 0; tries < MOST_CHOICES && input->left > 0; tries++) {
    if (input->at[0] >= HEADS && program->count > 0 && !program->has_heads) {
      fuzz_byte(input);
      fuzz_program_add_heads(input, program, graph);
      continue;
    }
    fuzz_step step = {.type = fov_data_type_float32};
    fuzz_step_choose(input, program, &step);
    fuzz_program_add(graph, program, &step);
  }
}

// The last value and some before it, each as often as the bytes say; behind heads perhaps none.
static void read_outputs(fuzz_input *input, fuzz_program *program) {
  const size_t least = program->has_heads ? 0 : 1;
  const size_t wanted = fuzz_between(input, least, FUZZ_MOST_OUTPUTS - program->output_count);
  for (size_t i = 0; i < wanted; i++) {
    const size_t back = i == 0 ? 0 : fuzz_byte(input) % program->count;
    const uint32_t value = (uint32_t)(program->count - 1 - back);
    if (program->steps[value].type != fov_data_type_float32) continue;
    program->outputs[program->output_count++] = value;
  }
}

static bool has_input(const fuzz_program *program) {
  for (size_t i = 0; i < program->count; i++) {
    if (program->steps[i].operation == fuzz_input_value) return true;
  }
  return false;
}

bool fuzz_program_read(fuzz_input *input, fuzz_program *out_program) {
  *out_program = (fuzz_program){.count = 0};
  // Outputs stand first: what is appended to an input adds steps.
  fuzz_input outputs = {input->at, fov_size_min(input->left, FUZZ_MOST_OUTPUTS)};
  input->at += outputs.left;
  input->left -= outputs.left;
  fov_graph *graph = NULL;
  if (fov_graph_create(&graph) != fov_status_ok) fuzz_fail("no graph");
  read_steps(input, out_program, graph);
  fov_graph_destroy(graph);
  if (out_program->count > 0) read_outputs(&outputs, out_program);
  return out_program->output_count > 0 && has_input(out_program);
}

fov_graph *fuzz_program_build(const fuzz_program *program) {
  fov_graph *graph = NULL;
  fov_diagnostic diagnostic = {""};
  if (fov_graph_create(&graph) != fov_status_ok) fuzz_fail("no graph");
  for (size_t i = 0; i < program->count; i++) {
    fov_value value;
    if (fuzz_step_add(graph, &program->steps[i], i, &value, &diagnostic) != fov_status_ok) {
      fuzz_fail("step %zu is refused the second time: %s", i, diagnostic.message);
    }
  }
  for (size_t i = 0; i < program->output_count; i++) {
    char name[16];
    snprintf(name, sizeof name, "output %zu", i);
    const fov_value value = {program->outputs[i]};
    if (fov_graph_mark_output(graph, value, name, &diagnostic) != fov_status_ok) {
      fuzz_fail("output %zu: %s", i, diagnostic.message);
    }
  }
  return graph;
}

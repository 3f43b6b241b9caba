// Fovea - running operations on symbols.
// SPDX-License-Identifier: Apache-2.0
#include "fold/fov_symbolic_array.h"

#include <math.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_operation_table.h"

// MARK: making and releasing

static void *new_elements(size_t count) { return fov_allocate_array(count, sizeof(uint32_t)); }

void fov_symbolic_release(fov_symbolic_array *array) {
  fov_release(array->symbols);
  fov_release(array->partners);
  fov_release(array->scales);
  fov_release(array->offsets);
  *array = (fov_symbolic_array){0};
}

fov_symbolic_result fov_symbolic_logits(size_t first, size_t count, fov_symbolic_array *out_array) {
  *out_array = (fov_symbolic_array){.count = count, .symbols = new_elements(count)};
  if (!out_array->symbols) return fov_symbolic_out_of_memory;
  for (size_t i = 0; i < count; i++) out_array->symbols[i] = (uint32_t)(first + i);
  return fov_symbolic_done;
}

fov_symbolic_result fov_symbolic_constants(const float *values, size_t count,
                                           fov_symbolic_array *out_array) {
  *out_array = (fov_symbolic_array){.count = count, .offsets = new_elements(count)};
  if (!out_array->offsets) return fov_symbolic_out_of_memory;
  memcpy(out_array->offsets, values, count * sizeof(float));
  return fov_symbolic_done;
}

// MARK: one of the four arrays of each operand

typedef enum array_part {
  part_symbols,
  part_partners,
  part_scales,
  part_offsets,
  part_count,
} array_part;

static void **elements_of(fov_symbolic_array *array, array_part part) {
  switch (part) {
    case part_symbols: return (void **)&array->symbols;
    case part_partners: return (void **)&array->partners;
    case part_scales: return (void **)&array->scales;
    default: return (void **)&array->offsets;
  }
}

// Allocates a part that was left out. Does nothing if it exists. Not for symbols.
static bool require_part(fov_symbolic_array *array, array_part part) {
  void **elements = elements_of(array, part);
  if (*elements) return true;
  *elements = new_elements(array->count);
  if (!*elements) return false;
  if (part == part_scales) {
    for (size_t i = 0; i < array->count; i++) array->scales[i] = 1.0f;
  }
  return true;
}

// MARK: operations that move elements

static bool moves(const fov_operation *operation) {
  return operation == &fov_operation_reshape || operation == &fov_operation_transpose ||
         operation == &fov_operation_slice || operation == &fov_operation_concat ||
         operation == &fov_operation_broadcast;
}

typedef struct movement {
  const fov_operation *operation;
  const void *parameters;
  size_t input_count;
  fov_symbolic_array **inputs;  // (input_count,)
  fov_tensor *tensors;          // (input_count,): of the inputs' shapes, with room for data
  const fov_shape *shape;       // of the result
} movement;

// The operation itself, on one part of all its inputs.
static fov_symbolic_result move_part(const movement *movement, array_part part,
                                     fov_symbolic_array *out_array) {
  bool any = false;
  for (size_t i = 0; i < movement->input_count; i++) {
    any |= *elements_of(movement->inputs[i], part) != NULL;
  }
  if (!any) return fov_symbolic_done;
  for (size_t i = 0; i < movement->input_count; i++) {
    fov_symbolic_array *input = movement->inputs[i];
    if (part == part_symbols && !input->symbols) return fov_symbolic_unknown;
    if (!require_part(input, part)) return fov_symbolic_out_of_memory;
    movement->tensors[i].data = *elements_of(input, part);
  }
  void *elements = new_elements(out_array->count);
  if (!elements) return fov_symbolic_out_of_memory;
  *elements_of(out_array, part) = elements;
  const fov_run run = {
      .parameters = movement->parameters,
      .inputs = movement->tensors,
      .input_count = movement->input_count,
      .output = {.data = elements, .shape = movement->shape, .type = fov_data_type_float32},
      .slots = 1,
      .kernels = fov_kernel_set_find(fov_instruction_set_scalar),
  };
  movement->operation->run(&run);
  return fov_symbolic_done;
}

static fov_symbolic_result move(const movement *movement, fov_symbolic_array *out_array) {
  fov_symbolic_result result = fov_symbolic_done;
  *out_array = (fov_symbolic_array){.count = fov_shape_count(movement->shape)};
  for (int part = 0; part < part_count && result == fov_symbolic_done; part++) {
    result = move_part(movement, (array_part)part, out_array);
  }
  return result;
}

static fov_symbolic_result run_moving(const fov_graph *graph, const fov_graph_node *node,
                                      fov_symbolic_array *arrays) {
  const movement movement = {
      .operation = node->operation,
      .parameters = node->parameters,
      .input_count = node->input_count,
      .inputs = fov_allocate_array(node->input_count, sizeof(fov_symbolic_array *)),
      .tensors = fov_allocate_array(node->input_count, sizeof(fov_tensor)),
      .shape = &graph->values[node->output].shape,
  };
  fov_symbolic_result result = fov_symbolic_out_of_memory;
  if (movement.inputs && movement.tensors) {
    for (size_t i = 0; i < node->input_count; i++) {
      movement.inputs[i] = &arrays[node->inputs[i]];
      movement.tensors[i] = (fov_tensor){.shape = &graph->values[node->inputs[i]].shape,
                                         .type = fov_data_type_float32};
    }
    result = move(&movement, &arrays[node->output]);
  }
  fov_release(movement.inputs);
  fov_release(movement.tensors);
  return result;
}

// A copy of an array, repeated up to `shape`.
static fov_symbolic_result expand(const fov_graph *graph, uint32_t value, const fov_shape *shape,
                                  fov_symbolic_array *arrays, fov_symbolic_array *out_array) {
  fov_symbolic_array *input = &arrays[value];
  fov_tensor tensor = {.shape = &graph->values[value].shape, .type = fov_data_type_float32};
  const movement movement = {
      .operation = &fov_operation_broadcast,
      .parameters = shape,
      .input_count = 1,
      .inputs = &input,
      .tensors = &tensor,
      .shape = shape,
  };
  return move(&movement, out_array);
}

// MARK: functions of one element

static bool all_are(const fov_symbolic_array *array, fov_symbol_function function) {
  if (!array->symbols) return false;
  for (size_t i = 0; i < array->count; i++) {
    if (fov_symbol_function_of(array->symbols[i]) != function) return false;
  }
  return true;
}

static void set_function(fov_symbolic_array *array, fov_symbol_function function) {
  for (size_t i = 0; i < array->count; i++) {
    array->symbols[i] = fov_symbol_logit_of(array->symbols[i]) | (uint32_t)function
                                                                     << FOV_SYMBOL_BITS;
  }
}

static fov_symbolic_result apply_to_logits(fov_symbolic_array *array,
                                           fov_symbol_function function) {
  if (!all_are(array, fov_symbol_logit) || array->scales || array->offsets) {
    return fov_symbolic_unknown;
  }
  set_function(array, function);
  return fov_symbolic_done;
}

static bool is_shifted(const fov_symbolic_array *array) {
  for (size_t i = 0; array->offsets && i < array->count; i++) {
    if (array->offsets[i] != 0.0f) return true;
  }
  return false;
}

// (sigmoid * scale) ^ 2 = sigmoid ^ 2 * scale ^ 2
static fov_symbolic_result square(fov_symbolic_array *array) {
  if (!all_are(array, fov_symbol_sigmoid) || is_shifted(array)) return fov_symbolic_unknown;
  set_function(array, fov_symbol_squared_sigmoid);
  if (!array->scales) return fov_symbolic_done;
  for (size_t i = 0; i < array->count; i++) array->scales[i] *= array->scales[i];
  return fov_symbolic_done;
}

// Constants of each element, or one for all: (f * scale + offset) * by + plus.
typedef struct constant_operand {
  const float *by;    // NULL: 1
  const float *plus;  // NULL: 0
  size_t step;        // 0: one for all
} constant_operand;

static fov_symbolic_result scale_and_shift(fov_symbolic_array *array, constant_operand constant) {
  if (!array->symbols || array->partners) return fov_symbolic_unknown;
  if (constant.by && (!require_part(array, part_scales) || !require_part(array, part_offsets))) {
    return fov_symbolic_out_of_memory;
  }
  if (!require_part(array, part_offsets)) return fov_symbolic_out_of_memory;
  for (size_t i = 0; i < array->count; i++) {
    if (constant.by) {
      array->scales[i] *= constant.by[i * constant.step];
      array->offsets[i] *= constant.by[i * constant.step];
    }
    if (constant.plus) array->offsets[i] += constant.plus[i * constant.step];
    if (!isfinite(array->offsets[i]) || (array->scales && !isfinite(array->scales[i]))) {
      return fov_symbolic_unknown;
    }
  }
  return fov_symbolic_done;
}

static fov_symbolic_result apply_unary(const fov_unary *unary, fov_symbolic_array *array) {
  switch (unary->function) {
    case fov_unary_sigmoid: return apply_to_logits(array, fov_symbol_sigmoid);
    case fov_unary_exp: return apply_to_logits(array, fov_symbol_exponential);
    case fov_unary_power: return unary->alpha == 2.0f ? square(array) : fov_symbolic_unknown;
    case fov_unary_linear:
      return scale_and_shift(array, (constant_operand){.by = &unary->alpha, .plus = &unary->beta});
    default: return fov_symbolic_unknown;
  }
}

static fov_symbolic_result run_unary(const fov_graph *graph, const fov_graph_node *node,
                                     fov_symbolic_array *arrays) {
  fov_symbolic_array *out = &arrays[node->output];
  const fov_shape *shape = &graph->values[node->output].shape;
  const fov_symbolic_result result = expand(graph, node->inputs[0], shape, arrays, out);
  return result == fov_symbolic_done ? apply_unary(node->parameters, out) : result;
}

static fov_symbolic_result run_channel_affine(const fov_graph *graph, const fov_graph_node *node,
                                              fov_symbolic_array *arrays) {
  const fov_channel_affine *affine = node->parameters;
  fov_symbolic_array *out = &arrays[node->output];
  const fov_shape *shape = &graph->values[node->output].shape;
  fov_symbolic_result result = expand(graph, node->inputs[0], shape, arrays, out);
  if (result != fov_symbolic_done) return result;
  const fov_planes planes = fov_shape_planes(shape);
  float *by = new_elements(out->count), *plus = new_elements(out->count);
  if (by && plus) {
    for (size_t i = 0; i < out->count; i++) {
      const size_t channel = i / (planes.rows * planes.columns) % planes.channels;
      by[i] = affine->scale[channel];
      plus[i] = affine->bias[channel];
    }
    result = scale_and_shift(out, (constant_operand){.by = by, .plus = plus, .step = 1});
  }
  if (!by || !plus) result = fov_symbolic_out_of_memory;
  fov_release(by);
  fov_release(plus);
  return result;
}

// MARK: functions of two elements

// left becomes the product of both.
static fov_symbolic_result multiply_sigmoids(fov_symbolic_array *left,
                                             const fov_symbolic_array *right) {
  if (!all_are(left, fov_symbol_sigmoid) || !all_are(right, fov_symbol_sigmoid) || left->scales ||
      left->offsets || right->scales || right->offsets) {
    return fov_symbolic_unknown;
  }
  left->partners = new_elements(left->count);
  if (!left->partners) return fov_symbolic_out_of_memory;
  for (size_t i = 0; i < left->count; i++) {
    left->partners[i] = fov_symbol_logit_of(right->symbols[i]);
  }
  set_function(left, fov_symbol_product);
  return fov_symbolic_done;
}

// array becomes the result of it and constants.
static fov_symbolic_result apply_constants(fov_binary_function function, fov_symbolic_array *array,
                                           const fov_symbolic_array *constants) {
  const bool adds = function == fov_binary_add;
  return scale_and_shift(array, (constant_operand){.by = adds ? NULL : constants->offsets,
                                                   .plus = adds ? constants->offsets : NULL,
                                                   .step = 1});
}

static fov_symbolic_result run_binary(const fov_graph *graph, const fov_graph_node *node,
                                      fov_symbolic_array *arrays) {
  const fov_binary_function function = *(const fov_binary_function *)node->parameters;
  if (function != fov_binary_add && function != fov_binary_multiply) return fov_symbolic_unknown;
  const fov_shape *shape = &graph->values[node->output].shape;
  // The constants, if there are any, stand on the right.
  const size_t first = arrays[node->inputs[0]].symbols ? 0 : 1;
  fov_symbolic_array *left = &arrays[node->output], right = {0};
  fov_symbolic_result result = expand(graph, node->inputs[first], shape, arrays, left);
  if (result == fov_symbolic_done) {
    result = expand(graph, node->inputs[1 - first], shape, arrays, &right);
  }
  if (result == fov_symbolic_done) {
    if (!right.symbols) {
      result = apply_constants(function, left, &right);
    } else if (function == fov_binary_add) {
      result = fov_symbolic_unknown;
    } else {
      result = node->inputs[0] == node->inputs[1] ? square(left) : multiply_sigmoids(left, &right);
    }
  }
  fov_symbolic_release(&right);
  return result;
}

// MARK: all of them

bool fov_symbolic_supports(const fov_operation *operation) {
  return moves(operation) || operation == &fov_operation_unary ||
         operation == &fov_operation_channel_affine || operation == &fov_operation_binary;
}

fov_symbolic_result fov_symbolic_run(const fov_graph *graph, const fov_graph_node *node,
                                     fov_symbolic_array *arrays) {
  if (moves(node->operation)) return run_moving(graph, node, arrays);
  if (node->operation == &fov_operation_unary) return run_unary(graph, node, arrays);
  if (node->operation == &fov_operation_channel_affine) {
    return run_channel_affine(graph, node, arrays);
  }
  if (node->operation == &fov_operation_binary) return run_binary(graph, node, arrays);
  return fov_symbolic_unknown;
}

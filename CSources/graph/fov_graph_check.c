// Fovea - whether a value or a node that a file describes may be run.
// SPDX-License-Identifier: Apache-2.0
#include "graph/fov_graph_check.h"

#include "base/fov_alloc.h"

// MARK: values

static bool is_possible(const fov_graph_value *value) {
  const fov_format *format = &value->format;
  const bool bytes = value->type == fov_data_type_uint8;
  const bool is_int16 = value->type == fov_data_type_int16;
  if (value->type != fov_data_type_float32 && !bytes && !is_int16) return false;
  if (format->arrangement == fov_arrangement_planar) {
    return !format->measured && !is_int16 && (!bytes || value->kind == fov_value_input);
  }
  if (value->kind != fov_value_result || value->shape.rank < 3) return false;
  if (bytes && format->measured) return true;
  if (!bytes && !is_int16) return !format->measured;
  return !format->measured && fov_quantization_is_valid(format->quantization) &&
         (bytes || format->quantization.zero_point == 0);
}

fov_status fov_graph_check_value(const fov_graph_value *value, fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_shape_validate(&value->shape, diagnostic));
  if (is_possible(value)) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_file, "a value of a kind that does not exist");
}

// MARK: nodes

// Whether an operation on planes may read the value. Only convolutions read 16-bit integers.
static bool is_readable(const fov_operation *operation, const fov_graph_value *value) {
  if (value->type == fov_data_type_int16) return false;
  return operation->any_arrangement || value->format.arrangement == fov_arrangement_planar;
}

// Operations on planes write planes. Their inputs are checked as when they are added to a graph.
static fov_status check_planar(const fov_graph *graph, const fov_graph_node *node,
                               fov_diagnostic *diagnostic) {
  const fov_graph_value *output = &graph->values[node->output];
  bool planar = output->format.arrangement == fov_arrangement_planar;
  fov_value *inputs = fov_allocate_array(node->input_count, sizeof(fov_value));
  if (!inputs) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
  for (size_t k = 0; k < node->input_count; k++) {
    inputs[k].index = node->inputs[k];
    planar = planar && is_readable(node->operation, &graph->values[node->inputs[k]]);
  }
  fov_shape shape = {0};
  const fov_status status = fov_graph_infer(graph, node->operation, node->parameters, inputs,
                                            node->input_count, &shape, diagnostic);
  fov_release(inputs);
  FOV_FORWARD(status);
  if (planar && fov_shape_equal(&shape, &output->shape)) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_shape_mismatch, "the result is not what the file says");
}

static fov_tensor tensor_of(const fov_graph *graph, uint32_t value) {
  const fov_graph_value *from = &graph->values[value];
  return (fov_tensor){.shape = &from->shape, .type = from->type, .format = &from->format};
}

// Tensors of a node's inputs, to be released; NULL without memory.
static fov_tensor *input_tensors(const fov_graph *graph, const fov_graph_node *node) {
  fov_tensor *inputs = fov_allocate_array(node->input_count, sizeof(fov_tensor));
  for (size_t k = 0; inputs && k < node->input_count; k++) {
    inputs[k] = tensor_of(graph, node->inputs[k]);
  }
  return inputs;
}

fov_status fov_graph_check_node(const fov_graph *graph, const fov_graph_node *node,
                                fov_diagnostic *diagnostic) {
  if (node->input_count == 0 || node->input_count > FOV_MAXIMUM_INPUTS) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "%zu inputs", node->input_count);
  }
  if (node->operation->infer_shape) return check_planar(graph, node, diagnostic);
  fov_tensor *inputs = input_tensors(graph, node);
  if (!inputs) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
  const fov_tensor output = tensor_of(graph, node->output);
  const fov_status status =
      node->operation->check(node->parameters, inputs, node->input_count, &output, diagnostic);
  fov_release(inputs);
  return status;
}

fov_status fov_graph_fail_node(const fov_graph_node *node, fov_status status,
                               const fov_diagnostic *detail, fov_diagnostic *diagnostic) {
  return fov_fail(diagnostic, status, "%s \"%.80s\": %.200s", node->operation->name, node->label,
                  detail->message);
}

fov_status fov_graph_check_nodes(const fov_graph *graph, fov_diagnostic *diagnostic) {
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_diagnostic detail = {""};
    const fov_status status = fov_graph_check_node(graph, node, &detail);
    if (status != fov_status_ok) return fov_graph_fail_node(node, status, &detail, diagnostic);
  }
  return fov_status_ok;
}

fov_status fov_graph_restore_node(const fov_graph *graph, fov_graph_node *node,
                                  fov_diagnostic *diagnostic) {
  if (!node->operation->restore) return fov_status_ok;
  fov_tensor *inputs = input_tensors(graph, node);
  if (!inputs) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
  const fov_tensor output = tensor_of(graph, node->output);
  const fov_status status = node->operation->restore(node->parameters, inputs, &output, diagnostic);
  fov_release(inputs);
  return status;
}

// Fovea - adding and inserting a node: checks, shape, ownership.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_grow.h"
#include "base/fov_size.h"
#include "graph/fov_graph_types.h"

static fov_status check_inputs(const fov_graph *graph, const fov_operation *operation,
                               const fov_value *inputs, size_t input_count,
                               fov_diagnostic *diagnostic) {
  if (input_count == 0 || input_count > FOV_MAXIMUM_INPUTS ||
      (operation->input_count != 0 && operation->input_count != input_count)) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "%s takes %zu inputs, found %zu",
                    operation->name, operation->input_count, input_count);
  }
  for (size_t i = 0; i < input_count; i++) {
    if (!fov_graph_shape(graph, inputs[i])) {
      return fov_fail(diagnostic, fov_status_invalid_graph, "input %zu of %s is no value", i,
                      operation->name);
    }
    const fov_data_type expected =
        operation->byte_input && i == 0 ? fov_data_type_uint8 : fov_data_type_float32;
    if (graph->values[inputs[i].index].type != expected) {
      return fov_fail(diagnostic, fov_status_invalid_graph, "input %zu of %s has the wrong type", i,
                      operation->name);
    }
  }
  return fov_status_ok;
}

fov_status fov_graph_infer(const fov_graph *graph, const fov_operation *operation,
                           const void *parameters, const fov_value *inputs, size_t input_count,
                           fov_shape *out_shape, fov_diagnostic *diagnostic) {
  FOV_FORWARD(check_inputs(graph, operation, inputs, input_count, diagnostic));
  fov_shape *shapes = fov_allocate_array(input_count, sizeof(fov_shape));
  if (!shapes) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for shapes");
  for (size_t i = 0; i < input_count; i++) shapes[i] = *fov_graph_shape(graph, inputs[i]);
  const fov_status status =
      operation->infer_shape(parameters, shapes, input_count, out_shape, diagnostic);
  fov_release(shapes);
  FOV_FORWARD(status);
  return fov_shape_validate(out_shape, diagnostic);
}

// Allocates memory for the node and its value first, so that either both are appended or neither.
static fov_status append(fov_graph *graph, fov_graph_node node, const fov_shape *shape,
                         fov_value *out_value, fov_diagnostic *diagnostic) {
  if (graph->value_count >= FOV_MAXIMUM_VALUES) {
    return fov_fail(diagnostic, fov_status_unsupported, "more than %d values in a graph",
                    FOV_MAXIMUM_VALUES);
  }
  if (!fov_grow((void **)&graph->nodes, graph->node_count, &graph->node_capacity, sizeof node) ||
      !fov_grow((void **)&graph->values, graph->value_count, &graph->value_capacity,
                sizeof(fov_graph_value))) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
  }
  node.output = (uint32_t)graph->value_count;
  graph->values[graph->value_count++] =
      (fov_graph_value){.kind = fov_value_result, .type = fov_data_type_float32, .shape = *shape};
  graph->nodes[graph->node_count++] = node;
  out_value->index = node.output;
  return fov_status_ok;
}

fov_status fov_graph_add_node(fov_graph *graph, const fov_operation *operation, void *parameters,
                              const fov_value *inputs, size_t input_count, fov_value *out_value,
                              fov_diagnostic *diagnostic) {
  fov_graph_node node = {.operation = operation, .parameters = parameters};
  fov_shape shape = {0};
  fov_status status = parameters ? fov_status_ok
                                 : fov_fail(diagnostic, fov_status_out_of_memory,
                                            "no memory for the parameters of %s", operation->name);
  if (status == fov_status_ok) {
    status = fov_graph_infer(graph, operation, parameters, inputs, input_count, &shape, diagnostic);
  }
  if (status == fov_status_ok) {
    node.input_count = input_count;
    node.inputs = fov_allocate_array(input_count, sizeof(uint32_t));
    node.label = fov_copy_text(graph->label ? graph->label : "");
    if (!node.inputs || !node.label) {
      status = fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
    }
  }
  if (status == fov_status_ok) {
    for (size_t i = 0; i < input_count; i++) node.inputs[i] = inputs[i].index;
    status = append(graph, node, &shape, out_value, diagnostic);
  }
  if (status != fov_status_ok) fov_graph_node_release(&node);
  return status;
}

fov_status fov_graph_insert_behind(fov_graph *graph, size_t index, const fov_operation *operation,
                                   void *parameters, fov_diagnostic *diagnostic) {
  const fov_value read = {graph->nodes[index].output};
  fov_value added;
  FOV_FORWARD(fov_graph_add_node(graph, operation, parameters, &read, 1, &added, diagnostic));
  fov_graph_node node = graph->nodes[graph->node_count - 1];
  char *label = fov_copy_text(graph->nodes[index].label);
  if (!label) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a label");
  fov_release(node.label);
  node.label = label;
  node.inputs[0] = added.index;
  node.output = read.index;
  fov_graph_node *nodes = graph->nodes;
  memmove(nodes + index + 2, nodes + index + 1, (graph->node_count - index - 2) * sizeof *nodes);
  nodes[index].output = added.index;
  nodes[index + 1] = node;
  return fov_status_ok;
}

// Fovea - a graph under construction.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_grow.h"
#include "base/fov_size.h"
#include "graph/fov_graph_types.h"
#include "weights/fov_weight_store.h"

fov_status fov_graph_create(fov_graph **out_graph) {
  *out_graph = fov_allocate(sizeof(fov_graph));
  return *out_graph ? fov_status_ok : fov_status_out_of_memory;
}

static void release_parameters(fov_graph_node *node) {
  if (node->parameters && node->operation->release) node->operation->release(node->parameters);
  fov_release(node->parameters);
}

bool fov_graph_node_replace(fov_graph_node *node, const fov_operation *operation,
                            void *parameters) {
  if (!parameters) return false;
  release_parameters(node);
  node->operation = operation;
  node->parameters = parameters;
  return true;
}

void fov_graph_node_release(fov_graph_node *node) {
  release_parameters(node);
  fov_release(node->inputs);
  fov_release(node->label);
  *node = (fov_graph_node){.removed = true};
}

void fov_graph_release_constant(fov_graph_value *value) {
  if (!value->borrows) fov_release(value->constant);
  value->constant = NULL;
}

void fov_graph_destroy(fov_graph *graph) {
  if (!graph) return;
  for (size_t i = 0; i < graph->value_count; i++) {
    fov_release(graph->values[i].name);
    fov_graph_release_constant(&graph->values[i]);
  }
  for (size_t i = 0; i < graph->node_count; i++) fov_graph_node_release(&graph->nodes[i]);
  for (size_t i = 0; i < graph->output_count; i++) fov_release(graph->outputs[i].name);
  fov_release(graph->values);
  fov_release(graph->nodes);
  fov_release(graph->outputs);
  fov_release(graph->label);
  fov_release(graph->zero_points);
  fov_release(graph);
}

fov_status fov_graph_set_label(fov_graph *graph, const char *label) {
  char *copy = fov_copy_text(label);
  if (!copy) return fov_status_out_of_memory;
  fov_release(graph->label);
  graph->label = copy;
  return fov_status_ok;
}

const fov_shape *fov_graph_shape(const fov_graph *graph, fov_value value) {
  return value.index < graph->value_count ? &graph->values[value.index].shape : NULL;
}

fov_status fov_graph_value_shape(const fov_graph *graph, fov_value value, fov_shape *out_shape) {
  const fov_shape *shape = fov_graph_shape(graph, value);
  if (!shape) return fov_status_invalid_graph;
  *out_shape = *shape;
  return fov_status_ok;
}

// Appends a value. On success the graph takes name and constant.
static fov_status append_value(fov_graph *graph, fov_graph_value value, fov_value *out_value,
                               fov_diagnostic *diagnostic) {
  if (graph->value_count >= FOV_MAXIMUM_VALUES) {
    return fov_fail(diagnostic, fov_status_unsupported, "more than %d values in a graph",
                    FOV_MAXIMUM_VALUES);
  }
  if (!fov_grow((void **)&graph->values, graph->value_count, &graph->value_capacity,
                sizeof value)) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a value");
  }
  out_value->index = (uint32_t)graph->value_count;
  graph->values[graph->value_count++] = value;
  return fov_status_ok;
}

static bool has_input_named(const fov_graph *graph, const char *name) {
  for (size_t i = 0; i < graph->value_count; i++) {
    const fov_graph_value *value = &graph->values[i];
    if (value->kind == fov_value_input && strcmp(value->name, name) == 0) return true;
  }
  return false;
}

fov_status fov_graph_add_input(fov_graph *graph, const char *name, fov_data_type type,
                               const fov_shape *shape, fov_value *out_value,
                               fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_shape_validate(shape, diagnostic));
  if (type != fov_data_type_float32 && type != fov_data_type_uint8) {
    return fov_fail(diagnostic, fov_status_unsupported, "inputs are float32 or uint8");
  }
  if (has_input_named(graph, name)) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "two inputs are named \"%s\"", name);
  }
  fov_graph_value value = {
      .kind = fov_value_input, .type = type, .shape = *shape, .name = fov_copy_text(name)};
  if (!value.name) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a name");
  const fov_status status = append_value(graph, value, out_value, diagnostic);
  if (status != fov_status_ok) fov_release(value.name);
  return status;
}

fov_status fov_graph_add_constant(fov_graph *graph, const fov_shape *shape,
                                  const fov_weights *weights, fov_value *out_value,
                                  fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_shape_validate(shape, diagnostic));
  const size_t count = fov_shape_count(shape);
  fov_weight_store store;
  // One row; linear scales of a constant belong to its outermost dimension.
  const size_t outer = shape->rank ? shape->dims[0] : 1;
  const size_t dims[4] = {1, outer, 1, count / outer};
  FOV_FORWARD(fov_weight_store_create(weights, dims, 1, &store, diagnostic));
  fov_graph_value value = {.kind = fov_value_constant,
                           .type = fov_data_type_float32,
                           .shape = *shape,
                           .constant = fov_allocate_array(count, sizeof(float))};
  if (value.constant) fov_weight_store_panel(&store, 0, 1, 0, count, value.constant);
  fov_weight_store_release(&store);
  if (!value.constant) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for %zu constants", count);
  }
  const fov_status status = append_value(graph, value, out_value, diagnostic);
  if (status != fov_status_ok) fov_release(value.constant);
  return status;
}

fov_status fov_graph_mark_output(fov_graph *graph, fov_value value, const char *name,
                                 fov_diagnostic *diagnostic) {
  if (!fov_graph_shape(graph, value)) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "output \"%s\" is no value", name);
  }
  if (graph->values[value.index].type != fov_data_type_float32) {
    return fov_fail(diagnostic, fov_status_unsupported, "output \"%s\" is not float32", name);
  }
  for (size_t i = 0; i < graph->output_count; i++) {
    if (strcmp(graph->outputs[i].name, name) == 0) {
      return fov_fail(diagnostic, fov_status_invalid_graph, "two outputs are named \"%s\"", name);
    }
  }
  fov_graph_output output = {.value = value.index, .name = fov_copy_text(name)};
  if (!output.name || !fov_grow((void **)&graph->outputs, graph->output_count,
                                &graph->output_capacity, sizeof output)) {
    fov_release(output.name);
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for an output");
  }
  graph->outputs[graph->output_count++] = output;
  return fov_status_ok;
}

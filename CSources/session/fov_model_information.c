// Fovea - asking a model about its ports, nodes and memory.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "session/fov_model_types.h"

size_t fov_model_input_count(const fov_model *model) { return model->input_count; }

size_t fov_model_output_count(const fov_model *model) { return model->graph->output_count; }

// Inputs of bytes are images, since only `pixels` reads bytes.
static fov_port port_of(const char *name, const fov_graph_value *value) {
  const fov_shape *shape = &value->shape;
  fov_port port = {.name = name, .type = value->type, .shape = *shape};
  if (value->type == fov_data_type_uint8 && (shape->rank == 2 || shape->rank == 3)) {
    port.kind = fov_port_kind_image;
    port.height = shape->dims[0];
    port.width = shape->dims[1];
    port.channels = shape->rank == 3 ? shape->dims[2] : 1;
  }
  return port;
}

fov_status fov_model_input(const fov_model *model, size_t index, fov_port *out_port) {
  if (index >= model->input_count) return fov_status_invalid_argument;
  const fov_graph_value *value = &model->graph->values[model->inputs[index]];
  *out_port = port_of(value->name, value);
  return fov_status_ok;
}

fov_status fov_model_output(const fov_model *model, size_t index, fov_port *out_port) {
  if (index >= model->graph->output_count) return fov_status_invalid_argument;
  const fov_graph_output *output = &model->graph->outputs[index];
  const fov_graph_value *value = &model->graph->values[output->value];
  *out_port = port_of(output->name, value);
  return fov_status_ok;
}

fov_backend fov_model_backend(const fov_model *model) { return model->options.backend; }

size_t fov_model_range_count(const fov_model *model) { return model->range_count; }

size_t fov_model_node_count(const fov_model *model) { return model->graph->node_count; }

static void describe_convolution(const fov_convolution_parameters *convolution,
                                 fov_node_information *information) {
  information->is_depthwise = fov_convolution_is_depthwise(convolution);
  information->weight_encoding = convolution->weights.encoding;
  information->weight_bits = convolution->weights.bits;
  if (convolution->has_activation) {
    information->activation = fov_unary_name(convolution->activation.function);
  }
}

// What a channels-last convolution does to its sums, static text.
static const char *describe_activation(const fov_channels_last_convolution *layer) {
  static const char *const names[3][5] = {
      {"", "leaky_relu", "relu", "clip", "table"},
      {"max pool", "leaky_relu, max pool", "relu, max pool", "clip, max pool", "table, max pool"},
      {"add", "leaky_relu, add", "add, relu", "add, clip", "add, table"},
  };
  const fov_fused_activation *activation = &layer->activation;
  const bool bounded = activation->lowest > -INFINITY || activation->highest < INFINITY;
  const bool is_relu = activation->lowest == 0.0f && activation->highest == INFINITY;
  const int function = activation->has_table       ? 4
                       : activation->slope != 1.0f ? 1
                       : is_relu                   ? 2
                       : bounded                   ? 3
                                                   : 0;
  return names[layer->pools ? 1 : activation->has_residual ? 2 : 0][function];
}

static void describe_channels_last(const fov_channels_last_convolution *layer,
                                   fov_node_information *information) {
  const fov_packed_weights *weights = &layer->weights;
  const bool is_table = weights->coded && weights->coding.table;
  information->is_depthwise = weights->depthwise;
  information->weight_encoding = is_table ? fov_weight_encoding_lookup_table
                                 : weights->integer || weights->coded ? fov_weight_encoding_linear
                                                                      : fov_weight_encoding_float32;
  information->weight_bits = weights->int16 ? 16 : weights->integer || weights->coded ? 8 : 32;
  information->activation = describe_activation(layer);
}

// Only the first input matters to those who count, and it is the only one that has weights.
static uint64_t count_multiply_accumulates(const fov_graph *graph, const fov_graph_node *node) {
  if (!node->operation->multiply_accumulates) return 0;
  return node->operation->multiply_accumulates(
      node->parameters, &graph->values[node->inputs[0]].shape, &graph->values[node->output].shape);
}

fov_status fov_model_node(const fov_model *model, size_t index,
                          fov_node_information *out_information) {
  const fov_graph *graph = model->graph;
  if (index >= graph->node_count) return fov_status_invalid_argument;
  const fov_graph_node *node = &graph->nodes[index];
  const fov_operation *operation = node->operation;
  *out_information = (fov_node_information){
      .operation = operation->name,
      .label = node->label,
      .activation = "",
      .output = graph->values[node->output].shape,
      .multiply_accumulates = count_multiply_accumulates(graph, node),
      .weight_bytes = operation->weight_bytes ? operation->weight_bytes(node->parameters) : 0,
      .workspace_bytes = model->workspace_bytes[index],
      .workspace_offset = model->workspace_offsets[index],
      .arena_offset = model->value_offsets[node->output],
      .output_bytes = model->value_bytes[node->output],
      .last_reader = model->value_lasts[node->output],
      .output_type = graph->values[node->output].type,
      .channels_last =
          graph->values[node->output].format.arrangement == fov_arrangement_channels_last,
      .value = node->output < model->measured_count ? node->output : FOV_NO_VALUE,
      .input_count = node->input_count,
  };
  if (fov_is_convolution(operation)) describe_convolution(node->parameters, out_information);
  if (operation == &fov_operation_channels_last_convolution) {
    describe_channels_last(node->parameters, out_information);
  }
  if (operation == &fov_operation_channels_last_transposed) {
    describe_channels_last(((const fov_channels_last_transposed *)node->parameters)->phases[0],
                           out_information);
  }
  return fov_status_ok;
}

fov_status fov_model_node_writer(const fov_model *model, size_t index, size_t input,
                                 size_t *out_node) {
  const fov_graph *graph = model->graph;
  if (index >= graph->node_count || input >= graph->nodes[index].input_count) {
    return fov_status_invalid_argument;
  }
  const uint32_t value = graph->nodes[index].inputs[input];
  size_t node = index;
  while (node > 0 && graph->nodes[node - 1].output != value) node--;
  *out_node = node > 0 ? node - 1 : FOV_NO_VALUE;
  return fov_status_ok;
}

fov_memory fov_model_memory(const fov_model *model) { return model->memory; }

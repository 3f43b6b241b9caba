// Fovea - the layout pass: which nodes work on channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include "layout/fov_layout_pass.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "graph/fov_graph_check.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// MARK: which nodes

static const fov_shape *shape_of(const fov_layout_state *state, uint32_t value) {
  return &state->graph->values[value].shape;
}

static bool all_inputs_channels_last(const fov_layout_state *state, const fov_graph_node *node) {
  for (size_t k = 0; k < node->input_count; k++) {
    if (!state->values[node->inputs[k]].channels_last) return false;
  }
  return true;
}

static bool is_channels_last_convolution(const fov_graph_node *node) {
  const fov_convolution_parameters *convolution = node->parameters;
  fov_fused_activation activation;
  if (node->operation == &fov_operation_transposed_convolution &&
      !fov_channels_last_can_transpose(&convolution->convolution)) {
    return false;
  }
  return !convolution->has_activation ||
         fov_fused_activation_from_unary(&convolution->activation, &activation);
}

// Truths and whole numbers are not to be rounded to codes.
static bool is_continuous(const fov_graph_node *node) {
  const fov_unary_function function = ((const fov_unary *)node->parameters)->function;
  return function != fov_unary_logical_not && function != fov_unary_truncate;
}

static bool is_channel_concat(const fov_layout_state *state, const fov_graph_node *node) {
  const size_t axis = *(const size_t *)node->parameters;
  return axis + 3 == shape_of(state, node->output)->rank;
}

static bool is_channel_slice(const fov_layout_state *state, const fov_graph_node *node) {
  return fov_slice_first_channel(node->parameters, shape_of(state, node->inputs[0])) != SIZE_MAX;
}

static bool is_plain_product(const fov_layout_state *state, const fov_graph_node *node) {
  return fov_layout_multiplies(node) &&
         fov_channels_last_can_multiply(shape_of(state, node->inputs[0]),
                                        shape_of(state, node->inputs[1]),
                                        shape_of(state, node->output));
}

static bool is_plain_sum(const fov_layout_state *state, const fov_graph_node *node) {
  return *(const fov_binary_function *)node->parameters == fov_binary_add &&
         fov_shape_equal(shape_of(state, node->inputs[0]), shape_of(state, node->inputs[1]));
}

// An image that only convolutions read, or codes for them, is best in the layout of convolutions.
static bool is_read_by_convolutions(const fov_layout_state *state, uint32_t value) {
  const fov_graph *graph = state->graph;
  for (size_t i = 0; i < graph->output_count; i++) {
    if (graph->outputs[i].value == value) return false;
  }
  bool read = false;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    for (size_t k = 0; !node->removed && k < node->input_count; k++) {
      if (node->inputs[k] != value) continue;
      if (fov_is_convolution(node->operation) ? !is_channels_last_convolution(node)
                                              : !fov_layout_gives(node)) {
        return false;
      }
      read = true;
    }
  }
  return read;
}

static bool can_be_channels_last(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_operation *operation = node->operation;
  if (fov_is_convolution(operation)) return is_channels_last_convolution(node);
  if (operation == &fov_operation_pixels) return is_read_by_convolutions(state, node->output);
  if (fov_layout_reads_rows(state, node)) return is_read_by_convolutions(state, node->output);
  if (shape_of(state, node->output)->rank < 3 || !all_inputs_channels_last(state, node))
    return false;
  if (operation == &fov_operation_pooling) {
    return ((const fov_pooling *)node->parameters)->function != fov_pooling_l2;
  }
  if (operation == &fov_operation_unary) return is_continuous(node);
  if (operation == &fov_operation_channel_affine) return fov_layout_follows_curve(state, node);
  if (operation == &fov_operation_channels_last_shuffle) return true;
  if (operation == &fov_operation_padding) {
    return fov_channels_last_can_pad(node->parameters, shape_of(state, node->output)->rank);
  }
  if (operation == &fov_operation_concat) return is_channel_concat(state, node);
  if (operation == &fov_operation_slice) return is_channel_slice(state, node);
  if (operation == &fov_operation_binary) {
    return is_plain_sum(state, node) || is_plain_product(state, node);
  }
  return operation == &fov_operation_resize;
}

static bool is_listed(const char *const *labels, size_t count, const char *label) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(labels[i], label) == 0) return true;
  }
  return false;
}

static fov_status classify(fov_layout_state *state) {
  fov_graph *graph = state->graph;
  fov_layout_note_shuffles(state);
  for (size_t n = 0; n < graph->node_count; n++) {
    fov_graph_node *node = &graph->nodes[n];
    fov_layout_node *plan = &state->nodes[n];
    if (node->removed) continue;
    FOV_FORWARD(fov_layout_turn_to_rows(state, node));
    FOV_FORWARD(fov_layout_shuffle(state, node));
    plan->activation = fov_fused_activation_none();
    plan->channels_last = can_be_channels_last(state, node);
    plan->follows_curve = plan->channels_last && fov_layout_follows_curve(state, node);
    state->values[node->output].channels_last = plan->channels_last;
    if (!plan->channels_last || !fov_is_convolution(node->operation)) continue;
    const fov_convolution_parameters *convolution = node->parameters;
    plan->input = node->inputs[0];
    const fov_layout_options *options = state->options;
    plan->stays_float = is_listed(options->float_layers, options->float_layer_count, node->label);
    plan->wants_int16 = is_listed(options->int16_layers, options->int16_layer_count, node->label) &&
                        !fov_convolution_is_depthwise(convolution);
    if (convolution->has_activation) {
      fov_fused_activation_from_unary(&convolution->activation, &plan->activation);
    }
  }
  return fov_status_ok;
}

static fov_status assign(fov_layout_state *state) {
  state->has_given = state->options->integer && fov_graph_gives_codes(state->graph);
  FOV_FORWARD(classify(state));
  fov_layout_types(state);
  if (state->options->fuses) FOV_FORWARD(fov_layout_fuse(state));
  FOV_FORWARD(fov_layout_zeros(state));
  FOV_FORWARD(fov_layout_emit(state));
  FOV_FORWARD(fov_layout_formats(state->graph, state->diagnostic));
  if (!state->options->integer) return fov_status_ok;
  // The graph is valid, but the caller's ranges may have any values.
  const fov_status status = fov_graph_check_nodes(state->graph, state->diagnostic);
  return status == fov_status_invalid_graph ? fov_status_unsupported : status;
}

fov_status fov_graph_assign_layouts(fov_graph *graph, const fov_layout_options *options,
                                    fov_diagnostic *diagnostic) {
  fov_layout_state state = {.graph = graph, .options = options, .diagnostic = diagnostic};
  FOV_FORWARD(fov_graph_users_create(graph, &state.users, diagnostic));
  const size_t node_count = graph->node_count;  // before conversions
  state.nodes = fov_allocate_array(node_count + 1, sizeof(fov_layout_node));
  state.values = fov_allocate_array(graph->value_count + 1, sizeof(fov_layout_value));
  const fov_status status =
      state.nodes && state.values
          ? assign(&state)
          : fov_fail(diagnostic, fov_status_out_of_memory, "no memory for state");
  for (size_t n = 0; state.nodes && n < node_count; n++) fov_release(state.nodes[n].factors);
  fov_release(state.nodes);
  fov_release(state.values);
  fov_graph_users_release(&state.users);
  return status;
}

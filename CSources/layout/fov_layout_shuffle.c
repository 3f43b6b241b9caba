// Fovea - the layout pass: shuffles of channels.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// Groups of channels are mixed in two ways. The last node finds the others:
//
//   [.., C, H, W] -- reshape --> [.., G, C/G, H, W] -- transpose --> [.., C/G, G, H, W]
//                 -- reshape --> [.., C, H, W]
//
//   G times [.., C, H, W] -- reshape --> [.., C, 1, H, W], -- concat --> [.., C, G, H, W]
//                 -- reshape --> [.., G * C, H, W]

static const fov_shape *shape_of(const fov_layout_state *state, uint32_t value) {
  return &state->graph->values[value].shape;
}

// Whether `split` is the shape of an image with its channels in two dimensions.
static bool splits_channels(const fov_shape *image, const fov_shape *split) {
  if (image->rank < 3 || split->rank != image->rank + 1) return false;
  const size_t channel = image->rank - 3;
  for (size_t i = 0; i < image->rank; i++) {
    if (i == channel) continue;
    if (image->dims[i] != split->dims[i < channel ? i : i + 1]) return false;
  }
  return split->dims[channel] * split->dims[channel + 1] == image->dims[channel];
}

static bool swaps(const size_t *axes, size_t rank, size_t first) {
  for (size_t i = 0; i < rank; i++) {
    const size_t expected = i == first ? first + 1 : i == first + 1 ? first : i;
    if (axes[i] != expected) return false;
  }
  return true;
}

// The reshape that writes a value for one reader and splits the channels of an image; or NULL.
static fov_graph_node *split_of(const fov_layout_state *state, uint32_t value) {
  fov_graph_node *split = fov_graph_sole_producer(&state->users, value);
  if (!split || split->operation != &fov_operation_reshape) return NULL;
  return splits_channels(shape_of(state, split->inputs[0]), shape_of(state, value)) ? split : NULL;
}

// The groups that a transposition or a concatenation in front of a reshape mixes; 0: none.
static size_t groups_of(const fov_layout_state *state, const fov_graph_node *mix,
                        const fov_shape *result) {
  const fov_shape *mixed = shape_of(state, mix->output);
  if (!splits_channels(result, mixed)) return 0;
  const size_t channel = result->rank - 3, groups = mixed->dims[channel + 1];
  for (size_t k = 0; k < mix->input_count; k++) {
    if (!split_of(state, mix->inputs[k])) return 0;
  }
  if (groups < 2) return 0;
  if (mix->operation == &fov_operation_transpose) {
    return swaps(mix->parameters, mixed->rank, channel) ? groups : 0;
  }
  if (mix->operation != &fov_operation_concat || *(const size_t *)mix->parameters != channel + 1 ||
      mix->input_count != groups) {
    return 0;
  }
  return groups;
}

// The node in front of a reshape, if the two shuffle channels; else NULL.
static fov_graph_node *mix_of(const fov_layout_state *state, const fov_graph_node *node,
                              size_t *out_groups) {
  if (node->operation != &fov_operation_reshape) return NULL;
  fov_graph_node *mix = fov_graph_sole_producer(&state->users, node->inputs[0]);
  const bool mixes = mix && (mix->operation == &fov_operation_transpose ||
                             mix->operation == &fov_operation_concat);
  *out_groups = mixes ? groups_of(state, mix, shape_of(state, node->output)) : 0;
  return *out_groups > 0 ? mix : NULL;
}

void fov_layout_note_shuffles(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    size_t groups;
    const fov_graph_node *mix =
        graph->nodes[n].removed ? NULL : mix_of(state, &graph->nodes[n], &groups);
    if (mix) state->nodes[mix - graph->nodes].shuffles = true;
  }
}

static void remove_node(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_users_move(&state->users, node->output, NULL);
  fov_graph_node_release(node);
}

fov_status fov_layout_shuffle(fov_layout_state *state, fov_graph_node *node) {
  size_t groups;
  fov_graph_node *mix = mix_of(state, node, &groups);
  if (!mix) return fov_status_ok;
  for (size_t k = 0; k < mix->input_count; k++) {
    const uint32_t image = split_of(state, mix->inputs[k])->inputs[0];
    if (!state->values[image].channels_last) return fov_status_ok;
  }
  size_t *parameters = fov_allocate_copy(&groups, sizeof groups);
  if (!parameters) {
    return fov_fail(state->diagnostic, fov_status_out_of_memory, "no memory for groups");
  }
  // The node takes over the inputs of the one in front of it, without their reshapes.
  fov_release(node->parameters);
  fov_release(node->inputs);
  node->parameters = parameters;
  node->operation = &fov_operation_channels_last_shuffle;
  node->inputs = mix->inputs;
  node->input_count = mix->input_count;
  mix->inputs = NULL;
  mix->input_count = 0;
  remove_node(state, mix);
  for (size_t k = 0; k < node->input_count; k++) {
    fov_graph_node *split = split_of(state, node->inputs[k]);
    node->inputs[k] = split->inputs[0];
    remove_node(state, split);
  }
  return fov_status_ok;
}

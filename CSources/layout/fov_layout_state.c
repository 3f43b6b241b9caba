// Fovea - the layout pass: what several steps ask about a node.
// SPDX-License-Identifier: Apache-2.0
#include "layout/fov_layout_state.h"

#include "channels_last/fov_channels_last_transposed.h"
#include "ops/fov_operation_table.h"

// Sums of more products could overflow int32.
#define MOST_TAPS ((size_t)INT32_MAX / (255 * 128))

// Few channels of a transposed convolution are faster in floats, all phases at once.
bool fov_layout_is_integer(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_convolution_parameters *parameters = node->parameters;
  const bool stays_float =
      state->nodes[node - state->graph->nodes].stays_float ||
      (node->operation == &fov_operation_transposed_convolution && !state->has_given &&
       fov_channels_last_should_join(&parameters->convolution));
  return state->options->integer && !stays_float && fov_convolution_taps(parameters) <= MOST_TAPS;
}

bool fov_layout_multiplies(const fov_graph_node *node) {
  return node->operation == &fov_operation_binary &&
         *(const fov_binary_function *)node->parameters == fov_binary_multiply;
}

bool fov_layout_follows_curve(const fov_layout_state *state, const fov_graph_node *node) {
  return !state->has_given && state->options->fuses &&
         fov_graph_followed_curve(&state->users, node);
}

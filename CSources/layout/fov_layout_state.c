// Fovea - the layout pass: what several steps ask about a node.
// SPDX-License-Identifier: Apache-2.0
#include "layout/fov_layout_state.h"

#include "ops/fov_operation_table.h"

// Sums of more products could overflow int32.
#define MOST_TAPS ((size_t)INT32_MAX / (255 * 128))

bool fov_layout_is_integer(const fov_layout_state *state, const fov_graph_node *node) {
  const bool stays_float = state->nodes[node - state->graph->nodes].stays_float;
  return state->options->integer && !stays_float &&
         fov_convolution_taps(node->parameters) <= MOST_TAPS;
}

bool fov_layout_multiplies(const fov_graph_node *node) {
  return node->operation == &fov_operation_binary &&
         *(const fov_binary_function *)node->parameters == fov_binary_multiply;
}

// Fovea - the layout pass: transpositions between rows of channels and channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_transpose.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// channels_last/fov_channels_last_transpose.h says what is copied. Dense layers arrive so:
//
//   rows -> transpose -> convolution 1x1 -> transpose -> rows
//
// and heads of detectors so, where a reshape splits the channels into anchors and classes:
//
//   convolution -> reshape -> transpose -> rows
//
// Files that give codes keep their transpositions: codes move through them (fov_layout_given.c).

bool fov_layout_reads_rows(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_graph_value *values = state->graph->values;
  return node->operation == &fov_operation_transpose && !state->has_given &&
         !state->values[node->inputs[0]].channels_last &&
         fov_channels_last_is_from_rows(node->parameters, values[node->inputs[0]].shape.rank);
}

// The reshape in front of a transposition, if nobody else reads its result; else NULL.
static fov_graph_node *sole_reshape(const fov_layout_state *state, const fov_graph_node *node) {
  fov_graph_node *producer = fov_graph_sole_producer(&state->users, node->inputs[0]);
  return producer && producer->operation == &fov_operation_reshape ? producer : NULL;
}

fov_status fov_layout_turn_to_rows(fov_layout_state *state, fov_graph_node *node) {
  if (node->operation != &fov_operation_transpose || state->has_given ||
      state->nodes[node - state->graph->nodes].shuffles) {
    return fov_status_ok;
  }
  fov_graph_node *reshape = sole_reshape(state, node);
  const fov_graph_value *values = state->graph->values;
  const uint32_t image = reshape ? reshape->inputs[0] : node->inputs[0];
  const fov_shape *shape = &values[node->inputs[0]].shape;
  if (!state->values[image].channels_last ||
      !fov_channels_last_splits(&values[image].shape, shape)) {
    return fov_status_ok;
  }
  fov_channels_last_to_rows *to_rows = fov_allocate(sizeof *to_rows);
  if (!to_rows) return fov_fail(state->diagnostic, fov_status_out_of_memory, "no memory for rows");
  to_rows->shape = *shape;
  memcpy(to_rows->axes, node->parameters, sizeof to_rows->axes);
  fov_release(node->parameters);
  node->parameters = to_rows;
  node->operation = &fov_operation_channels_last_to_rows;
  if (!reshape) return fov_status_ok;
  node->inputs[0] = image;
  fov_graph_users_move(&state->users, reshape->output, NULL);
  fov_graph_node_release(reshape);
  return fov_status_ok;
}

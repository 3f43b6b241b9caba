// Fovea - counting readers.
// SPDX-License-Identifier: Apache-2.0
#include "graph/fov_graph_users.h"

#include "base/fov_alloc.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"

// What an output adds to the readers of its value. It is larger than any count of nodes, so that
// the value never has a sole reader.
#define OUTPUT_READERS 1000000000

fov_status fov_graph_users_create(fov_graph *graph, fov_graph_users *out_users,
                                  fov_diagnostic *diagnostic) {
  fov_graph_users users = {
      .graph = graph,
      .readers = fov_allocate_array(graph->value_count, sizeof(size_t)),
      .producers = fov_allocate_array(graph->value_count, sizeof(fov_graph_node *)),
  };
  *out_users = users;
  if (!users.readers || !users.producers) {
    fov_graph_users_release(out_users);
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for folding");
  }
  for (size_t i = 0; i < graph->node_count; i++) {
    fov_graph_node *node = &graph->nodes[i];
    if (node->removed) continue;
    for (size_t k = 0; k < node->input_count; k++) users.readers[node->inputs[k]]++;
    users.producers[node->output] = node;
  }
  for (size_t i = 0; i < graph->output_count; i++) {
    users.readers[graph->outputs[i].value] += OUTPUT_READERS;
  }
  return fov_status_ok;
}

void fov_graph_users_release(fov_graph_users *users) {
  fov_release(users->readers);
  fov_release(users->producers);
  *users = (fov_graph_users){0};
}

bool fov_graph_is_read(const fov_graph_users *users, uint32_t value) {
  return users->readers[value] != 0;
}

fov_graph_node *fov_graph_sole_producer(const fov_graph_users *users, uint32_t value) {
  return users->readers[value] == 1 ? users->producers[value] : NULL;
}

fov_graph_node *fov_graph_curved_convolution(const fov_graph_users *users,
                                             const fov_graph_node *node) {
  if (node->operation != &fov_operation_unary ||
      fov_unary_curve(node->parameters) == fov_float_curve_none) {
    return NULL;
  }
  fov_graph_node *producer = fov_graph_sole_producer(users, node->inputs[0]);
  if (!producer || producer->operation != &fov_operation_convolution) return NULL;
  return ((const fov_convolution_parameters *)producer->parameters)->has_activation ? NULL
                                                                                    : producer;
}

fov_graph_node *fov_graph_followed_curve(const fov_graph_users *users, const fov_graph_node *node) {
  const fov_unary *unary = node->operation == &fov_operation_unary ? node->parameters : NULL;
  const bool is_affine = node->operation == &fov_operation_channel_affine ||
                         (unary && unary->function == fov_unary_linear);
  fov_graph_node *curve = is_affine ? fov_graph_sole_producer(users, node->inputs[0]) : NULL;
  return curve && fov_graph_curved_convolution(users, curve) ? curve : NULL;
}

void fov_graph_users_remove(fov_graph_users *users, uint32_t value) { users->readers[value]--; }

void fov_graph_users_add(fov_graph_users *users, uint32_t value) { users->readers[value]++; }

void fov_graph_users_move(fov_graph_users *users, uint32_t value, fov_graph_node *producer) {
  users->producers[value] = producer;
}

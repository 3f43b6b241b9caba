// Fovea - the node that writes a value, and the number of its readers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_USERS_H
#define FOV_GRAPH_USERS_H

#include "graph/fov_graph_types.h"

// Rules that change the graph keep this up to date. A model output counts as a reader that stays.
typedef struct fov_graph_users {
  const fov_graph *graph;
  size_t *readers;             // (values,)
  fov_graph_node **producers;  // (values,): NULL for inputs and constants
} fov_graph_users;

FOV_INTERNAL fov_status fov_graph_users_create(fov_graph *graph, fov_graph_users *out_users,
                                               fov_diagnostic *diagnostic);
FOV_INTERNAL void fov_graph_users_release(fov_graph_users *users);

FOV_INTERNAL bool fov_graph_is_read(const fov_graph_users *users, uint32_t value);

// The node that writes a value, if exactly one node reads it and it is no output; else NULL.
FOV_INTERNAL fov_graph_node *fov_graph_sole_producer(const fov_graph_users *users, uint32_t value);

// The convolution whose sums alone this node reads, if it is a curve that convolutions can compute
// on them (fov_float_curve), and nothing else comes between; else NULL.
FOV_INTERNAL fov_graph_node *fov_graph_curved_convolution(const fov_graph_users *users,
                                                          const fov_graph_node *node);

// The curve of a convolution behind which alone this node stands, if it multiplies channels by
// numbers and adds others; else NULL.
FOV_INTERNAL fov_graph_node *fov_graph_followed_curve(const fov_graph_users *users,
                                                      const fov_graph_node *node);

// The value has one reader less, or one more.
FOV_INTERNAL void fov_graph_users_remove(fov_graph_users *users, uint32_t value);
FOV_INTERNAL void fov_graph_users_add(fov_graph_users *users, uint32_t value);

// Another node writes the value now.
FOV_INTERNAL void fov_graph_users_move(fov_graph_users *users, uint32_t value,
                                       fov_graph_node *producer);

#endif

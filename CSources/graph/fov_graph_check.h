// Fovea - whether a value or a node may be run.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_CHECK_H
#define FOV_GRAPH_CHECK_H

#include "graph/fov_graph_types.h"

// Checks of one value, of one node, and of all nodes, where the message names the node that fails.
// A node passes if its inputs and output fit its parameters.
FOV_INTERNAL fov_status fov_graph_check_value(const fov_graph_value *value,
                                              fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_graph_check_node(const fov_graph *graph, const fov_graph_node *node,
                                             fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_graph_check_nodes(const fov_graph *graph, fov_diagnostic *diagnostic);

// Returns the status, with a message of the node's operation, its label and the detail.
FOV_INTERNAL fov_status fov_graph_fail_node(const fov_graph_node *node, fov_status status,
                                            const fov_diagnostic *detail,
                                            fov_diagnostic *diagnostic);

// Computes, for a checked node, what files do not hold.
FOV_INTERNAL fov_status fov_graph_restore_node(const fov_graph *graph, fov_graph_node *node,
                                               fov_diagnostic *diagnostic);

#endif

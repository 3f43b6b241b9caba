// Fovea - a channels-last graph in a compiled file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_ARCHIVE_H
#define FOV_GRAPH_ARCHIVE_H

#include "base/fov_archive.h"
#include "graph/fov_graph_types.h"

// values, nodes in running order, outputs: a count, then one behind the other. Values that nobody
// reads or writes are left out, so that numbers of values in a file are not those of the graph.
//
// unsupported: an operation that no file can hold; the message names its layer.
FOV_INTERNAL fov_status fov_graph_write(const fov_graph *graph, fov_archive *archive);

// Reads a graph whose every node may be run as it stands: values exist and are written once, before
// they are read; shapes, types and arrangements fit the operations; parameters are what adding or
// the layout pass would have made. Formats are filled in. The graph borrows the archive's blocks.
FOV_INTERNAL fov_status fov_graph_read(fov_archive *archive, fov_graph **out_graph);

// Value, node and output as both directions name them; node inputs and outputs are numbers of the
// file.
FOV_INTERNAL void fov_graph_archive_value(fov_archive *archive, fov_graph_value *value);
FOV_INTERNAL void fov_graph_archive_node(fov_archive *archive, fov_graph_node *node);
FOV_INTERNAL void fov_graph_archive_output(fov_archive *archive, fov_graph_output *output);

// The count of what follows, at most `greatest`.
FOV_INTERNAL size_t fov_graph_archive_count(fov_archive *archive, size_t count, size_t greatest);

// Inputs of a graph, and outputs.
#define FOV_MAXIMUM_PORTS 4096

// Checks of one part of a graph, or of all nodes, of which the one that fails is named; fov_graph_check.c.
// Nodes: whether inputs and output fit the parameters.
FOV_INTERNAL fov_status fov_graph_check_value(const fov_graph_value *value,
                                              fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_graph_check_node(const fov_graph *graph, const fov_graph_node *node,
                                             fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_graph_check_nodes(const fov_graph *graph, fov_diagnostic *diagnostic);

// The status, with the detail behind the node's operation and label.
FOV_INTERNAL fov_status fov_graph_fail_node(const fov_graph_node *node, fov_status status,
                                            const fov_diagnostic *detail,
                                            fov_diagnostic *diagnostic);

// Computes what files do not hold of a node that has been checked.
FOV_INTERNAL fov_status fov_graph_restore_node(const fov_graph *graph, fov_graph_node *node,
                                               fov_diagnostic *diagnostic);

#endif

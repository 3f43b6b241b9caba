// Fovea - a channels-last graph in a compiled file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_ARCHIVE_H
#define FOV_GRAPH_ARCHIVE_H

#include "base/fov_archive.h"
#include "graph/fov_graph_types.h"

// Values, nodes in running order, outputs: of each a count, then the elements. Values that no node
// reads or writes are left out, so that values have other numbers in a file than in the graph.
//
// unsupported: an operation that no file can hold; the message names its layer.
FOV_INTERNAL fov_status fov_graph_write(const fov_graph *graph, fov_archive *archive);

// Reads a graph whose nodes can all be run. Each value is written once, before it is read. Shapes,
// types and arrangements fit the operations. Parameters obey the same rules as those of a graph
// that was built. Formats are filled in. The graph borrows the archive's blocks.
FOV_INTERNAL fov_status fov_graph_read(fov_archive *archive, fov_graph **out_graph);

// The fields of a value, a node and an output, for both directions. Inputs and outputs of nodes are
// numbers of values in the file.
FOV_INTERNAL void fov_graph_archive_value(fov_archive *archive, fov_graph_value *value);
FOV_INTERNAL void fov_graph_archive_node(fov_archive *archive, fov_graph_node *node);
FOV_INTERNAL void fov_graph_archive_output(fov_archive *archive, fov_graph_output *output);

// The count of the elements that follow, at most `greatest`.
FOV_INTERNAL size_t fov_graph_archive_count(fov_archive *archive, size_t count, size_t greatest);

// Inputs of a graph, and outputs.
#define FOV_MAXIMUM_PORTS 4096

#endif

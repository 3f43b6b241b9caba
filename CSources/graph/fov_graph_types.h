// Fovea - nodes and values of a graph.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_TYPES_H
#define FOV_GRAPH_TYPES_H

#include <stdbool.h>

#include "base/fov_error.h"
#include "fovea/core/fov_graph.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// The time of planning grows with the square of the values. It is about a second for this many. The
// largest detectors have a few thousand.
#define FOV_MAXIMUM_VALUES 20000

typedef enum fov_value_kind {
  fov_value_input,
  fov_value_constant,
  fov_value_result,
} fov_value_kind;

typedef struct fov_graph_value {
  fov_value_kind kind;
  fov_data_type type;
  fov_shape shape;
  char *name;         // inputs: owned
  float *constant;    // constants: owned, unless
  bool borrows;       // they lie in a compiled file
  fov_format format;  // planar until the layout pass; its zero points are borrowed
  bool is_view;       // lies in the memory of another value, as its format says:
  uint32_t view_of;   // of this one
} fov_graph_value;

typedef struct fov_graph_node {
  const fov_operation *operation;
  void *parameters;  // owned, with what operation->release frees
  uint32_t *inputs;  // owned: indices of values
  size_t input_count;
  uint32_t output;
  char *label;   // owned
  bool removed;  // by folding
} fov_graph_node;

typedef struct fov_graph_output {
  uint32_t value;
  char *name;  // owned
} fov_graph_output;

// Nodes stand in the order in which they run; every value has at most one node that writes it.
struct fov_graph {
  fov_graph_value *values;
  size_t value_count, value_capacity;
  fov_graph_node *nodes;
  size_t node_count, node_capacity;
  fov_graph_output *outputs;
  size_t output_count, output_capacity;
  char *label;           // of nodes to come; owned, may be NULL
  uint8_t *zero_points;  // of calibrated codes, which formats point into; owned, may be NULL
};

// Adds an operation. Takes the parameters, also when it fails; copies the list of inputs.
FOV_INTERNAL fov_status fov_graph_add_node(fov_graph *graph, const fov_operation *operation,
                                           void *parameters, const fov_value *inputs,
                                           size_t input_count, fov_value *out_value,
                                           fov_diagnostic *diagnostic);

// The shape of a value that exists, or NULL.
FOV_INTERNAL const fov_shape *fov_graph_shape(const fov_graph *graph, fov_value value);

// Frees the array of a constant.
FOV_INTERNAL void fov_graph_release_constant(fov_graph_value *value);

// The most inputs of one node.
#define FOV_MAXIMUM_INPUTS 4096

// Checks inputs and parameters as fov_graph_add_node does, and gives the shape of the result.
FOV_INTERNAL fov_status fov_graph_infer(const fov_graph *graph, const fov_operation *operation,
                                        const void *parameters, const fov_value *inputs,
                                        size_t input_count, fov_shape *out_shape,
                                        fov_diagnostic *diagnostic);

// Makes a node another operation. Takes the parameters, and frees those before. false without
// parameters, for which there was no memory: the node stays.
FOV_INTERNAL bool fov_graph_node_replace(fov_graph_node *node, const fov_operation *operation,
                                         void *parameters);

// Inserts an operation behind node `index`. It reads what that node wrote, which is a new value
// now, and writes the value that was there, so that readers and outputs stay as they are. The new
// node has the label of the other. Takes the parameters, also when it fails. Moves the nodes behind
// it.
FOV_INTERNAL fov_status fov_graph_insert_behind(fov_graph *graph, size_t index,
                                                const fov_operation *operation, void *parameters,
                                                fov_diagnostic *diagnostic);

// Frees what a node owns.
FOV_INTERNAL void fov_graph_node_release(fov_graph_node *node);

#endif

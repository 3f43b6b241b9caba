// Fovea - a small graph of every operation that a compiled file can hold.
// SPDX-License-Identifier: Apache-2.0
#ifndef MUTATION_GRAPH_H
#define MUTATION_GRAPH_H

#include "fovea/core/fov_core.h"

// What to make of the graph.
typedef enum mutation_kind {
  mutation_float,
  mutation_float_table,      // weights stay codes: of tables
  mutation_float_linear,     // ... or linear
  mutation_int8,             // ranges measured in every frame
  mutation_int8_calibrated,  // ranges of one run of the float model
} mutation_kind;

// NULL and a message on standard error when something fails.
fov_model *mutation_model(mutation_kind kind);

#endif

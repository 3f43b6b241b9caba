// Fovea - models of a fuzzed graph, and what the reference makes of it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_GRAPH_REFERENCE_H
#define FUZZ_GRAPH_REFERENCE_H

#include "fuzz_graph_bounds.h"
#include "fuzz_graph_program.h"

#define FUZZ_MOST_SESSION_BYTES ((size_t)16 << 20)

// What the first bytes of an input decide.
typedef struct fuzz_choices {
  uint64_t seed;
  bool wild_inputs;
  uint8_t variant;  // which options
  uint8_t ranges;
  uint8_t set;  // which instruction set
} fuzz_choices;

typedef struct fuzz_results {
  fuzz_extent extents[FUZZ_MOST_STEPS];
  fuzz_bound bounds[FUZZ_MOST_STEPS];
  float *outputs[FUZZ_MOST_OUTPUTS];  // owned
} fuzz_results;

const char *fuzz_backend_name(fov_backend backend);
fov_model_options fuzz_options(fov_backend backend, const fuzz_choices *choices);

// NULL where the graph is refused with a reason, and there may be one.
fov_model *fuzz_make_model(const fuzz_program *program, const fov_model_options *options);

// Runs all steps by the reference. false: it needs too much. The caller frees the outputs.
bool fuzz_run_reference(const fuzz_program *program, const fuzz_choices *choices,
                        fuzz_results *out_results);

#endif

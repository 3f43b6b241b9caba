// Fovea - a finished model as its sessions see it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_MODEL_TYPES_H
#define FOV_MODEL_TYPES_H

#include "base/fov_error.h"
#include "fovea/core/fov_model.h"
#include "graph/fov_graph_types.h"
#include "kernels/fov_kernel_set.h"

// Where a value or a workspace lies in the arena of every session; NOWHERE for constants, which
// lie in the model, and for values that folding left without a writer.
#define FOV_NOWHERE SIZE_MAX

struct fov_model {
  fov_graph *graph;           // owned; only nodes that run are left
  fov_model_options options;  // thread_count resolved; ranges are not kept
  fov_kernel_set kernels;
  size_t measured_count;  // values before packing
  size_t *first_ranges;   // (measured_count + 1,): where the ranges of their channels begin; of a
                          // compiled file NULL
  size_t range_count;     // channels of all of them
  float *divisors;  // (range_count,): what int8 divided each channel by; NULL where it did not, or
                    // nobody wants to know
  size_t *value_offsets;      // (values,)
  size_t *value_bytes;        // (values,): 0 for views
  size_t *value_lasts;        // (values,): the last step at which their memory is in use
  size_t *workspace_offsets;  // (nodes,)
  size_t *workspace_bytes;    // (nodes,)
  uint32_t *inputs;           // (input_count,): values that a caller writes
  size_t input_count;
  size_t node_input_count;  // of all nodes together
  fov_memory memory;
};

// What a caller may ask for: fov_model.c.
FOV_INTERNAL fov_status fov_model_check_options(const fov_model_options *options,
                                                fov_diagnostic *diagnostic);

// Those of options.instruction_set, or why there are none.
FOV_INTERNAL fov_status fov_model_find_kernels(fov_model *model, fov_diagnostic *diagnostic);

// Everything that follows from a graph whose nodes are the ones that run: ports, plan, memory.
FOV_INTERNAL fov_status fov_model_freeze(fov_model *model, fov_diagnostic *diagnostic);

// Fills in offsets and arena bytes: fov_model_plan.c.
FOV_INTERNAL fov_status fov_model_plan(fov_model *model, fov_diagnostic *diagnostic);

// Bytes of a session, its arena included: fov_session.c.
FOV_INTERNAL fov_status fov_session_bytes(const fov_model *model, size_t *out_bytes);

#endif

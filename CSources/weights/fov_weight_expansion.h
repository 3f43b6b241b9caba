// Fovea - coded weights become floats shortly before they are multiplied.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_EXPANSION_H
#define FOV_WEIGHT_EXPANSION_H

#include "fovea/core/fov_pool.h"
#include "weights/fov_packed_weights.h"

// Kernels read floats. Coded weights are a quarter of the bytes, so that a run reads less memory.
// Each panel is expanded to floats just before it is used, while it stays in the caches. There are
// two ways, which depend on how the work is shared between threads:
//
//   of a slot   a unit of work has panels of its own, and expands them into its slot's memory
//   shared      several units use the same panels: all panels of a group are expanded first
typedef struct fov_weight_expansion {
  bool is_needed;  // the weights are coded; if not, the rest is 0
  bool is_shared;
  size_t slot_bytes;  // 0 when shared
  size_t bytes;       // of everything
} fov_weight_expansion;

// panels_each: of a unit, 0 when units share them. false when sizes overflow.
FOV_INTERNAL bool fov_weight_expansion_plan(const fov_packed_weights *weights, size_t panels_each,
                                            size_t slots, fov_weight_expansion *out_expansion);

// Expands all panels of a group when they are shared. `memory` holds expansion->bytes.
FOV_INTERNAL void fov_weight_expansion_begin(const fov_weight_expansion *expansion,
                                             const fov_packed_weights *weights, size_t group,
                                             fov_pool *pool, uint8_t *memory);

// Expands panels [panels[0], panels[1]) of a group for a slot, unless they are shared.
FOV_INTERNAL void fov_weight_expansion_take(const fov_weight_expansion *expansion,
                                            const fov_packed_weights *weights, size_t group,
                                            const size_t panels[2], size_t slot, uint8_t *memory);

// Where panel 0 of a group would lie, when a slot took the panels from first_panel on.
FOV_INTERNAL const float *fov_weight_expansion_floats(const fov_weight_expansion *expansion,
                                                      const fov_packed_weights *weights,
                                                      size_t group, size_t first_panel, size_t slot,
                                                      const uint8_t *memory);

#endif

// Fovea - weights that stay codes become floats shortly before they are multiplied.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PACKED_EXPANSION_H
#define FOV_PACKED_EXPANSION_H

#include "fovea/fov_pool.h"
#include "packed/fov_packed_convolution.h"

// Kernels read floats. Where they come from memory as codes, a quarter of the bytes do, and what is
// expanded stays in the caches until it is multiplied. Two ways, by how the work is shared:
//
//   of a lane   a unit of work has its panels to itself: it expands them into its lane's memory
//   shared      several units multiply by the same panels: all of a group are expanded before
typedef struct fov_packed_expansion {
  bool is_needed;        // the convolution is coded; if not, the rest is 0
  bool is_shared;
  size_t lane_bytes;     // 0 when shared
  size_t bytes;          // of everything
} fov_packed_expansion;

// panels_each: of a unit, 0 when units share them. false when sizes overflow.
FOV_INTERNAL bool fov_packed_expansion_plan(const fov_packed_convolution *packed,
                                            size_t panels_each, size_t lanes,
                                            fov_packed_expansion *out_expansion);

// Expands all panels of a group when they are shared. `memory` holds expansion->bytes.
FOV_INTERNAL void fov_packed_expansion_begin(const fov_packed_expansion *expansion,
                                             const fov_packed_convolution *packed, size_t group,
                                             fov_pool *pool, uint8_t *memory);

// Expands panels [panels[0], panels[1]) of a group for a lane, unless they are shared.
FOV_INTERNAL void fov_packed_expansion_take(const fov_packed_expansion *expansion,
                                            const fov_packed_convolution *packed, size_t group,
                                            const size_t panels[2], size_t lane, uint8_t *memory);

// Where panel 0 of a group would lie, when those from first_panel on were taken by a lane.
FOV_INTERNAL const float *fov_packed_expansion_weights(const fov_packed_expansion *expansion,
                                                       const fov_packed_convolution *packed,
                                                       size_t group, size_t first_panel,
                                                       size_t lane, const uint8_t *memory);

#endif

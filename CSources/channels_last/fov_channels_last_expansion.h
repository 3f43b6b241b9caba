// Fovea - weights that stay codes become floats shortly before they are multiplied.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_EXPANSION_H
#define FOV_CHANNELS_LAST_EXPANSION_H

#include "fovea/fov_pool.h"
#include "channels_last/fov_channels_last_convolution.h"

// Kernels read floats. Where they come from memory as codes, a quarter of the bytes do, and what is
// expanded stays in the caches until it is multiplied. Two ways, by how the work is shared:
//
//   of a slot   a unit of work has its panels to itself: it expands them into its slot's memory
//   shared      several units multiply by the same panels: all of a group are expanded before
typedef struct fov_channels_last_expansion {
  bool is_needed;        // the convolution is coded; if not, the rest is 0
  bool is_shared;
  size_t lane_bytes;     // 0 when shared
  size_t bytes;          // of everything
} fov_channels_last_expansion;

// panels_each: of a unit, 0 when units share them. false when sizes overflow.
FOV_INTERNAL bool fov_channels_last_expansion_plan(const fov_channels_last_convolution *layer,
                                            size_t panels_each, size_t slots,
                                            fov_channels_last_expansion *out_expansion);

// Expands all panels of a group when they are shared. `memory` holds expansion->bytes.
FOV_INTERNAL void fov_channels_last_expansion_begin(const fov_channels_last_expansion *expansion,
                                             const fov_channels_last_convolution *layer, size_t group,
                                             fov_pool *pool, uint8_t *memory);

// Expands panels [panels[0], panels[1]) of a group for a slot, unless they are shared.
FOV_INTERNAL void fov_channels_last_expansion_take(const fov_channels_last_expansion *expansion,
                                            const fov_channels_last_convolution *layer, size_t group,
                                            const size_t panels[2], size_t slot, uint8_t *memory);

// Where panel 0 of a group would lie, when those from first_panel on were taken by a slot.
FOV_INTERNAL const float *fov_channels_last_expansion_weights(const fov_channels_last_expansion *expansion,
                                                       const fov_channels_last_convolution *layer,
                                                       size_t group, size_t first_panel,
                                                       size_t slot, const uint8_t *memory);

#endif

// Fovea - weights of float convolutions in the order in which kernels read them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_PACKING_H
#define FOV_FLOAT_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// From rows of taps, one row per output channel as Core ML stores them,
//
//   row of channel o     [input channel of the group][kernel row][kernel column]
//
// to panels of FOV_PANEL channels side by side (see fov_float_kernels.h):
//
//   panel of o / 16      [block][kernel row][kernel column][channel of the block][o % 16]
//
// All instruction sets read this order. Rows may be added in any order and from several threads at
// a time. The last row also clears the missing channels of its panel.
typedef struct fov_float_packing {
  size_t output_channels;
  size_t input_channels;  // of one group
  size_t kernel[2];
  size_t block;  // channels of a block
  size_t panels;
  size_t panel_floats;  // from one panel to the next
  size_t bytes;         // of all panels, to be aligned to FOV_ALIGNMENT
} fov_float_packing;

// Sizes of a convolution's weights, with the block that makes kernels fastest. false when they
// overflow or one of the numbers is 0.
FOV_INTERNAL bool fov_float_packing_plan(size_t output_channels, size_t input_channels,
                                         const size_t kernel[2], fov_float_packing *out_packing);

// The same for a depthwise convolution: input_channels and block are 1.
FOV_INTERNAL bool fov_float_packing_plan_depthwise(size_t channels, const size_t kernel[2],
                                                   fov_float_packing *out_packing);

// Packs the taps of one output channel.
FOV_INTERNAL void fov_float_packing_add(const fov_float_packing *packing, size_t output_channel,
                                        const float *taps, float *weights);

// The same for weights that stay codes (fov_coded_weights.h), one byte each.
FOV_INTERNAL void fov_float_packing_add_codes(const fov_float_packing *packing,
                                              size_t output_channel, const uint8_t *taps,
                                              uint8_t *codes);

#endif

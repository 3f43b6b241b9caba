// Fovea - from rows of 8-bit weights to the panels that integer kernels read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_PACKING_H
#define FOV_INT8_PACKING_H

#include "kernels/fov_int8_kernels.h"

// One group of a convolution. fov_int8_kernels.h draws the layouts.
typedef struct fov_int8_shape {
  size_t output_channels;
  size_t input_channels;  // of a row of weights; depthwise: 1
  size_t kernel[2];
  size_t block;           // input channels of a block: a multiple of FOV_GROUP; depthwise: unused
  bool depthwise;
} fov_int8_shape;

// What the caller provides for all panels of one convolution.
//
// Weights are filled row by row into zeroed memory at a multiple of 64:
//
//   fov_int8_packed_bytes(&shape, &panel_bytes, &bytes)       weights = fov_allocate(bytes), ...
//   for c in output channels: fov_int8_pack_row(&shape, c, row, &packed)
//   fov_int8_pack_pairs_fit(&shape, &packed)
typedef struct fov_int8_packed {
  int8_t *weights;
  int32_t *weight_sums;  // (panels * FOV_PANEL,)
  uint8_t *pairs_fit;    // (panels,)
} fov_int8_packed;

FOV_INTERNAL size_t fov_int8_panels(size_t output_channels);

// Input channels rounded up to whole groups: what a dense kernel reads of a pixel.
FOV_INTERNAL size_t fov_int8_padded_channels(size_t input_channels);

// Bytes of a panel and of all panels, multiples of 64; false when they overflow.
FOV_INTERNAL bool fov_int8_packed_bytes(const fov_int8_shape *shape, size_t *out_panel_bytes,
                                        size_t *out_bytes);

// Puts the weights of one output channel, [input channel][kernel row][kernel column] (depthwise:
// [kernel row][kernel column]), into its places, and their sum into weight_sums. Sums must fit.
FOV_INTERNAL void fov_int8_pack_row(const fov_int8_shape *shape, size_t output_channel,
                                    const int8_t *row, const fov_int8_packed *packed);

// Fills pairs_fit once all rows are in place.
FOV_INTERNAL void fov_int8_pack_pairs_fit(const fov_int8_shape *shape,
                                          const fov_int8_packed *packed);

// Sums and flags of panels whose weights lie where they belong already: bytes that a file gives, so
// that every one of them counts, those of missing channels too.
FOV_INTERNAL void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                                      int32_t *out_weight_sums, uint8_t *out_pairs_fit);

// Whether 255 * (w + w') stays within int16 for all pairs (packed[2i], packed[2i + 1]), where
// weights of opposite sign do not help one another (their activations may be 0): positive parts
// sum to at most 128, negative ones to at least -128. Then an instruction that multiplies
// u8 by s8 and adds pairs with saturation is exact.
FOV_INTERNAL bool fov_int8_pairs_fit(const int8_t *packed, size_t count);

#endif

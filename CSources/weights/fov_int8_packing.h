// Fovea - from rows of 8-bit weights to the panels that integer kernels read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_PACKING_H
#define FOV_INT8_PACKING_H

#include <stdbool.h>

#include "kernels/fov_int8_kernels.h"

// One group of a convolution. fov_int8_kernels.h draws the layouts.
typedef struct fov_int8_shape {
  size_t output_channels;
  size_t input_channels;  // of a row of weights; depthwise: 1
  size_t kernel[2];
  size_t block;           // input channels of a block: a multiple of FOV_GROUP; depthwise: unused
  bool depthwise;
} fov_int8_shape;

FOV_INTERNAL size_t fov_int8_panels(size_t output_channels);

// Input channels rounded up to whole groups: what a dense kernel reads of a pixel.
FOV_INTERNAL size_t fov_int8_padded_channels(size_t input_channels);

// Bytes of a panel and of all panels, multiples of 64; false when they overflow.
FOV_INTERNAL bool fov_int8_packed_bytes(const fov_int8_shape *shape, size_t *out_panel_bytes,
                                        size_t *out_bytes);

// Puts the weights of one output channel, [input channel][kernel row][kernel column] (depthwise:
// [kernel row][kernel column]), into their places in panels of zeros that begin at a multiple of 64.
FOV_INTERNAL void fov_int8_pack_row(const fov_int8_shape *shape, size_t output_channel,
                                    const int8_t *row, int8_t *weights);

// What kernels want to know of packed weights.
typedef struct fov_int8_sums {
  int32_t *weight_sums;  // (panels * FOV_PANEL,): of all weights of a channel
  // (panels,): 1 when 255 * (w + w') stays within int16 for all pairs (weights[2i], weights[2i + 1]).
  // Weights of opposite sign do not help one another (their activations may be 0): positive parts sum
  // to at most 128, negative ones to at least -128. Then an instruction that multiplies u8 by s8 and
  // adds pairs with saturation is exact.
  uint8_t *pairs_fit;
  bool are_small;        // |sum| < FOV_INT8_SMALL_SUM in every channel, whatever the activations
} fov_int8_sums;

// Codes times weights of one sign: the largest sum that Winograd's transforms give back.
#define FOV_INT8_SMALL_SUM ((int64_t)1 << 25)

// Fills `sums` from panels whose weights are in place. Every byte counts, those of missing channels
// too: a file may have given them.
FOV_INTERNAL void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                                      fov_int8_sums *sums);

// One panel's weights, each times the zero point of the input channel that it meets, summed for every output
// channel. zero_points: (shape->input_channels,). Not for depthwise panels; exact where sums of codes are.
FOV_INTERNAL void fov_int8_weigh_panel(const fov_int8_shape *shape, const int8_t *panel,
                                       const int32_t weight_sums[FOV_PANEL],
                                       const uint8_t *zero_points, int32_t out_sums[FOV_PANEL]);

#endif

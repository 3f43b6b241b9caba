// Fovea - from rows of 8-bit weights to the panels that integer kernels read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_PACKING_H
#define FOV_INT8_PACKING_H

#include <stdbool.h>

#include "kernels/int8/fov_int8_kernels.h"

// One group of a convolution. fov_int8_kernels.h draws the layouts.
typedef struct fov_int8_shape {
  size_t output_channels;
  size_t input_channels;  // of a row of weights; depthwise: 1
  size_t kernel[2];
  size_t block;  // input channels of a block: a multiple of FOV_GROUP; depthwise: unused
  bool depthwise;
} fov_int8_shape;

FOV_INTERNAL size_t fov_int8_panels(size_t output_channels);

// Input channels rounded up to whole groups: what a dense kernel reads of a pixel.
FOV_INTERNAL size_t fov_int8_padded_channels(size_t input_channels);

// Bytes of a panel and of all panels, multiples of 64; false when they overflow.
FOV_INTERNAL bool fov_int8_packed_bytes(const fov_int8_shape *shape, size_t *out_panel_bytes,
                                        size_t *out_bytes);

// Packs the weights of one output channel, [input channel][kernel row][kernel column] (depthwise:
// [kernel row][kernel column]). `weights` are all panels. They were zeros and begin at a multiple
// of 64.
FOV_INTERNAL void fov_int8_pack_row(const fov_int8_shape *shape, size_t output_channel,
                                    const int8_t *row, int8_t *weights);

// What kernels need to know of packed weights.
typedef struct fov_int8_sums {
  int32_t *weight_sums;  // (panels * FOV_PANEL,): of all weights of a channel
  // (panels,): 1 when the products of all pairs (weights[2i], weights[2i + 1]) with activations fit
  // into int16 together. An activation may be 0, so that weights of opposite signs need not cancel.
  // The positive weights of a pair sum to at most 128, the negative ones to at least -128. An
  // instruction that multiplies u8 by s8 and adds pairs with saturation is then exact.
  uint8_t *pairs_fit;
  bool are_small;  // |sum| < FOV_INT8_SMALL_SUM in every channel, for all activations
} fov_int8_sums;

// The sums of codes times weights of one sign that Winograd's transforms compute exactly are below.
#define FOV_INT8_SMALL_SUM ((int64_t)1 << 25)

// Computes the sums of packed panels. The bytes of missing channels count too, since a file may
// hold any values there.
FOV_INTERNAL void fov_int8_sum_panels(const int8_t *weights, size_t panels, size_t panel_bytes,
                                      fov_int8_sums *sums);

// For every output channel of a panel, the sum of weights times the zero points of their input
// channels. zero_points: (shape->input_channels,). Not for depthwise panels. Exact where sums of
// codes are.
FOV_INTERNAL void fov_int8_weigh_panel(const fov_int8_shape *shape, const int8_t *panel,
                                       const int32_t weight_sums[FOV_PANEL],
                                       const uint8_t *zero_points, int32_t out_sums[FOV_PANEL]);

#endif

// Fovea - the weights of a convolution in the order in which its kernels read them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PACKED_WEIGHTS_H
#define FOV_PACKED_WEIGHTS_H

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_model.h"
#include "fovea/core/fov_operations.h"
#include "kernels/int8/fov_int8_kernels.h"
#include "weights/fov_coded_weights.h"
#include "weights/fov_int8_packing.h"
#include "weights/fov_weight_store.h"

// The path of a weight, from a file to a kernel. Each step is one header of this folder:
//
//   bytes of a file          floats, halves, or codes of 1 to 8 bits with tables or with scales
//        |
//   fov_weight_store         a copy in the encoding of the file; folding multiplies whole rows
//        |                   (fov_weight_parts: which table or scale each weight has)
//        |
//        |  fov_weight_decode       one row at a time: codes and halves become floats
//        |
//        +--> float            float32 backend: the floats as they are
//        +--> coded            float32 backend, on request: the codes as they are
//        +--> int8, int16      int8 backend: fov_weight_quantizer, with fov_weight_rounding,
//        |                     or the integers of the file: fov_weight_integers
//        |
//        |  fov_float_packing, fov_int8_packing      a row is put in its places
//        |
//   fov_packed_weights       panels, made once; a compiled file holds them, and maps them
//        |
//        |  fov_weight_expansion    coded only, in every run: a few panels become floats
//        |
//   kernels
//
// A store holds one row for each output channel. Kernels compute FOV_PANEL output channels at once.
// They want the weights of these channels side by side: a panel. Within a panel, weights lie in the
// order in which the kernel loops over its window:
//
//                row in the store                              panel of 16 channels
//            +------------------------+        block 0             block 1
//   channel 0| i0: k00 k01 k10 k11    |       +-------------------+-------------------+
//            | i1: k00 k01 k10 k11 .. |       | k00  | k01  | ..  | k00  | k01  | ..  |
//   channel 1| i0: k00 k01 k10 k11    |       +-------------------+-------------------+
//            | ..                     |         |
//            +------------------------+         +-- every input channel i of the block:
//                                               |
//     float   one input at a time               |   i0: w(0) w(1) ... w(15)    16 floats
//     coded   the same, one byte a weight       |   i0: c(0) c(1) ... c(15)    16 bytes
//     int8    FOV_GROUP inputs at a time        |   i0 i1 i2 i3 of channel 0, of channel 1, ...
//     int16   two inputs at a time              |   i0    i1    of channel 0, of channel 1, ...
//
// A block bounds the number of input channels, so that the pixels of one tile stay in the first
// cache until all of the window's positions are done. Depthwise convolutions have one input for
// each output channel, and no blocks. In place of inputs, an int8 group takes FOV_GROUP rows of the
// window. fov_int8_kernels.h, fov_int16_kernels.h and fov_float_kernels.h name the exact orders.
//
// Every group of a convolution begins with a new panel. A depthwise convolution is packed as one
// group. What a panel lacks, output channels or inputs, is filled with zeros. Arrays with one
// number for each output channel are padded in the same way: (groups * panels * FOV_PANEL,),
// "channels".
typedef struct fov_packed_weights {
  // How they are stored: set by the caller.
  bool integer;  // int8, for activations of 8 bits; else float
  bool int16;    // integer, and both weights and activations have 16 bits
  bool coded;    // float, and each weight is a code of the file, one byte

  // Whose they are. A depthwise convolution is one group whose outputs have one input each.
  bool depthwise;
  size_t groups, group_inputs, group_outputs;
  size_t kernel[2];

  // Sizes.
  size_t block;          // input channels of a block; integer: bytes of a pixel
  size_t panels;         // of one group
  size_t panel_weights;  // from one panel to the next; integer: bytes
  size_t panel_bytes;
  size_t bytes;  // of all panels of all groups

  // Memory: in `owned`, or in a mapped file.
  const void *panel_data;    // at a multiple of 64
  const float *bias;         // (channels,)
  const float *scale;        // integer: (channels,): real = code * scale[c]
  const int32_t *sums;       // integer: (channels,): of a channel's codes
  const uint8_t *pairs_fit;  // integer: (groups * panels,), see fov_int8_sums
  bool sums_are_small;       // integer: see fov_int8_sums
  fov_coded_weights coding;  // coded; its codes are panel_data
  void *owned;
} fov_packed_weights;

// Whether each output channel has one input channel to itself, and there is more than one.
FOV_INTERNAL bool fov_weights_are_depthwise(const fov_convolution *convolution,
                                            size_t input_channels);

// Whether `store` holds codes that take so much less memory than floats that they are worth
// keeping.
FOV_INTERNAL bool fov_weights_pay_as_codes(const fov_weight_store *store);

// Sets whose the weights are, and all sizes. false when sizes overflow.
FOV_INTERNAL bool fov_packed_weights_plan(const fov_convolution *convolution, size_t input_channels,
                                          fov_packed_weights *weights);

// What is packed.
typedef struct fov_weight_source {
  const fov_weight_store *store;      // one row for each output channel
  const float *bias;                  // (output channels,)
  const fov_channel_summary *inputs;  // integer: (input channels,), for rounding weights, or NULL
  bool as_stored;                     // int8: integers of the file stay as they are
} fov_weight_source;

// Plans, decodes, quantizes and packs. Copies. overflow, out_of_memory: nothing is owned.
FOV_INTERNAL fov_status fov_packed_weights_create(const fov_convolution *convolution,
                                                  size_t input_channels,
                                                  const fov_weight_source *source,
                                                  fov_packed_weights *weights);

// Frees what is owned.
FOV_INTERNAL void fov_packed_weights_release(fov_packed_weights *weights);

// The blocks in a compiled file, after planning: panels, bias, scales, tables.
FOV_INTERNAL void fov_packed_weights_archive(fov_archive *archive, fov_packed_weights *weights);

// Computes what a compiled file does not hold: sums and pairs_fit. Allocates.
FOV_INTERNAL fov_status fov_packed_weights_restore(fov_packed_weights *weights);

// Elements of an array with one number for each output channel, padded to whole panels.
static inline size_t fov_packed_channels(const fov_packed_weights *weights) {
  return weights->groups * weights->panels * FOV_PANEL;
}

// Places of a panel, each with one weight of every channel; weights that are not integers.
static inline size_t fov_packed_positions(const fov_packed_weights *weights) {
  return weights->panel_weights / FOV_PANEL;
}

// Bytes of an activation that integer kernels multiply.
static inline size_t fov_packed_code_bytes(const fov_packed_weights *weights) {
  return weights->int16 ? sizeof(int16_t) : 1;
}

// How the weights of one group lie, if they are integer. A channel of 16 bits counts as two of 8.
FOV_INTERNAL fov_int8_shape fov_packed_int8_shape(const fov_packed_weights *weights);

// Bytes in memory, or in the mapped file.
FOV_INTERNAL size_t fov_packed_weights_bytes(const fov_packed_weights *weights);

#endif

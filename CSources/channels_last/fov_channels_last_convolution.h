// Fovea - convolution on channels-last images with packed weights.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_CONVOLUTION_H
#define FOV_CHANNELS_LAST_CONVOLUTION_H

#include "fovea/fov_model.h"
#include "kernels/fov_coded_weights.h"
#include "kernels/fov_int8_packing.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_convolution.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// What follows the sum of products on its way to memory. In order:
//
//   y = x + bias;  y = max(y, slope * y);  y = y + residual;  y = clamp(y);  code = table[code]
//
// The residual is input 1 of the operation, of the output's shape and type.
typedef struct fov_fused_activation {
  float slope;           // 0 ... 1; 1: none
  float lowest, highest; // -INFINITY, INFINITY: none
  bool has_residual;
  bool has_table;        // uint8 result only
} fov_fused_activation;

// Weights are packed for every group on its own: a group begins with a new panel.
typedef struct fov_channels_last_convolution {
  fov_convolution convolution;
  size_t input_channels;
  bool depthwise;        // one input and one output channel a group
  bool integer;          // int8 weights, uint8 input; or
  bool int16;            // ... both int16: integer, dense, without pooling, not measured
  bool coded;            // float, not depthwise: weights are the codes of the file, one byte each
  bool pools;            // maxima over 2x2 windows at a stride of 2
  bool measured;         // integer: the input's quantization is that of the frame
  fov_fused_activation finish;
  fov_quantization before_table;  // with finish.has_table
  size_t block;          // input channels of a block of weights
  size_t panels;         // of one group; of all channels when depthwise
  size_t panel_weights;
  size_t panel_bytes;
  size_t weights_size;   // bytes of all panels of all groups
  const void *weights;   // lie in `owned`, or in a mapped file
  const float *bias;     // (groups * panels * FOV_PANEL,), as are the next three
  const float *weight_scale;   // integer: real = code * weight_scale[c]
  const int32_t *weight_sums;  // integer
  const uint8_t *pairs_fit;    // integer: (groups * panels,)
  bool sums_are_small;         // integer: see fov_int8_packing.h
  const uint8_t *table;        // (256,) with has_table
  fov_coded_weights coding;    // coded; its codes are `weights`
  void *owned;           // of a compiled file: weight_sums and pairs_fit, which it does not hold
  float *epilogue;       // integer, not measured: four arrays, see fov_channels_last_epilogue; owned
} fov_channels_last_convolution;

// Channels that arrays of `layer` are padded to.
FOV_INTERNAL size_t fov_channels_last_channels(const fov_channels_last_convolution *layer);

// Input channels of a group, and output channels of what is packed as one: a depthwise convolution is.
static inline size_t fov_channels_last_group_inputs(const fov_channels_last_convolution *layer) {
  return layer->input_channels / layer->convolution.groups;
}

// Bytes of a channel that integer kernels read.
static inline size_t fov_channels_last_code_bytes(const fov_channels_last_convolution *layer) {
  return layer->int16 ? sizeof(int16_t) : 1;
}

static inline size_t fov_channels_last_group_outputs(const fov_channels_last_convolution *layer) {
  const size_t groups = layer->depthwise ? 1 : layer->convolution.groups;
  return layer->convolution.output_channels / groups;
}

// How a graph wants a channels-last convolution.
typedef struct fov_channels_last_request {
  bool integer, int16, measured;
  bool keeps_codes;      // weights that are many, and codes in the file, stay so unless integer
  bool pools;
  fov_fused_activation finish;
  const uint8_t *table;  // (256,) with finish.has_table; copied
  fov_quantization before_table;  // what the codes that the table reads mean
  const fov_channel_summary *inputs;  // integer: (input channels,), for rounding weights, or NULL
} fov_channels_last_request;

// Looks the weights up, quantizes them when `request` says integer, and packs them. Copies.
// unsupported: int32 sums could overflow, so that the layer has to stay in float.
FOV_INTERNAL fov_status fov_channels_last_convolution_create(
    const fov_convolution_parameters *source, const fov_channels_last_request *request,
    fov_channels_last_convolution **out_layer, fov_diagnostic *diagnostic);

// What the codes around an integer convolution mean. output NULL: the result is float; residual NULL:
// there is none.
typedef struct fov_channels_last_codes {
  fov_quantization input;
  const fov_quantization *output, *residual;
  bool to_int16;  // the result is 16-bit integers, not bytes
} fov_channels_last_codes;

// The scales and offsets of a result in codes, 16-bit integers or floats (integer, not measured). Allocates.
// unsupported: results could leave the range in which rounding is defined.
FOV_INTERNAL fov_status fov_channels_last_convolution_prepare(fov_channels_last_convolution *layer,
                                                       fov_channels_last_codes codes,
                                                       fov_diagnostic *diagnostic);

// Writes scale, bias, negative scale and negative bias of every padded channel, one array after
// another: 4 * fov_channels_last_channels floats.
FOV_INTERNAL void fov_channels_last_epilogue(const fov_channels_last_convolution *layer, fov_channels_last_codes codes,
                                      float *out_arrays);

// How the weights of a group of an integer convolution lie. Channels are bytes: a 16-bit integer is two of them.
FOV_INTERNAL fov_int8_shape fov_channels_last_int8_shape(const fov_channels_last_convolution *layer);

// Sizes of the packed weights, from everything above `block`. false when they overflow.
FOV_INTERNAL bool fov_channels_last_convolution_plan(fov_channels_last_convolution *layer);

// What follows from integer weights.
FOV_INTERNAL void fov_channels_last_sum_weights(fov_channels_last_convolution *layer, int32_t *weight_sums,
                                         uint8_t *pairs_fit);

// In a compiled file, whose blocks hold weights, bias, scales and tables: see fov_operation.h for what
// the three do.
FOV_INTERNAL void fov_channels_last_convolution_archive(fov_archive *archive, void *parameters);
FOV_INTERNAL fov_status fov_channels_last_convolution_check(const void *parameters,
                                                     const fov_tensor *inputs, size_t input_count,
                                                     const fov_tensor *output,
                                                     fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_channels_last_convolution_restore(void *parameters, const fov_tensor *inputs,
                                                       const fov_tensor *output,
                                                       fov_diagnostic *diagnostic);

FOV_INTERNAL extern const fov_operation fov_operation_channels_last_convolution;

#endif

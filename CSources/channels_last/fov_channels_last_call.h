// Fovea - the arguments of kernels, from a channels-last convolution and its memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_CALL_H
#define FOV_CHANNELS_LAST_CALL_H

#include "channels_last/fov_channels_last_convolution.h"

// The memory of one image.
typedef struct fov_channels_last_planes {
  fov_plane input, output, residual;
} fov_channels_last_planes;

// One group of a convolution of one image, or all of them when depthwise.
typedef struct fov_channels_last_place {
  const fov_run *run;
  const fov_channels_last_convolution *layer;
  fov_channels_last_planes at;
  size_t group;
  const float *epilogue;  // integer: see fov_channels_last_epilogue
  fov_planes result;
  bool to_floats;  // the output is floats, of which a curve makes the codes of the result
} fov_channels_last_place;

// Bytes of an element of the output.
static inline size_t fov_channels_last_element(const fov_channels_last_place *place) {
  return place->to_floats ? sizeof(float) : fov_data_type_bytes(place->run->output.type);
}

// The arguments of a kernel for a dense convolution.
typedef union fov_channels_last_call {
  fov_int8_convolution int8;
  fov_float_convolution float32;
} fov_channels_last_call;

FOV_INTERNAL fov_int8_convolution fov_channels_last_int8_call(const fov_channels_last_place *place);

// weights: those of the group.
FOV_INTERNAL fov_float_convolution
fov_channels_last_float_call(const fov_channels_last_place *place, const float *weights);

FOV_INTERNAL fov_int8_depthwise
fov_channels_last_int8_depthwise_call(const fov_channels_last_place *place);
FOV_INTERNAL fov_float_depthwise
fov_channels_last_float_depthwise_call(const fov_channels_last_place *place);

// Whether the layer has a curve or a table, which are computed after the kernel.
static inline bool fov_channels_last_has_finish(const fov_channels_last_convolution *layer) {
  return layer->activation.curve != fov_float_curve_none || layer->activation.has_table;
}

// Rows, columns and panels of one group, or of a depthwise layer.
typedef struct fov_channels_last_block {
  const size_t *rows, *columns, *panels;  // two each: from, to
} fov_channels_last_block;

// The floats of a block in a layer that makes codes by a curve. Pixels lie one after another.
FOV_INTERNAL bool fov_channels_last_values_bytes(size_t pixels, size_t panels, size_t *out_bytes);

// Lets kernels write the sums of the block to `values` where the layer needs them there.
FOV_INTERNAL void fov_channels_last_redirect(fov_channels_last_place *place,
                                             const fov_channels_last_block *block, float *values);

// Computes the curve of the layer, if it has one, on the sums of the block, and adds the residual;
// or looks up their codes, if it has a table. values: as for redirect.
FOV_INTERNAL void fov_channels_last_finish(const fov_channels_last_place *place,
                                           const fov_channels_last_block *block, float *values);

#endif

// Fovea - from a packed convolution and its memory to what kernels take.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PACKED_CALL_H
#define FOV_PACKED_CALL_H

#include "packed/fov_packed_convolution.h"

// The memory of one picture.
typedef struct fov_packed_planes {
  fov_plane input, output, residual;
} fov_packed_planes;

// One group of a convolution of one picture, or all of them when depthwise.
typedef struct fov_packed_place {
  const fov_run *run;
  const fov_packed_convolution *packed;
  fov_packed_planes at;
  size_t group;
  const float *epilogue;  // integer: see fov_packed_epilogue
  fov_planes result;
} fov_packed_place;

// What kernels take for a dense convolution.
typedef union fov_packed_call {
  fov_int8_convolution int8;
  fov_float_convolution float32;
} fov_packed_call;

FOV_INTERNAL fov_int8_convolution fov_packed_int8_call(const fov_packed_place *place);

// weights: those of the group.
FOV_INTERNAL fov_float_convolution fov_packed_float_call(const fov_packed_place *place,
                                                         const float *weights);

FOV_INTERNAL fov_int8_depthwise fov_packed_int8_depthwise_call(const fov_packed_place *place);
FOV_INTERNAL fov_float_depthwise fov_packed_float_depthwise_call(const fov_packed_place *place);

#endif

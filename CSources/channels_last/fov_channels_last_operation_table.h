// Fovea - the operations on channels-last images there are.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_OPERATION_TABLE_H
#define FOV_CHANNELS_LAST_OPERATION_TABLE_H

#include "ops/fov_operation.h"

// Parameters in brackets. Every one reads and writes channels-last arrays of float32 or uint8, except
// the two ends of conversions; inputs of a kind have the result's type and, as codes, say so in
// their formats. All fill the border of their result.
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_convolution;  // its header
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pixels;       // fov_channels_last_pixels.h
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pooling;      // fov_pooling
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_unary;        // fov_unary
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_add;          // fov_channels_last_add.h
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_concat;       // nothing
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_resize;       // fov_resize, nearest

// Between arrangements and types, parameters none:
FOV_INTERNAL extern const fov_operation fov_operation_pack;        // planar float32 -> any
FOV_INTERNAL extern const fov_operation fov_operation_unpack;      // any -> planar float32
FOV_INTERNAL extern const fov_operation fov_operation_quantize;    // float32 -> uint8
FOV_INTERNAL extern const fov_operation fov_operation_dequantize;  // uint8 -> float32

#endif

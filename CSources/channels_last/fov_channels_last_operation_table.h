// Fovea - all operations on channels-last images.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_OPERATION_TABLE_H
#define FOV_CHANNELS_LAST_OPERATION_TABLE_H

#include "ops/fov_operation.h"

// Each with its parameters. All read and write channels-last arrays of float32 or uint8, except for
// conversions. All fill the border of their result.
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_convolution;  // its header
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pixels;       // fov_channels_last_pixels.h
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pooling;      // fov_pooling
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_unary;        // fov_unary
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_add;          // fov_channels_last_add.h
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_concat;       // nothing
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_resize;       // fov_resize, nearest

// Conversions of arrangement and type, without parameters:
FOV_INTERNAL extern const fov_operation fov_operation_pack;        // planar float32 -> any
FOV_INTERNAL extern const fov_operation fov_operation_unpack;      // any -> planar float32
FOV_INTERNAL extern const fov_operation fov_operation_quantize;    // float32 -> uint8
FOV_INTERNAL extern const fov_operation fov_operation_dequantize;  // uint8 -> float32

#endif

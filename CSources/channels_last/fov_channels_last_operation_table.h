// Fovea - all operations on channels-last images.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_OPERATION_TABLE_H
#define FOV_CHANNELS_LAST_OPERATION_TABLE_H

#include "ops/fov_operation.h"

// All read and write channels-last arrays of float32 or uint8, except for conversions. All fill the
// border of their result. Parameters:
//
//   convolution   fov_channels_last_convolution.h
//   transposed    fov_channels_last_transposed.h
//   pixels        fov_channels_last_pixels.h
//   pooling       fov_pooling
//   unary         fov_unary
//   add           fov_channels_last_add.h
//   concat        none
//   resize        fov_resize
//   multiply      none
//   padding       fov_padding of rows and columns with zeros
//   slice         fov_slice of channels; the result is a view of the input
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_convolution;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_transposed;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pixels;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_pooling;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_unary;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_add;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_concat;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_resize;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_slice;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_multiply;
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_padding;

// Whether the product of two images is `output`: one has its shape, the other the same or one
// pixel.
FOV_INTERNAL bool fov_channels_last_can_multiply(const fov_shape *a, const fov_shape *b,
                                                 const fov_shape *output);

// Whether an image is padded with zeros, and only in rows and columns.
FOV_INTERNAL bool fov_channels_last_can_pad(const fov_padding *padding, size_t rank);

// Conversions of arrangement and type, without parameters.
FOV_INTERNAL extern const fov_operation fov_operation_to_channels_last;  // float32 to any type
FOV_INTERNAL extern const fov_operation fov_operation_to_planes;         // any type to float32
FOV_INTERNAL extern const fov_operation fov_operation_quantize;          // float32 to uint8
FOV_INTERNAL extern const fov_operation fov_operation_dequantize;        // uint8 to float32

#endif

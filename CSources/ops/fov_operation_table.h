// Fovea - all operations on planes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OPERATION_TABLE_H
#define FOV_OPERATION_TABLE_H

#include "ops/fov_operation.h"

// Each with its parameters, or the header of these. fov_op_<name>.c holds the operation.
FOV_INTERNAL extern const fov_operation fov_operation_pixels;       // fov_pixels
FOV_INTERNAL extern const fov_operation fov_operation_convolution;  // fov_convolution_parameters.h
FOV_INTERNAL extern const fov_operation fov_operation_transposed_convolution;
FOV_INTERNAL extern const fov_operation fov_operation_pooling;         // fov_pooling
FOV_INTERNAL extern const fov_operation fov_operation_unary;           // fov_unary
FOV_INTERNAL extern const fov_operation fov_operation_channel_affine;  // fov_op_channel_affine.h
FOV_INTERNAL extern const fov_operation fov_operation_binary;          // fov_binary_function
FOV_INTERNAL extern const fov_operation fov_operation_concat;          // size_t axis
FOV_INTERNAL extern const fov_operation fov_operation_slice;           // fov_slice
FOV_INTERNAL extern const fov_operation fov_operation_reshape;         // fov_shape
FOV_INTERNAL extern const fov_operation fov_operation_transpose;       // size_t axes[FOV_MAX_RANK]
FOV_INTERNAL extern const fov_operation fov_operation_broadcast;       // fov_shape
FOV_INTERNAL extern const fov_operation fov_operation_padding;         // fov_padding
FOV_INTERNAL extern const fov_operation fov_operation_resize;          // fov_resize
FOV_INTERNAL extern const fov_operation fov_operation_reduce;          // fov_reduce
FOV_INTERNAL extern const fov_operation fov_operation_softmax;         // size_t axis
FOV_INTERNAL extern const fov_operation fov_operation_local_response_normalization;
FOV_INTERNAL extern const fov_operation fov_operation_detection_confidence;  // fov_op_detection.h
FOV_INTERNAL extern const fov_operation fov_operation_detection_coordinates;
FOV_INTERNAL extern const fov_operation fov_operation_matrix_product;       // fov_matrix_product
FOV_INTERNAL extern const fov_operation fov_operation_gather;               // fov_gather
FOV_INTERNAL extern const fov_operation fov_operation_top_k_indices;        // fov_top_k
FOV_INTERNAL extern const fov_operation fov_operation_resample;             // fov_resample
FOV_INTERNAL extern const fov_operation fov_operation_select;               // none
FOV_INTERNAL extern const fov_operation fov_operation_cumulative_sum;       // fov_cumulative_sum
FOV_INTERNAL extern const fov_operation fov_operation_suppression_indices;  // fov_box_suppression
FOV_INTERNAL extern const fov_operation fov_operation_crop_resize;          // fov_crop_resize
FOV_INTERNAL extern const fov_operation fov_operation_layer_normalization;

// The first channel of a slice that takes neighboring channels of whole images; else SIZE_MAX.
FOV_INTERNAL size_t fov_slice_first_channel(const fov_slice *slice, const fov_shape *input);

// Fields in a compiled file that channels-last operations share.
FOV_INTERNAL void fov_pixels_archive(fov_archive *archive, fov_pixels *pixels);
FOV_INTERNAL void fov_slice_archive(fov_archive *archive, void *parameters);    // fov_slice
FOV_INTERNAL void fov_binary_archive(fov_archive *archive, void *parameters);   // the function
FOV_INTERNAL void fov_padding_archive(fov_archive *archive, void *parameters);  // fov_padding
FOV_INTERNAL void fov_pooling_archive(fov_archive *archive, void *parameters);  // fov_pooling
FOV_INTERNAL void fov_resize_archive(fov_archive *archive, void *parameters);   // fov_resize

#endif

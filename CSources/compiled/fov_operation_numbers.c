// Fovea - the numbers that operations have in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include "compiled/fov_operation_numbers.h"

#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "channels_last/fov_channels_last_transpose.h"
#include "ops/fov_operation_table.h"

static const fov_operation *const operations[] = {
    [1] = &fov_operation_pixels,
    [2] = &fov_operation_convolution,
    // 3 was that of transposed convolutions whose weights lay otherwise.
    [4] = &fov_operation_pooling,
    [5] = &fov_operation_unary,
    [6] = &fov_operation_channel_affine,
    [7] = &fov_operation_binary,
    [8] = &fov_operation_concat,
    [9] = &fov_operation_slice,
    [10] = &fov_operation_reshape,
    [11] = &fov_operation_transpose,
    [12] = &fov_operation_broadcast,
    [13] = &fov_operation_padding,
    [14] = &fov_operation_resize,
    [15] = &fov_operation_reduce,
    [16] = &fov_operation_softmax,
    [17] = &fov_operation_local_response_normalization,
    [18] = &fov_operation_detection_confidence,
    [19] = &fov_operation_detection_coordinates,
    [20] = &fov_operation_matrix_product,
    [21] = &fov_operation_gather,
    [22] = &fov_operation_top_k_indices,
    [23] = &fov_operation_resample,
    [24] = &fov_operation_select,
    [25] = &fov_operation_cumulative_sum,
    [26] = &fov_operation_suppression_indices,
    [27] = &fov_operation_crop_resize,
    [28] = &fov_operation_layer_normalization,
    [29] = &fov_operation_transposed_convolution,
    [32] = &fov_operation_channels_last_convolution,
    [33] = &fov_operation_channels_last_pixels,
    [34] = &fov_operation_channels_last_pooling,
    [35] = &fov_operation_channels_last_unary,
    [36] = &fov_operation_channels_last_add,
    [37] = &fov_operation_channels_last_concat,
    [38] = &fov_operation_channels_last_resize,
    [39] = &fov_operation_to_channels_last,
    [40] = &fov_operation_to_planes,
    [41] = &fov_operation_quantize,
    [42] = &fov_operation_dequantize,
    [43] = &fov_operation_channels_last_slice,
    [44] = &fov_operation_channels_last_multiply,
    [45] = &fov_operation_channels_last_from_rows,
    [46] = &fov_operation_channels_last_to_rows,
    [47] = &fov_operation_channels_last_shuffle,
    [48] = &fov_operation_channels_last_padding,
    [49] = &fov_operation_channels_last_transposed,
};

#define COUNT (sizeof operations / sizeof operations[0])

const fov_operation *fov_operation_of_number(uint32_t number) {
  return number < COUNT ? operations[number] : NULL;
}

uint32_t fov_operation_number(const fov_operation *operation) {
  for (uint32_t number = 1; number < COUNT; number++) {
    if (operations[number] == operation) return number;
  }
  return 0;
}

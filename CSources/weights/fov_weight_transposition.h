// Fovea - weights with their input channels outermost, put in the order of a convolution's.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_TRANSPOSITION_H
#define FOV_WEIGHT_TRANSPOSITION_H

#include "weights/fov_weight_store.h"

// Files store the weights of a transposed convolution as [input channels, output channels of a
// group, kernel rows, kernel columns]. This makes them [output channels, input channels of a group,
// kernel rows, kernel columns], so that all that is done to weights of convolutions holds for them.
// For a store that was just created. Codes stay codes, except vectors, and those of groups whose
// input channels have parts. overflow, out_of_memory: the order is as it was.
FOV_INTERNAL fov_status fov_weight_store_swap_channels(fov_weight_store *store, size_t groups);

#endif

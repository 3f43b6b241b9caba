// Fovea - the sum of two channels-last images, and tables of functions of one element.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_ADD_H
#define FOV_CHANNELS_LAST_ADD_H

#include "fovea/core/fov_operations.h"
#include "tensor/fov_format.h"

// min(max(a + b, lowest), highest) of real values. Infinities are no bounds.
typedef struct fov_channels_last_add {
  float lowest, highest;
  bool rounds_first;  // codes: a sum is rounded before the zero point is added
} fov_channels_last_add;

// table[code] is the code of unary(value of code). NaN becomes zero.
FOV_INTERNAL void fov_channels_last_unary_table(const fov_unary *unary, fov_quantization input,
                                                fov_quantization output, uint8_t out_table[256]);

#endif

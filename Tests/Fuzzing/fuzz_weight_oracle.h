// Fovea - one weight after the other, straight from the words of fov_types.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_WEIGHT_ORACLE_H
#define FUZZ_WEIGHT_ORACLE_H

#include <stdbool.h>

#include "fovea/core/fov_types.h"

// The shape of weights, and the axis of their output channels.
typedef struct fuzz_weight_shape {
  size_t dims[4];
  size_t channel_axis;
} fuzz_weight_shape;

// The code that element `index` has alone or with its neighbors; encodings with codes.
uint32_t fuzz_weight_code(const fov_weights *weights, const fuzz_weight_shape *shape, size_t index);

// The weight of element `index`.
float fuzz_weight_value(const fov_weights *weights, const fuzz_weight_shape *shape, size_t index);

// The same number, or both none.
bool fuzz_floats_agree(float a, float b);

#endif

// Fovea - one weight after the other, straight from the words of fov_types.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_WEIGHT_ORACLE_H
#define FUZZ_WEIGHT_ORACLE_H

#include <stdbool.h>

#include "fovea/fov_types.h"

// The code of element `index`; encodings with codes.
uint32_t fuzz_weight_code(const fov_weights *weights, size_t index);

// The weight of element `index`, which belongs to output channel `channel`.
float fuzz_weight_value(const fov_weights *weights, size_t index, size_t channel);

// The same number, or both none.
bool fuzz_floats_agree(float a, float b);

#endif

// Fovea - functions of two elements that are rare: comparisons, logic, divisions of integers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_BINARY_RARE_H
#define FOV_BINARY_RARE_H

#include <stddef.h>

#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"

// out[i] = function(at[0][i * steps[0]], at[1][i * steps[1]]). out may be at[0], at a step of 1.
FOV_INTERNAL void fov_binary_rare_row(fov_binary_function function, const float *const *at,
                                      const size_t *steps, float *out, size_t count);

#endif

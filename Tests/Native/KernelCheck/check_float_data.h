// Fovea - random numbers, guarded memory and tolerances of the float checks.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHECK_FLOAT_DATA_H
#define FOV_CHECK_FLOAT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/float/fov_float_kernels.h"

// splitmix64
uint64_t check_random(uint64_t *state);

// lowest ... highest
size_t check_random_size(uint64_t *state, size_t lowest, size_t highest);

// One of `count` sizes.
size_t check_random_choice(uint64_t *state, const size_t *choices, size_t count);

// Numbers of one case: integers of -4 ... 4, or any between -1 and 1. Sums of products of integers
// are exact in float in any order, so that no error is allowed.
float check_random_float(uint64_t *state, bool whole);

// Exactly `count` floats, so that the address sanitizer finds reads behind them. The caller frees.
// Never NULL: ends the process when there is no memory.
float *check_floats_random(uint64_t *state, size_t count, bool whole);
float *check_floats_zero(size_t count);

// Filled with a number that no kernel computes.
float *check_floats_guarded(size_t count);
bool check_is_guard(float value);

// Slope, bounds and residual of one case. The residual's pixels lie as those of the result.
typedef struct check_epilogue {
  fov_float_epilogue epilogue;
  float *bias, *residual;
} check_epilogue;
check_epilogue check_epilogue_random(uint64_t *state, bool whole, size_t channels, size_t rows,
                                     size_t columns, bool residual_allowed);
void check_epilogue_free(check_epilogue *epilogue);

// The result of the sum of pixel (row, column).
double check_epilogue_apply(const fov_float_epilogue *epilogue, double sum, size_t row,
                            size_t column, size_t channel);

// How much a float result may differ from the double one. Each of `terms` additions changes the sum
// by at most 2^-24 of itself. No partial sum exceeds `magnitude`, the sum of all absolute products.
// Roundings are independent, so that the standard deviation of the error is below
// sqrt(terms / 3) * 2^-24 * magnitude. Allowed are 12 standard deviations, and 8 roundings for the
// epilogue. Integers: no error.
double check_tolerance(size_t terms, double magnitude, bool whole);

#endif

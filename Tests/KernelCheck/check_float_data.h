// Fovea - random numbers, guarded memory and tolerances of the float checks.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHECK_FLOAT_DATA_H
#define FOV_CHECK_FLOAT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/fov_float_kernels.h"

// splitmix64
uint64_t check_random(uint64_t *state);

// lowest ... highest
size_t check_random_size(uint64_t *state, size_t lowest, size_t highest);

// One of `count` sizes.
size_t check_random_choice(uint64_t *state, const size_t *choices, size_t count);

// Numbers of one case: whole ones of -4 ... 4, whose sums of products are exact in float whatever
// their order, so that not the least error is allowed; or any between -1 and 1.
float check_random_float(uint64_t *state, bool whole);

// Exactly so many floats, so that the address sanitizer sees what is read behind them. The caller
// frees. Never NULL: ends the process when there is no memory.
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

// What becomes of the sum of pixel (row, column).
double check_epilogue_apply(const fov_float_epilogue *epilogue, double sum, size_t row,
                            size_t column, size_t channel);

// How far a float result may lie from the double one. Each of `terms` additions rounds the sum so
// far by at most 2^-24 of itself, and no sum so far exceeds `magnitude`, the sum of all absolute
// products. Roundings are independent, so their sum grows with the root of their number: its
// standard deviation is below sqrt(terms / 3) * 2^-24 * magnitude; allowed are 12 of these, and 8
// roundings for the epilogue. Whole numbers: none.
double check_tolerance(size_t terms, double magnitude, bool whole);

#endif

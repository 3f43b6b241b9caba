// Fovea - functions of two elements that are rare: comparisons, logic, divisions of integers.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_binary_rare.h"

#include <math.h>

// One small loop for each function serves rows and single elements: they run on few elements, or
// call the mathematical library for each.
#define FOV_PAIRS(expression)            \
  do {                                   \
    for (size_t i = 0; i < count; i++) { \
      const float x = *left, y = *right; \
      out[i] = (expression);             \
      left += left_step;                 \
      right += right_step;               \
    }                                    \
    return;                              \
  } while (0)

// The rest of x by y with the sign of y: all of x where y is infinite.
static float fov_modulo(float x, float y) {
  const float rest = fmodf(x, y);
  return rest != 0.0f && (rest < 0.0f) != (y < 0.0f) ? rest + y : rest;
}

#define FOV_TRUTH(condition) FOV_PAIRS((condition) ? 1.0f : 0.0f)

void fov_binary_rare_row(fov_binary_function function, const float *const *at, const size_t *steps,
                         float *out, size_t count) {
  const float *left = at[0], *right = at[1];
  const size_t left_step = steps[0], right_step = steps[1];
  switch (function) {
    case fov_binary_power: FOV_PAIRS(powf(x, y));
    case fov_binary_modulo: FOV_PAIRS(fov_modulo(x, y));
    case fov_binary_floor_divide: FOV_PAIRS(floorf(x / y));
    case fov_binary_truncated_divide: FOV_PAIRS(truncf(x / y));
    case fov_binary_equal: FOV_TRUTH(x == y);
    case fov_binary_not_equal: FOV_TRUTH(x != y);
    case fov_binary_greater: FOV_TRUTH(x > y);
    case fov_binary_greater_equal: FOV_TRUTH(x >= y);
    case fov_binary_less: FOV_TRUTH(x < y);
    case fov_binary_less_equal: FOV_TRUTH(x <= y);
    case fov_binary_logical_and: FOV_TRUTH((x != 0.0f) & (y != 0.0f));
    case fov_binary_logical_or: FOV_TRUTH((x != 0.0f) | (y != 0.0f));
    case fov_binary_logical_xor: FOV_TRUTH((x != 0.0f) ^ (y != 0.0f));
    default: return;  // fov_op_binary.c has the others
  }
}

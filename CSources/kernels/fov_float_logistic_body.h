// Fovea - the sigmoid of neighboring floats, for any width of vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_LOGISTIC_BODY_H
#define FOV_FLOAT_LOGISTIC_BODY_H

#include <stddef.h>
#include <string.h>

#include "kernels/fov_inlining.h"
#include "kernels/fov_logistic.h"

// Included after VECTOR_LANES is defined. Defines logistic. The compiler makes vectors of the loop.
// Each element has the same roundings for all widths of vectors.
INLINE void logistic_vector(const float *x, float numerator, float *out) {
  float results[VECTOR_LANES];
  for (size_t i = 0; i < VECTOR_LANES; i++) results[i] = fov_logistic(x[i], numerator);
  memcpy(out, results, sizeof results);
}

static void logistic(const float *x, float numerator, float *out, size_t count) {
  size_t i = 0;
  for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
    logistic_vector(x + i, numerator, out + i);
  }
  if (i == count) return;
  float rest[VECTOR_LANES] = {0};
  memcpy(rest, x + i, (count - i) * sizeof *x);
  logistic_vector(rest, numerator, rest);
  memcpy(out + i, rest, (count - i) * sizeof *out);
}

#endif

// Fovea - the sigmoid of neighboring floats, for any width of vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_LOGISTIC_BODY_H
#define FOV_FLOAT_LOGISTIC_BODY_H

#include <stddef.h>
#include <string.h>

#include "kernels/fov_inlining.h"
#include "kernels/fov_logistic.h"

// Included behind FOV_VECTOR_WIDTH; gives fov_set_logistic. The compiler makes one vector of the
// loop: whatever its width, each element goes through the same roundings.
INLINE void fov_logistic_vector(const float *x, float numerator, float *out) {
  float results[FOV_VECTOR_WIDTH];
  for (size_t i = 0; i < FOV_VECTOR_WIDTH; i++) results[i] = fov_logistic(x[i], numerator);
  memcpy(out, results, sizeof results);
}

static void fov_set_logistic(const float *x, float numerator, float *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_VECTOR_WIDTH <= count; i += FOV_VECTOR_WIDTH) {
    fov_logistic_vector(x + i, numerator, out + i);
  }
  if (i == count) return;
  float rest[FOV_VECTOR_WIDTH] = {0};
  memcpy(rest, x + i, (count - i) * sizeof *x);
  fov_logistic_vector(rest, numerator, rest);
  memcpy(out + i, rest, (count - i) * sizeof *out);
}

#endif

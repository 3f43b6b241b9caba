// Fovea - sums and products of arrays in training, and the step of an optimizer.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "fov_train_loops.h"

FOV_TRAIN_KERNEL void fov_train_sum(const fov_real *a, const fov_real *b, fov_real factor,
                                    size_t count, fov_real *out) {
  if (b) {
    for (size_t i = 0; i < count; i++) out[i] = a[i] + factor * b[i];
  } else {
    for (size_t i = 0; i < count; i++) out[i] += factor * a[i];
  }
}

FOV_TRAIN_KERNEL void fov_train_product_of(const fov_real *a, const fov_real *b, size_t count,
                                           bool adds, fov_real *out) {
  if (adds) {
    for (size_t i = 0; i < count; i++) out[i] += a[i] * b[i];
  } else {
    for (size_t i = 0; i < count; i++) out[i] = a[i] * b[i];
  }
}

FOV_TRAIN_KERNEL double fov_train_square_sum(const fov_real *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (double)values[i] * (double)values[i];
  return sum;
}

FOV_TRAIN_INLINE fov_real root(fov_real x) {
#if defined(FOV_TRAIN_DOUBLE)
  return sqrt(x);
#else
  return sqrtf(x);
#endif
}

FOV_TRAIN_KERNEL void fov_train_adam(const fov_adam *adam, const fov_real *restrict gradients,
                                     size_t count, fov_real *restrict values,
                                     fov_real *restrict first, fov_real *restrict second,
                                     fov_real *restrict average) {
  const fov_adam a = *adam;
  for (size_t i = 0; i < count; i++) {
    const fov_real g = gradients[i] * a.scale;
    first[i] = a.first_decay * first[i] + (1 - a.first_decay) * g;
    second[i] = a.second_decay * second[i] + (1 - a.second_decay) * g * g;
    const fov_real change =
        first[i] * a.first_correction / (root(second[i] * a.second_correction) + a.epsilon);
    values[i] -= a.rate * (change + a.weight_decay * values[i]);
    average[i] = a.average * average[i] + (1 - a.average) * values[i];
  }
}

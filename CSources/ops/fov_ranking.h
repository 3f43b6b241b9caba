// Fovea - the best of many numbers, in order.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_RANKING_H
#define FOV_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

typedef struct fov_ranked {
  float value;
  uint32_t index;  // of the number among all
} fov_ranked;

// A heap of the best `capacity` numbers, the worst of them first. A number costs the logarithm of
// the capacity, and nothing if it is worse than all that are kept. Greater numbers are better, or
// with `ascending` lesser ones. Of equal ones the lower index is better; NaN is worst.
typedef struct fov_ranking {
  fov_ranked *entries;  // (capacity,)
  size_t count, capacity;
  bool ascending;
} fov_ranking;

FOV_INTERNAL void fov_ranking_add(fov_ranking *ranking, float value, size_t index);

// Puts the entries in order, the best first. Nothing may be added afterwards.
FOV_INTERNAL void fov_ranking_sort(fov_ranking *ranking);

#endif

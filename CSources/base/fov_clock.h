// Fovea - the clock of timings.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CLOCK_H
#define FOV_CLOCK_H

#include <stdint.h>
#include <time.h>

// Nanoseconds since an arbitrary moment; never decreases.
static inline uint64_t fov_clock_now(void) {
  struct timespec now;
#if defined(CLOCK_MONOTONIC)
  clock_gettime(CLOCK_MONOTONIC, &now);
#else
  timespec_get(&now, TIME_UTC);
#endif
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif

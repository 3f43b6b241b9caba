// Fovea - time that other programs took from a running thread.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PREEMPTION_H
#define FOV_PREEMPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"

// A thread that wants to run and does not is one whose wall clock advances faster than its
// processor clock although it never went to sleep by itself. The system lends a core in slices of
// some milliseconds, so time stolen by a competing program comes in such pieces; what the
// kernel itself needs now and then is some tens of microseconds, and not counted.
typedef struct fov_preemption {
  uint64_t sampled;  // wall clock, ns; 0: nothing to compare with
  uint64_t ran;      // processor time of the thread, ns
  long sleeps;       // how often the thread went to sleep by itself
  uint64_t thread;   // whose figures these are
} fov_preemption;

// Measures from here on. `now` is fov_clock_now().
FOV_INTERNAL void fov_preemption_begin(fov_preemption *preemption, uint64_t now);

// Whether the calling thread lost its core for long since the last sample; takes a new one. Looks at
// the clocks of the thread at most once a millisecond (two system calls), otherwise answers no;
// also no when the thread slept in between, when another thread took the last sample, and where
// the system does not count sleeps.
FOV_INTERNAL bool fov_preemption_noticed(fov_preemption *preemption, uint64_t now);

#endif

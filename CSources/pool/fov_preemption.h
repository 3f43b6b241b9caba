// Fovea - time that other programs took from a running thread.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PREEMPTION_H
#define FOV_PREEMPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"

// A thread was preempted if its wall clock advanced faster than its processor clock although the
// thread did not sleep. The scheduler gives a core to other programs for some milliseconds at a
// time. Interruptions by the kernel itself take some tens of microseconds, and are not counted.
typedef struct fov_preemption {
  uint64_t sampled;  // wall clock, ns; 0: nothing to compare with
  uint64_t ran;      // processor time of the thread, ns
  long sleeps;       // how often the thread went to sleep by itself
  uint64_t thread;   // whose figures these are
} fov_preemption;

// Measures from here on. `now` is fov_clock_now().
FOV_INTERNAL void fov_preemption_begin(fov_preemption *preemption, uint64_t now);

// Whether the calling thread lost its core since the last sample; takes a new sample. Reads the
// clocks of the thread at most once a millisecond (two system calls), and answers no in between.
// The answer is also no if the thread slept since, if another thread took the last sample, or if
// the system does not count sleeps.
FOV_INTERNAL bool fov_preemption_noticed(fov_preemption *preemption, uint64_t now);

#endif

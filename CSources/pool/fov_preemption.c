// Fovea - detecting that the scheduler suspended a running thread.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pool/fov_preemption.h"

#ifdef __linux__

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#define SAMPLE_NANOSECONDS 1000000

// Longer than interrupts and kernel threads take, shorter than a time slice of the scheduler.
#define STOLEN_NANOSECONDS 500000

static fov_preemption sample(uint64_t now) {
  struct timespec ran;
  struct rusage usage;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  getrusage(RUSAGE_THREAD, &usage);
  return (fov_preemption){
      .sampled = now,
      .ran = (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec,
      .sleeps = usage.ru_nvcsw,
      .thread = (uint64_t)pthread_self(),
  };
}

void fov_preemption_begin(fov_preemption *preemption, uint64_t now) { *preemption = sample(now); }

bool fov_preemption_noticed(fov_preemption *preemption, uint64_t now) {
  if (now - preemption->sampled < SAMPLE_NANOSECONDS) return false;
  const fov_preemption last = *preemption;
  *preemption = sample(now);
  if (last.sampled == 0 || preemption->thread != last.thread || preemption->sleeps != last.sleeps) {
    return false;
  }
  return preemption->sampled - last.sampled > preemption->ran - last.ran + STOLEN_NANOSECONDS;
}

#else

void fov_preemption_begin(fov_preemption *preemption, uint64_t now) {
  (void)preemption;
  (void)now;
}

bool fov_preemption_noticed(fov_preemption *preemption, uint64_t now) {
  (void)preemption;
  (void)now;
  return false;
}

#endif

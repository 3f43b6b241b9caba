// Fovea - noticing that a thread was put aside.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pool/fov_theft.h"

#ifdef __linux__

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#define SAMPLE_NANOSECONDS 1000000

// Above what interrupts and kernel threads take at once, below a slice of the scheduler.
#define STOLEN_NANOSECONDS 500000

static fov_theft sample(uint64_t now) {
  struct timespec ran;
  struct rusage usage;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  getrusage(RUSAGE_THREAD, &usage);
  return (fov_theft){
      .sampled = now,
      .ran = (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec,
      .sleeps = usage.ru_nvcsw,
      .thread = (uint64_t)pthread_self(),
  };
}

void fov_theft_begin(fov_theft *theft, uint64_t now) { *theft = sample(now); }

bool fov_theft_noticed(fov_theft *theft, uint64_t now) {
  if (now - theft->sampled < SAMPLE_NANOSECONDS) return false;
  const fov_theft last = *theft;
  *theft = sample(now);
  if (last.sampled == 0 || theft->thread != last.thread || theft->sleeps != last.sleeps) {
    return false;
  }
  return theft->sampled - last.sampled > theft->ran - last.ran + STOLEN_NANOSECONDS;
}

#else

void fov_theft_begin(fov_theft *theft, uint64_t now) {
  (void)theft;
  (void)now;
}

bool fov_theft_noticed(fov_theft *theft, uint64_t now) {
  (void)theft;
  (void)now;
  return false;
}

#endif

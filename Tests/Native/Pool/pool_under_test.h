// Fovea - the pool of a test, numbers that its units write, and events that threads count.
// SPDX-License-Identifier: Apache-2.0
#ifndef POOL_UNDER_TEST_H
#define POOL_UNDER_TEST_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "fovea/core/fov_pool.h"
#include "fovea/spi/fov_parallel.h"
#include "native_test.h"
#include "random_choices.h"

static fov_pool *pool;
// Plain numbers that threads write without a lock: what the thread sanitizer watches.
static size_t slots[1 << 13];
static size_t value;             // what units write there
static atomic_size_t events[3];  // what threads have done, by the names of each test

// A pool and numbers of 0 for a test; of no threads, none. What was there before ends.
static inline void begin_with_pool(size_t threads) {
  fov_pool_destroy(pool);
  pool = NULL;
  if (threads > 0) CHECK_EQUAL(fov_pool_create(threads, &pool), fov_status_ok);
  memset(slots, 0, sizeof slots);
  for (size_t i = 0; i < COUNT(events); i++) atomic_store(&events[i], 0);
  value = 1;
}

#define LOOP_BODY(name)                                          \
  static inline void name(__attribute__((unused)) void *context, \
                          __attribute__((unused)) size_t unit,   \
                          __attribute__((unused)) size_t thread)

LOOP_BODY(set_slot) { slots[unit] = value; }
LOOP_BODY(add_to_slot) { slots[unit] += value; }

static inline void loop(size_t units, fov_parallel_body body) {
  fov_parallel_for(pool, units, body, NULL);
}

static inline bool slots_are(size_t count, size_t expected) {
  for (size_t i = 0; i < count; i++) {
    if (slots[i] != expected) return false;
  }
  return true;
}

static inline size_t count_event(size_t which) { return atomic_fetch_add(&events[which], 1); }

// Waits without a limit: ctest has one.
static inline void wait_for(size_t which, size_t total) {
  while (atomic_load(&events[which]) < total) sched_yield();
}

static inline void pause_microseconds(long count) {
  nanosleep(&(struct timespec){.tv_nsec = 1000 * count}, NULL);
}

static inline uint32_t busy_work(size_t rounds) {
  chance chance = {rounds};
  uint32_t sum = 0;
  for (size_t i = 0; i < rounds; i++) sum ^= chance_bits(&chance);
  return sum;
}

static inline pthread_t start_thread(void *(*body)(void *), void *context) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, context) == 0) return thread;
  fprintf(stderr, "no thread\n");
  exit(1);
}

#endif

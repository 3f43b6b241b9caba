// Fovea - what the threads of a pool share.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_POOL_STATE_H
#define FOV_POOL_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "pool/fov_preemption.h"
#include "pool/fov_wait_word.h"

// One 64-bit word says which loop is running and how many of its units nobody has claimed:
//
//   ticket    | generation: 44 bits | unclaimed units: 20 bits |
//
// A thread claims units by exchanging the word for one with fewer. A thread that was put aside
// between reading the word and exchanging it finds another generation and starts again, so it can
// never take a unit of one loop with the body of the last. At a loop per microsecond the
// generation comes round after 200 days. Longer loops are cut into runs of FOV_POOL_MAX_UNITS.
#define FOV_POOL_UNIT_BITS 20
#define FOV_POOL_MAX_UNITS (((uint64_t)1 << FOV_POOL_UNIT_BITS) - 1)

// The life of a worker. It runs units while there are some, then looks for more without pause,
// then sleeps:
//
//              units                       credit used up
//   running <--------> spinning ----------------------------> sleeping
//    |   ^ ^                                                     |
//    |   | +--------- a caller has units, or is about to --------+
//    |   | time is over
//    |   +------------- pausing
//    +----------------------^   its core is shared with another program
//
// A worker that another program takes the core from does harm: the loop waits for the unit that
// it holds until the scheduler gives the core back, milliseconds later. So a worker that noticed
// this is careful for a while: it works in stretches shorter than a slice of the scheduler and
// pauses in between, holding no unit: it then takes less than its share of the core, and the
// scheduler has little reason to interrupt a stretch.
//
// The wait word says where the worker is. Whoever exchanges sleeping for awake wakes the worker
// and takes one from pool->sleepers, so a worker is woken once and not again by each loop until it
// has come.
enum { FOV_WORKER_AWAKE = 0, FOV_WORKER_SLEEPS = 1, FOV_WORKER_PAUSES = 2 };

typedef struct fov_worker {
  _Alignas(FOV_ALIGNMENT) fov_wait_word word;
  atomic_bool is_in_the_way;  // a caller lost its core while this worker had one
  fov_pool *pool;
  size_t thread;  // 1 ..< thread_count
  pthread_t handle;

  // The worker's own; times in nanoseconds.
  uint64_t spin_credit;    // how long it may still spin
  uint64_t awake_since;    // the last end of a sleep or pause
  fov_preemption preemption;
  uint64_t careful_until;
  uint64_t careful;        // how long the last careful period was meant to last
  uint64_t pause;          // length of the last pause
} fov_worker;

// The loop's fields are atomic because a late thread may read them while the next loop writes
// them; it throws away what it read, since its exchange fails.
struct fov_pool {
  _Alignas(FOV_ALIGNMENT) _Atomic uint64_t ticket;
  _Atomic(fov_parallel_body) body;
  _Atomic(void *) context;
  _Atomic size_t end;  // one past the last unit: a thread that finds n unclaimed takes end - n on

  _Alignas(FOV_ALIGNMENT) _Atomic size_t unfinished;  // units whose body has not returned
  fov_wait_word caller;                               // 1: the caller sleeps until there are none

  _Alignas(FOV_ALIGNMENT) atomic_bool taken;  // a caller is running a loop
  _Atomic size_t sleepers;                    // workers whose word says that they sleep
  atomic_bool stopping;
  fov_preemption caller_preemption;  // of the caller that has taken the pool

  size_t thread_count;  // the caller included
  bool spins;
  fov_worker *workers;  // thread_count - 1
};

// Claims and runs units of the current loop until nobody has any to claim, or until it is later
// than `until` (fov_clock_now; FOV_WAIT_FOREVER reads no clock). Returns how many.
FOV_INTERNAL size_t fov_pool_run_units(fov_pool *pool, size_t thread, uint64_t until);

// Makes a sleeping worker an awake one; false when it did not sleep. Does not wake its thread.
FOV_INTERNAL bool fov_worker_rouse(fov_worker *worker);

// Wakes at most so many of the workers that sleep.
FOV_INTERNAL void fov_pool_wake_workers(fov_pool *pool, size_t count);

// The thread of a worker: runs units until the pool stops. Takes a fov_worker.
FOV_INTERNAL void *fov_worker_main(void *worker);

static inline bool fov_pool_has_units(fov_pool *pool) {
  return (atomic_load(&pool->ticket) & FOV_POOL_MAX_UNITS) != 0;
}

static inline uint64_t fov_nanoseconds_min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// A short pause between two looks at a word that another thread writes.
static inline void fov_spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

#endif

// Fovea - what the threads of a pool share.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_POOL_STATE_H
#define FOV_POOL_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fov_error.h"
#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "pool/fov_preemption.h"
#include "pool/fov_wait_word.h"

// One 64-bit number, the ticket, says which loop is running and how many units are unclaimed:
//
//   ticket    | generation: 44 bits | unclaimed units: 20 bits |
//
// A thread claims units by exchanging the ticket for one with fewer. A thread that was suspended
// between reading and exchanging finds another generation, and starts again. So it cannot run a
// unit of one loop with the body of the loop before. At one loop a microsecond the generation
// repeats after 200 days. Longer loops are cut into runs of FOV_POOL_MAX_UNITS.
#define FOV_POOL_UNIT_BITS 20
#define FOV_POOL_MAX_UNITS (((uint64_t)1 << FOV_POOL_UNIT_BITS) - 1)

// The states of a worker. It runs units while there are some, then spins while it looks for more,
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
// When another program takes the core of a worker, the loop has to wait for the worker's unit. The
// scheduler may give the core back only milliseconds later. A worker that notices this is careful
// for a while: it works in stretches shorter than a time slice of the scheduler, and pauses between
// them, without a unit. It then takes less than its share of the core, so that the scheduler has
// little reason to interrupt a stretch.
//
// The wait word holds the state of the worker. The thread that exchanges sleeping for awake wakes
// the worker and lowers pool->sleepers by one. So each sleeping worker is woken only once.
enum { FOV_WORKER_AWAKE = 0, FOV_WORKER_SLEEPS = 1, FOV_WORKER_PAUSES = 2 };

typedef struct fov_worker {
  _Alignas(FOV_ALIGNMENT) fov_wait_word word;
  atomic_bool is_in_the_way;  // a caller lost its core while this worker had one
  fov_pool *pool;
  size_t thread;  // 1 ..< thread_count
  pthread_t handle;

  // The worker's own; times in nanoseconds.
  uint64_t spin_credit;  // how long it may still spin
  uint64_t awake_since;  // the last end of a sleep or pause
  fov_preemption preemption;
  uint64_t careful_until;
  uint64_t careful;  // how long the last careful period was meant to last
  uint64_t pause;    // length of the last pause
} fov_worker;

// The fields of the loop are atomic, because a late thread may read them while the next loop writes
// them. Its exchange then fails, and what it read is not used.
struct fov_pool {
  _Alignas(FOV_ALIGNMENT) _Atomic uint64_t ticket;
  _Atomic(fov_parallel_body) body;
  _Atomic(void *) context;
  _Atomic size_t end;  // one past the last unit: a thread that finds n unclaimed takes end - n on

  _Alignas(FOV_ALIGNMENT) _Atomic size_t unfinished;  // units whose body has not returned
  fov_wait_word caller;                               // 1: the caller sleeps until there are none

  _Alignas(FOV_ALIGNMENT) atomic_bool taken;  // a caller is running a loop
  _Atomic size_t sleepers;                    // workers whose wait word says that they sleep
  atomic_bool stopping;
  fov_preemption caller_preemption;  // of the caller that has taken the pool

  pid_t process;        // whose threads the workers are
  size_t thread_count;  // the caller included
  bool spins;
  fov_worker *workers;  // thread_count - 1
};

// Claims and runs units of the current loop until none are unclaimed, or until it is later than
// `until` (fov_clock_now; FOV_WAIT_FOREVER reads no clock). Returns how many it ran.
FOV_INTERNAL size_t fov_pool_run_units(fov_pool *pool, size_t thread, uint64_t until);

// Sets a sleeping worker to awake; false when it was not sleeping. Does not wake its thread.
FOV_INTERNAL bool fov_worker_rouse(fov_worker *worker);

// Wakes at most `count` of the sleeping workers.
FOV_INTERNAL void fov_pool_wake_workers(fov_pool *pool, size_t count);

// The thread of a worker: runs units until the pool stops. Takes a fov_worker.
FOV_INTERNAL void *fov_worker_main(void *worker);

static inline bool fov_pool_has_units(fov_pool *pool) {
  return (atomic_load(&pool->ticket) & FOV_POOL_MAX_UNITS) != 0;
}

static inline uint64_t fov_nanoseconds_min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// A short pause between two reads of a number that another thread writes.
static inline void fov_spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

#endif

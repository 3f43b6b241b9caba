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

// One 64-bit word says which loop is running and how many of its units nobody has claimed:
//
//   ticket    | generation: 44 bits | unclaimed units: 20 bits |
//
// A thread claims a unit by exchanging the word for one less. A thread that was put aside between
// reading the word and exchanging it finds another generation and starts again, so it can never
// take a unit of one loop with the body of the last. At a loop per microsecond the generation
// comes round after 200 days. Longer loops are cut into runs of FOV_POOL_MAX_UNITS.
#define FOV_POOL_UNIT_BITS 20
#define FOV_POOL_MAX_UNITS (((uint64_t)1 << FOV_POOL_UNIT_BITS) - 1)

// The loop's fields are atomic because a late thread may read them while the next loop writes
// them; it throws away what it read, since its exchange fails.
struct fov_pool {
  _Alignas(FOV_ALIGNMENT) _Atomic uint64_t ticket;
  _Atomic(fov_parallel_body) body;
  _Atomic(void *) context;
  _Atomic size_t end;  // one past the last unit: a thread that finds n unclaimed takes end - n

  _Alignas(FOV_ALIGNMENT) _Atomic size_t unfinished;  // units whose body has not returned
  atomic_bool caller_sleeps;

  _Alignas(FOV_ALIGNMENT) atomic_bool taken;  // a caller is running a loop
  _Atomic size_t sleepers;                    // workers that wait for `published`
  bool stopping;                              // guarded by mutex

  pthread_mutex_t mutex;     // guards only sleeping and waking
  pthread_cond_t published;  // a loop has units, or the pool stops
  pthread_cond_t finished;   // the last unit has returned

  size_t thread_count;  // the caller included
  uint64_t spin_nanoseconds;
  struct fov_worker *workers;  // thread_count - 1
};

typedef struct fov_worker {
  fov_pool *pool;
  size_t thread;  // 1 ..< thread_count
  pthread_t handle;
} fov_worker;

// The life of a worker: runs units until the pool stops. Takes a fov_worker.
FOV_INTERNAL void *fov_worker_main(void *worker);

#endif

// Fovea - starting and stopping a pool of threads.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "fovea/core/fov_pool.h"

#include <signal.h>
#include <unistd.h>

#include "base/fov_alloc.h"
#include "base/fov_error.h"
#include "cpu/fov_cpu.h"
#include "pool/fov_pool_state.h"

// The stack of a worker. It is address space, of which only the part that is used takes memory. The
// default of some systems, 128 KiB, is little for kernels that keep tiles on the stack.
#define STACK_BYTES ((size_t)1 << 20)

size_t fov_pool_default_thread_count(void) {
  return fov_size_min(fov_cpu_available(), FOV_POOL_MAX_THREADS);
}

size_t fov_pool_thread_count(const fov_pool *pool) { return pool ? pool->thread_count : 1; }

// MARK: threads

// Workers block the signals that are meant for the program. They do not block faults, so that crash
// reporters still see them.
static void block_signals(sigset_t *out_previous) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&blocked, faults[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, out_previous);
}

// Threads inherit the signal mask of the one that starts them. Returns how many were started.
static size_t start_workers(fov_pool *pool) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  size_t started = 0;
  if (pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0) {
    sigset_t previous;
    block_signals(&previous);
    for (; started < pool->thread_count - 1; started++) {
      fov_worker *worker = &pool->workers[started];
      worker->pool = pool;
      worker->thread = started + 1;
      if (pthread_create(&worker->handle, &attributes, fov_worker_main, worker) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
  }
  pthread_attr_destroy(&attributes);
  return started;
}

static void stop_workers(fov_pool *pool, size_t started) {
  atomic_store(&pool->stopping, true);
  for (size_t i = 0; i < started; i++) {
    atomic_store(&pool->workers[i].word.value, FOV_WORKER_AWAKE);
    fov_wait_word_wake(&pool->workers[i].word);
  }
  for (size_t i = 0; i < started; i++) pthread_join(pool->workers[i].handle, NULL);
}

// MARK: memory and locks

// The caller's wait word and one for each worker: all of them, or none.
static bool initialize_words(fov_pool *pool) {
  if (!fov_wait_word_initialize(&pool->caller, 0)) return false;
  size_t made = 0;
  while (made < pool->thread_count - 1 &&
         fov_wait_word_initialize(&pool->workers[made].word, FOV_WORKER_AWAKE)) {
    made++;
  }
  if (made == pool->thread_count - 1) return true;
  while (made-- > 0) fov_wait_word_deinitialize(&pool->workers[made].word);
  fov_wait_word_deinitialize(&pool->caller);
  return false;
}

static void deinitialize_words(fov_pool *pool) {
  for (size_t i = 0; i < pool->thread_count - 1; i++) {
    fov_wait_word_deinitialize(&pool->workers[i].word);
  }
  fov_wait_word_deinitialize(&pool->caller);
}

// Stops the workers that were started, and frees the pool.
static void release_pool(fov_pool *pool, size_t started) {
  // A child of a fork has no workers to stop. It would wait for them forever, or for threads of its
  // own that have got their handles.
  if (pool->process == getpid()) {
    stop_workers(pool, started);
    deinitialize_words(pool);
  }
  fov_release(pool->workers);
  fov_release(pool);
}

// Everything but the threads; NULL when the system refuses memory or locks.
static fov_pool *make_pool(size_t thread_count) {
  fov_pool *pool = fov_allocate(sizeof(fov_pool));
  if (!pool) return NULL;
  pool->process = getpid();
  pool->thread_count = thread_count;
  // With more threads than cores, a spinning thread could take the core of a working one. One
  // thread waits for none: the system's files, which tell the cores, are not read for it.
  pool->spins = thread_count == 1 || thread_count <= fov_cpu_available();
  pool->workers = fov_allocate_array(thread_count - 1, sizeof(fov_worker));
  if (pool->workers && initialize_words(pool)) return pool;
  fov_release(pool->workers);
  fov_release(pool);
  return NULL;
}

fov_status fov_pool_create(size_t thread_count, fov_pool **out_pool) {
  *out_pool = NULL;
  if (thread_count > FOV_POOL_MAX_THREADS) return fov_status_invalid_argument;
  if (thread_count == 0) thread_count = fov_pool_default_thread_count();
  fov_pool *pool = make_pool(thread_count);
  if (!pool) return fov_status_out_of_memory;
  const size_t started = start_workers(pool);
  if (started < thread_count - 1) {
    release_pool(pool, started);
    return fov_status_thread_failure;
  }
  *out_pool = pool;
  return fov_status_ok;
}

void fov_pool_destroy(fov_pool *pool) {
  if (pool) release_pool(pool, pool->thread_count - 1);
}

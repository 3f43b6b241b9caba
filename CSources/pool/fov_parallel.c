// Fovea - claiming, running and waiting for the units of a loop.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "fovea/spi/fov_parallel.h"

#include <time.h>

#include "base/fov_error.h"
#include "pool/fov_pool_state.h"

// Why no wake-up is lost: who goes to sleep announces it and then looks once more; who has news
// publishes it and then looks for sleepers. Both steps are sequentially consistent, so at least
// one of the two sees the other. The sleeper looks and waits under the mutex, and the waker passes
// through the mutex before it signals, so the signal cannot fall between the look and the wait.

// MARK: units

typedef struct claimed_unit {
  fov_parallel_body body;
  void *context;
  size_t unit;
} claimed_unit;

// The fields are read before the exchange that validates them. They cannot belong to a later loop
// when it succeeds: a later loop writes them only after this loop's last unit, ours included, has
// returned.
static bool claim(fov_pool *pool, claimed_unit *out_claimed) {
  uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
  for (;;) {
    const size_t unclaimed = (size_t)(ticket & FOV_POOL_MAX_UNITS);
    if (unclaimed == 0) return false;
    out_claimed->body = atomic_load_explicit(&pool->body, memory_order_relaxed);
    out_claimed->context = atomic_load_explicit(&pool->context, memory_order_relaxed);
    out_claimed->unit = atomic_load_explicit(&pool->end, memory_order_relaxed) - unclaimed;
    if (atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket - 1,
                                              memory_order_acq_rel, memory_order_acquire)) {
      return true;
    }
  }
}

static void wake_caller(fov_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  pthread_cond_signal(&pool->finished);
}

static void run_units(fov_pool *pool, size_t thread) {
  claimed_unit claimed;
  while (claim(pool, &claimed)) {
    claimed.body(claimed.context, claimed.unit, thread);
    const bool last = atomic_fetch_sub(&pool->unfinished, 1) == 1;
    if (last && atomic_load(&pool->caller_sleeps)) wake_caller(pool);
  }
}

// MARK: waiting

static bool has_units(fov_pool *pool) {
  return (atomic_load(&pool->ticket) & FOV_POOL_MAX_UNITS) != 0;
}

static bool is_finished(fov_pool *pool) { return atomic_load(&pool->unfinished) == 0; }

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

static uint64_t now_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// false when the condition did not come true within the pool's time for spinning.
static bool spin_until(fov_pool *pool, bool (*condition)(fov_pool *)) {
  if (condition(pool)) return true;
  if (pool->spin_nanoseconds == 0) return false;
  const uint64_t start = now_nanoseconds();
  do {
    for (int i = 0; i < 16; i++) {
      relax();
      if (condition(pool)) return true;
    }
  } while (now_nanoseconds() - start < pool->spin_nanoseconds);
  return false;
}

// MARK: the worker

// false when the pool stops.
static bool sleep_until_published(fov_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!pool->stopping && !has_units(pool)) pthread_cond_wait(&pool->published, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  const bool stopping = pool->stopping;
  pthread_mutex_unlock(&pool->mutex);
  return !stopping;
}

void *fov_worker_main(void *worker) {
  fov_pool *pool = ((fov_worker *)worker)->pool;
  const size_t thread = ((fov_worker *)worker)->thread;
  do {
    while (spin_until(pool, has_units)) run_units(pool, thread);
  } while (sleep_until_published(pool));
  return NULL;
}

// MARK: the caller

// The caller takes a unit itself, so one sleeper less than there are units is enough.
static void wake_workers(fov_pool *pool, size_t units) {
  const size_t sleepers = atomic_load(&pool->sleepers);
  if (sleepers == 0) return;
  pthread_mutex_lock(&pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  if (sleepers <= units - 1) {
    pthread_cond_broadcast(&pool->published);
  } else {
    for (size_t i = 0; i < units - 1; i++) pthread_cond_signal(&pool->published);
  }
}

static void publish(fov_pool *pool, size_t begin, size_t units, fov_parallel_body body,
                    void *context) {
  atomic_store_explicit(&pool->body, body, memory_order_relaxed);
  atomic_store_explicit(&pool->context, context, memory_order_relaxed);
  atomic_store_explicit(&pool->end, begin + units, memory_order_relaxed);
  atomic_store_explicit(&pool->unfinished, units, memory_order_relaxed);
  const uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_relaxed);
  const uint64_t generation = (ticket >> FOV_POOL_UNIT_BITS) + 1;
  atomic_store(&pool->ticket, generation << FOV_POOL_UNIT_BITS | units);
}

static void wait_until_finished(fov_pool *pool) {
  if (spin_until(pool, is_finished)) return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->caller_sleeps, true);
  while (!is_finished(pool)) pthread_cond_wait(&pool->finished, &pool->mutex);
  atomic_store(&pool->caller_sleeps, false);
  pthread_mutex_unlock(&pool->mutex);
}

static void run_alone(size_t begin, size_t end, fov_parallel_body body, void *context) {
  for (size_t unit = begin; unit < end; unit++) body(context, unit, 0);
}

void fov_parallel_for(fov_pool *pool, size_t units, fov_parallel_body body, void *context) {
  const bool alone = !pool || pool->thread_count == 1 || units <= 1 ||
                     atomic_exchange_explicit(&pool->taken, true, memory_order_acquire);
  if (alone) {
    run_alone(0, units, body, context);
    return;
  }
  for (size_t begin = 0; begin < units;) {
    const size_t part = fov_size_min(units - begin, (size_t)FOV_POOL_MAX_UNITS);
    publish(pool, begin, part, body, context);
    wake_workers(pool, part);
    run_units(pool, 0);
    wait_until_finished(pool);
    begin += part;
  }
  atomic_store_explicit(&pool->taken, false, memory_order_release);
}

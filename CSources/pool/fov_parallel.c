// Fovea - claiming, running and waiting for the units of a loop.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "fovea/spi/fov_parallel.h"

#include "base/fov_clock.h"
#include "base/fov_error.h"
#include "pool/fov_pool_state.h"

// MARK: units

typedef struct claimed_units {
  fov_parallel_body body;
  void *context;
  size_t begin, end;
} claimed_units;

// How many units a thread claims at once. Toward the end one, so that all threads finish together.
// Before that more, so that claiming costs little beside short units.
static size_t units_at_once(const fov_pool *pool, size_t unclaimed) {
  return fov_size_max(1, unclaimed / (8 * pool->thread_count));
}

// The fields are read before the exchange that validates them. They cannot belong to a later loop
// when it succeeds: a later loop writes them only after this loop's last unit, ours included, has
// returned.
static bool claim(fov_pool *pool, claimed_units *out_claimed) {
  uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
  for (;;) {
    const size_t unclaimed = (size_t)(ticket & FOV_POOL_MAX_UNITS);
    if (unclaimed == 0) return false;
    const size_t count = units_at_once(pool, unclaimed);
    out_claimed->body = atomic_load_explicit(&pool->body, memory_order_relaxed);
    out_claimed->context = atomic_load_explicit(&pool->context, memory_order_relaxed);
    out_claimed->begin = atomic_load_explicit(&pool->end, memory_order_relaxed) - unclaimed;
    out_claimed->end = out_claimed->begin + count;
    if (atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket - count,
                                              memory_order_acq_rel, memory_order_acquire)) {
      return true;
    }
  }
}

static void wake_caller(fov_pool *pool) {
  if (atomic_load(&pool->caller.value) == 0) return;
  atomic_store(&pool->caller.value, 0);
  fov_wait_word_wake(&pool->caller);
}

size_t fov_pool_run_units(fov_pool *pool, size_t thread, uint64_t until) {
  claimed_units claimed;
  size_t sum = 0;
  while (claim(pool, &claimed)) {
    for (size_t unit = claimed.begin; unit < claimed.end; unit++) {
      claimed.body(claimed.context, unit, thread);
    }
    const size_t count = claimed.end - claimed.begin;
    sum += count;
    if (atomic_fetch_sub(&pool->unfinished, count) == count) wake_caller(pool);
    if (until != FOV_WAIT_FOREVER && fov_clock_now() >= until) break;
  }
  return sum;
}

// MARK: waking workers

bool fov_worker_rouse(fov_worker *worker) {
  uint32_t sleeps = FOV_WORKER_SLEEPS;
  if (!atomic_compare_exchange_strong(&worker->word.value, &sleeps, FOV_WORKER_AWAKE)) return false;
  atomic_fetch_sub(&worker->pool->sleepers, 1);
  return true;
}

void fov_pool_wake_workers(fov_pool *pool, size_t count) {
  const size_t workers = pool->thread_count - 1;
  for (size_t i = 0; i < workers && count > 0 && atomic_load(&pool->sleepers) > 0; i++) {
    if (!fov_worker_rouse(&pool->workers[i])) continue;
    fov_wait_word_wake(&pool->workers[i].word);
    count--;
  }
}

void fov_pool_wake(fov_pool *pool) {
  if (pool && pool->spins) fov_pool_wake_workers(pool, pool->thread_count - 1);
}

// MARK: the caller

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

static bool is_finished(fov_pool *pool) { return atomic_load(&pool->unfinished) == 0; }

#define CALLER_SPIN_NANOSECONDS 20000
#define CALLER_SPIN_NANOSECONDS_MOST 250000

// The last unit of a worker takes about as long as one of the caller's. Waiting for it costs less
// than going to sleep and being woken. A worker that takes longer has probably lost its core. A
// caller that sleeps gives it another one.
static bool spin_until_finished(fov_pool *pool, uint64_t begin, size_t units) {
  if (!pool->spins) return is_finished(pool);
  const uint64_t start = fov_clock_now();
  const uint64_t two_units = units == 0 ? 0 : 2 * (start - begin) / units;
  const uint64_t limit =
      fov_nanoseconds_min(CALLER_SPIN_NANOSECONDS + two_units, CALLER_SPIN_NANOSECONDS_MOST);
  do {
    for (int i = 0; i < 16; i++) {
      if (is_finished(pool)) return true;
      fov_spin_pause();
    }
  } while (fov_clock_now() - start < limit);
  return false;
}

// The caller ran so many units since `begin`.
static void wait_until_finished(fov_pool *pool, uint64_t begin, size_t units) {
  if (is_finished(pool) || spin_until_finished(pool, begin, units)) return;
  for (;;) {
    atomic_store(&pool->caller.value, 1);
    if (is_finished(pool)) break;
    fov_wait_word_wait(&pool->caller, 1, FOV_WAIT_FOREVER);
  }
  atomic_store(&pool->caller.value, 0);
}

// If the caller shares its core with another program, one worker gives up its core, so that the
// caller can have it. It is the last worker that is awake.
static void clear_the_way(fov_pool *pool) {
  for (size_t i = pool->thread_count - 1; i-- > 0;) {
    fov_worker *worker = &pool->workers[i];
    if (atomic_load_explicit(&worker->word.value, memory_order_relaxed) == FOV_WORKER_AWAKE) {
      atomic_store_explicit(&worker->is_in_the_way, true, memory_order_relaxed);
      return;
    }
  }
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
    const uint64_t start = fov_clock_now();
    fov_pool_wake_workers(pool, part - 1);
    wait_until_finished(pool, start, fov_pool_run_units(pool, 0, FOV_WAIT_FOREVER));
    begin += part;
  }
  if (fov_preemption_noticed(&pool->caller_preemption, fov_clock_now())) clear_the_way(pool);
  atomic_store_explicit(&pool->taken, false, memory_order_release);
}

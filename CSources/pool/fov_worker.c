// Fovea - the states of a worker: running, spinning, sleeping, pausing.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "base/fov_clock.h"
#include "pool/fov_pool_state.h"

// MARK: spinning

// Longer than the serial work between two layers, about twice as long as waking up takes.
#define SPIN_NANOSECONDS 100000

// A worker spins for half as long as it has worked, so that a program whose loops are short and
// far apart does not spend a core on waiting for them.
static void earn_credit(fov_worker *worker, uint64_t worked) {
  const uint64_t credit = worker->spin_credit + worked / 2;
  worker->spin_credit = credit < SPIN_NANOSECONDS ? credit : SPIN_NANOSECONDS;
}

static void spend_credit(fov_worker *worker, uint64_t spun) {
  worker->spin_credit -= spun < worker->spin_credit ? spun : worker->spin_credit;
}

// false when there was nothing to run for as long as the worker's credit lasted.
static bool spin(fov_worker *worker) {
  fov_pool *pool = worker->pool;
  if (!pool->spins) return false;
  const uint64_t start = fov_clock_now();
  uint64_t spun;
  do {
    for (int i = 0; i < 16; i++) {
      fov_spin_pause();
      if (fov_pool_has_units(pool)) {
        spend_credit(worker, fov_clock_now() - start);
        return true;
      }
    }
    spun = fov_clock_now() - start;
  } while (spun < worker->spin_credit && !atomic_load(&pool->stopping));
  spend_credit(worker, spun);
  return false;
}

// MARK: sleeping

// No wake-up is lost. A worker that goes to sleep first announces it, and then looks for units once
// more. A caller with new units first publishes them, and then looks for sleepers. Both steps are
// sequentially consistent, so that at least one of the two sees the other.
static void sleep_until_woken(fov_worker *worker) {
  fov_pool *pool = worker->pool;
  atomic_fetch_add(&pool->sleepers, 1);
  atomic_store(&worker->word.value, FOV_WORKER_SLEEPS);
  if (fov_pool_has_units(pool) || atomic_load(&pool->stopping)) fov_worker_rouse(worker);
  while (atomic_load(&worker->word.value) == FOV_WORKER_SLEEPS) {
    fov_wait_word_wait(&worker->word, FOV_WORKER_SLEEPS, FOV_WAIT_FOREVER);
  }
  atomic_store_explicit(&worker->is_in_the_way, false, memory_order_relaxed);
  worker->spin_credit = SPIN_NANOSECONDS;
  worker->awake_since = fov_clock_now();
}

// MARK: sharing a core

// How long a worker stays careful after a preemption; longer if the next one comes soon.
#define CAREFUL_NANOSECONDS 80000000
#define CAREFUL_NANOSECONDS_MOST 1000000000

// A stretch of work between two pauses. It is shorter than a time slice of the scheduler, some
// milliseconds, so that it ends before the scheduler interrupts a unit.
#define STRETCH_NANOSECONDS 600000

// With a stretch this makes less than a third of the core, which is less than a fair half.
#define PAUSE_NANOSECONDS 1500000
#define PAUSE_NANOSECONDS_MOST 200000000

static bool is_careful(const fov_worker *worker, uint64_t now) {
  return now < worker->careful_until;
}

static bool lost_a_core(fov_worker *worker, uint64_t now) {
  const bool lost = fov_preemption_noticed(&worker->preemption, now);
  const bool in_the_way = atomic_load_explicit(&worker->is_in_the_way, memory_order_relaxed);
  if (in_the_way) atomic_store_explicit(&worker->is_in_the_way, false, memory_order_relaxed);
  return lost || in_the_way;
}

static void become_more_careful(fov_worker *worker, uint64_t now) {
  if (is_careful(worker, now)) {
    worker->pause = fov_nanoseconds_min(4 * worker->pause, PAUSE_NANOSECONDS_MOST);
  } else {
    const bool again = worker->careful != 0 && now - worker->careful_until < worker->careful;
    const uint64_t longer = fov_nanoseconds_min(2 * worker->careful, CAREFUL_NANOSECONDS_MOST);
    worker->careful = again ? longer : CAREFUL_NANOSECONDS;
    worker->careful_until = now + worker->careful;
    if (!again || worker->pause < 4 * PAUSE_NANOSECONDS) worker->pause = 4 * PAUSE_NANOSECONDS;
  }
}

// Leaves the core to others. Only the end of the pool wakes a worker that pauses, not a caller.
static void pause_for(fov_worker *worker, uint64_t nanoseconds) {
  const uint64_t begin = fov_clock_now();
  uint64_t now = begin;
  atomic_store(&worker->word.value, FOV_WORKER_PAUSES);
  while (now - begin < nanoseconds && !atomic_load(&worker->pool->stopping)) {
    fov_wait_word_wait(&worker->word, FOV_WORKER_PAUSES, nanoseconds - (now - begin));
    now = fov_clock_now();
  }
  atomic_store(&worker->word.value, FOV_WORKER_AWAKE);
  worker->awake_since = now;
  fov_preemption_begin(&worker->preemption, now);
}

static void share_the_core(fov_worker *worker, uint64_t now) {
  if (lost_a_core(worker, now)) {
    become_more_careful(worker, now);
    pause_for(worker, worker->pause);
  } else if (is_careful(worker, now) && now - worker->awake_since >= STRETCH_NANOSECONDS) {
    const uint64_t shorter = worker->pause - worker->pause / 16;
    worker->pause = shorter > PAUSE_NANOSECONDS ? shorter : PAUSE_NANOSECONDS;
    pause_for(worker, worker->pause);
  }
}

void *fov_worker_main(void *opaque) {
  fov_worker *worker = opaque;
  fov_pool *pool = worker->pool;
  worker->awake_since = fov_clock_now();
  while (!atomic_load(&pool->stopping)) {
    const uint64_t begin = fov_clock_now();
    const uint64_t until =
        is_careful(worker, begin) ? worker->awake_since + STRETCH_NANOSECONDS : FOV_WAIT_FOREVER;
    if (fov_pool_run_units(pool, worker->thread, until) > 0) {
      const uint64_t end = fov_clock_now();
      earn_credit(worker, end - begin);
      share_the_core(worker, end);
    } else if (!spin(worker)) {
      sleep_until_woken(worker);
    }
  }
  return NULL;
}

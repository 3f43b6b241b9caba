// Fovea - tests of who waits for whom in the thread pool.
// SPDX-License-Identifier: Apache-2.0
#include "pool_under_test.h"

// MARK: The caller finishes alone

enum { held, run };

LOOP_BODY(hold_on_workers) {
  if (thread != 0) {
    count_event(held);
    while (atomic_load(&events[held]) + atomic_load(&events[run]) < value) sched_yield();
  }
  count_event(run);
}

// Each worker holds one unit until all others have run; none of those may wait for a worker.
static void units_that_nobody_holds_do_not_wait_for_workers(size_t threads) {
  begin_with_pool(threads);
  value = 10;  // units, few enough to be claimed one by one
  for (size_t round = 0; round < 20; round++) {
    loop(value, hold_on_workers);
    CHECK_EQUAL(events[run], value);
    CHECK(events[held] < value);
    events[held] = events[run] = 0;
  }
}

enum { stuck, freed, ended };

LOOP_BODY(wait_until_freed) {
  count_event(stuck);
  wait_for(freed, 1);
}

static void *run_stuck_loop(void *units) {
  loop(*(size_t *)units, wait_until_freed);
  count_event(ended);
  return NULL;
}

// All workers are stuck in a long loop of another caller.
static void loop_does_not_wait_for_the_loop_of_another_caller(size_t threads) {
  begin_with_pool(threads);
  const pthread_t other = start_thread(run_stuck_loop, &threads);
  wait_for(stuck, threads);
  for (; value <= 100; value++) {
    loop(1000, set_slot);
    CHECK(slots_are(1000, value));
  }
  CHECK_EQUAL(events[ended], 0);
  count_event(freed);
  pthread_join(other, NULL);
  CHECK_EQUAL(events[ended], 1);
}

static void add_to_inner_slot(void *part, size_t unit, size_t thread) {
  (void)thread;
  ((size_t *)part)[unit]++;
}

LOOP_BODY(run_inner_loop) { fov_parallel_for(pool, 30, add_to_inner_slot, slots + 30 * unit); }

// A loop inside a unit runs on that unit's thread.
static void nested_loops_run_whole(size_t threads) {
  begin_with_pool(threads);
  loop(20, run_inner_loop);
  CHECK(slots_are(20 * 30, 1));
}

// MARK: Waking

static void no_pool_needs_no_waking(void) { fov_pool_wake(NULL); }

// Loops that come at once, while workers spin, and when they sleep again.
static void loops_after_waking(size_t threads) {
  begin_with_pool(threads);
  for (size_t round = 1; round <= 300; round++) {
    fov_pool_wake(pool);
    if (round % 3 == 1) pause_microseconds(50);
    if (round % 3 == 2) pause_microseconds(300);
    loop(50, add_to_slot);
    CHECK(slots_are(50, round));
  }
}

static void *wake_often(void *context) {
  for (size_t i = 0; i < 1000; i++) fov_pool_wake(pool);
  count_event(0);
  return context;
}

static void any_thread_may_wake(void) {
  pthread_t threads[3];
  begin_with_pool(3);
  for (size_t i = 0; i < 3; i++) threads[i] = start_thread(wake_often, NULL);
  size_t loops = 0;
  while (atomic_load(&events[0]) < 3 || loops < 100) {
    loops++;
    loop(20, add_to_slot);
  }
  CHECK(slots_are(20, loops));
  for (size_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void destroyed_while_workers_spin(void) {
  for (size_t round = 0; round < 300; round++) {
    begin_with_pool(2 + round % 3);
    if (round % 2 == 0) pause_microseconds(200);
    fov_pool_wake(pool);
  }
}

static void *work_until_stopped(void *context) {
  while (atomic_load(&events[0]) == 0) (void)busy_work(1000);
  return context;
}

LOOP_BODY(set_slot_after_work) { slots[unit] = busy_work(500) == 0 ? 0 : value; }

// Workers that lose their cores to other threads pause; loops stay whole, and pools end.
static void crowded_cores(size_t threads) {
  pthread_t others[4];
  begin_with_pool(threads);
  for (size_t i = 0; i < 4; i++) others[i] = start_thread(work_until_stopped, NULL);
  for (; value <= FOVEA_CROWDED_LOOPS; value++) {
    loop(64, set_slot_after_work);
    CHECK(slots_are(64, value));
  }
  count_event(0);
  for (size_t i = 0; i < 4; i++) pthread_join(others[i], NULL);
}

int main(void) {
  static const size_t any[] = {1, 2, 3, 8}, several[] = {2, 3, 8}, even[] = {2, 4};
  static const size_t few[] = {1, 2, 3};
  RUN_ALL(units_that_nobody_holds_do_not_wait_for_workers, several);
  RUN_ALL(loop_does_not_wait_for_the_loop_of_another_caller, even);
  RUN_ALL(nested_loops_run_whole, few);
  RUN(no_pool_needs_no_waking);
  RUN_ALL(loops_after_waking, any);
  RUN(any_thread_may_wake);
  RUN(destroyed_while_workers_spin);
  RUN_ALL(crowded_cores, several);
  begin_with_pool(0);
  return native_test_end();
}

// Fovea - tests of the thread pool: its loops, callers that share it, its life.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "pool_under_test.h"

// MARK: Loops

LOOP_BODY(add_unit_number) { slots[unit] += unit + 1; }

static void each_unit_runs_once(size_t threads) {
  static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 100, 1000, 4097};
  for (size_t i = 0; i < COUNT(counts); i++) {
    CASE("%zu units", counts[i]);
    begin_with_pool(threads);
    loop(counts[i], add_unit_number);
    for (size_t unit = 0; unit < counts[i]; unit++) CHECK_EQUAL(slots[unit], unit + 1);
    CHECK_EQUAL(slots[counts[i]], 0);
  }
}

static uint8_t marks[1 << 21];

LOOP_BODY(mark_unit) { marks[unit]++; }

// More units than fit into one ticket (2^20 - 1).
static void loops_of_millions_of_units_are_cut_in_parts(void) {
  begin_with_pool(3);
  loop(COUNT(marks), mark_unit);
  for (size_t unit = 0; unit < COUNT(marks); unit++) CHECK_EQUAL(marks[unit], 1);
}

LOOP_BODY(set_thread_number) { slots[unit] = thread + 1; }

static void without_pool_the_caller_runs_all(void) {
  begin_with_pool(0);
  loop(100, set_thread_number);
  CHECK(slots_are(100, 1));
  CHECK_EQUAL(fov_pool_thread_count(NULL), 1);
}

// A worker that is late for one loop must not take part in the next with the body of the last.
static void many_short_loops(size_t threads) {
  size_t expected[8] = {0};
  begin_with_pool(threads);
  for (value = 0; value < 20000; value++) {
    loop(value % 9, add_to_slot);
    for (size_t unit = 0; unit < value % 9; unit++) expected[unit] += value;
    CASE("loop %zu", value);
    if (!CHECK_BYTES(slots, expected, sizeof expected)) return;
  }
}

LOOP_BODY(meet_all) {
  count_event(0);
  wait_for(0, value);
}

// Pauses longer than the workers' spinning, so that they sleep when the next loop comes. Each
// unit waits for the others: all workers have to come, those that pause as well.
static void sleeping_workers_wake_up(size_t threads) {
  begin_with_pool(threads);
  for (size_t round = 1; round <= 10; round++) {
    pause_microseconds(1000);
    value = round * threads;
    loop(threads, meet_all);
    CHECK_EQUAL(events[0], value);
  }
}

LOOP_BODY(set_slot_late) {
  if (thread == 1) pause_microseconds(2000);
  slots[unit] = value;
}

// The caller runs out of units long before the worker returns, and must be woken.
static void sleeping_caller_wakes_up(void) {
  for (begin_with_pool(2); value <= 20; value++) {
    loop(2, set_slot_late);
    CHECK(slots_are(2, value));
  }
}

LOOP_BODY(use_thread) {
  if (thread >= value) {
    count_event(0);
    return;
  }
  // Two units at the same time on one index would meet here; the sanitizer sees it too.
  if (slots[thread] != 0) count_event(0);
  slots[thread] = 1;
  if (busy_work(200) == 0) count_event(0);
  slots[thread] = 0;
}

static void thread_index_is_below_the_count_and_exclusive(size_t threads) {
  begin_with_pool(threads);
  value = threads;
  for (size_t round = 0; round < 200; round++) loop(64, use_thread);
  CHECK_EQUAL(events[0], 0);
}

#define NEIGHBORS 97

// Slots have two halves: one is read, the other is written.
LOOP_BODY(take_from_neighbor) {
  const size_t *source = slots + (value + 1) % 2 * NEIGHBORS;
  slots[value % 2 * NEIGHBORS + unit] = source[(unit + 1) % NEIGHBORS] + 1;
}

static void memory_of_units_is_visible_to_the_caller_and_the_next_loop(void) {
  for (begin_with_pool(3); value <= 500; value++) {
    loop(NEIGHBORS, take_from_neighbor);
    const size_t *target = slots + value % 2 * NEIGHBORS;
    for (size_t unit = 0; unit < NEIGHBORS; unit++) CHECK_EQUAL(target[unit], value);
  }
}

// MARK: Several callers

typedef struct caller {
  size_t number, value, failures, slots[40];
} caller;

static void set_slot_of_caller(void *context, size_t unit, size_t thread) {
  (void)thread;
  ((caller *)context)->slots[unit] = ((caller *)context)->value;
}

static void *run_loops(void *context) {
  caller *caller = context;
  for (size_t round = 1; round <= 1000; round++) {
    caller->value = round * caller->number;
    const size_t units = 1 + caller->value % 40;
    fov_parallel_for(pool, units, set_slot_of_caller, caller);
    for (size_t i = 0; i < units; i++) caller->failures += caller->slots[i] != caller->value;
  }
  return NULL;
}

// Each caller's loops are whole, whether it got the pool or ran alone.
static void callers_share_one_pool(size_t threads) {
  caller callers[4] = {{1, 0, 0, {0}}, {2, 0, 0, {0}}, {3, 0, 0, {0}}, {4, 0, 0, {0}}};
  pthread_t started[4];
  begin_with_pool(threads);
  for (size_t i = 0; i < 4; i++) started[i] = start_thread(run_loops, &callers[i]);
  for (size_t i = 0; i < 4; i++) {
    pthread_join(started[i], NULL);
    CHECK_EQUAL(callers[i].failures, 0);
  }
}

enum { inside, outside, on_thread_zero };

LOOP_BODY(count_thread_zero) {
  if (thread == 0) count_event(on_thread_zero);
}

static void *run_beside(void *context) {
  wait_for(inside, 2);
  loop(50, count_thread_zero);
  count_event(outside);
  return context;
}

LOOP_BODY(wait_for_the_other) {
  count_event(inside);
  wait_for(outside, 1);
}

// While the first caller's units wait for it, a second caller runs its loop on its own thread.
static void caller_that_finds_the_pool_taken_runs_alone(void) {
  begin_with_pool(2);
  const pthread_t other = start_thread(run_beside, NULL);
  loop(2, wait_for_the_other);
  CHECK_EQUAL(events[on_thread_zero], 50);
  pthread_join(other, NULL);
}

// MARK: Life

static void thread_count_is_the_one_asked_for(size_t threads) {
  begin_with_pool(threads);
  CHECK_EQUAL(fov_pool_thread_count(pool), threads);
}

static void zero_means_the_default(void) {
  begin_with_pool(0);
  CHECK_EQUAL(fov_pool_create(0, &pool), fov_status_ok);
  CHECK_EQUAL(fov_pool_thread_count(pool), fov_pool_default_thread_count());
}

static void default_is_within_the_cores_of_the_machine(void) {
  const size_t count = fov_pool_default_thread_count();
  CHECK(count >= 1);
  CHECK(count <= (size_t)sysconf(_SC_NPROCESSORS_CONF));
}

static void no_pool_is_one_thread_and_may_be_destroyed(void) {
  CHECK_EQUAL(fov_pool_thread_count(NULL), 1);
  fov_pool_destroy(NULL);
}

static void too_many_threads_are_refused(void) {
  fov_pool *none = NULL;
  CHECK_EQUAL(fov_pool_create(FOV_POOL_MAX_THREADS + 1, &none), fov_status_invalid_argument);
  CHECK_EQUAL(fov_pool_create(SIZE_MAX, &none), fov_status_invalid_argument);
  CHECK(none == NULL);
}

static void pools_end(size_t most, void (*use)(void)) {
  begin_with_pool(0);
  for (size_t round = 0; round < 500; round++) {
    CHECK_EQUAL(fov_pool_create(1 + round % most, &pool), fov_status_ok);
    use();
    fov_pool_destroy(pool);
    pool = NULL;
  }
}

static void use_nothing(void) {}
static void use_one_loop(void) { loop(3, add_to_slot); }

static void destroyed_at_once(void) { pools_end(8, use_nothing); }

static void destroyed_after_one_loop(void) {
  pools_end(4, use_one_loop);
  CHECK(slots_are(3, 500));
}

int main(void) {
  static const size_t any[] = {1, 2, 3, 8}, several[] = {2, 3, 8}, counts[] = {1, 2, 3, 8, 64};
  RUN_ALL(each_unit_runs_once, any);
  RUN(loops_of_millions_of_units_are_cut_in_parts);
  RUN(without_pool_the_caller_runs_all);
  RUN_ALL(many_short_loops, several);
  RUN_ALL(sleeping_workers_wake_up, several);
  RUN(sleeping_caller_wakes_up);
  RUN_ALL(thread_index_is_below_the_count_and_exclusive, several);
  RUN(memory_of_units_is_visible_to_the_caller_and_the_next_loop);
  RUN_ALL(callers_share_one_pool, any);
  RUN(caller_that_finds_the_pool_taken_runs_alone);
  RUN_ALL(thread_count_is_the_one_asked_for, counts);
  RUN(zero_means_the_default);
  RUN(default_is_within_the_cores_of_the_machine);
  RUN(no_pool_is_one_thread_and_may_be_destroyed);
  RUN(too_many_threads_are_refused);
  RUN(destroyed_at_once);
  RUN(destroyed_after_one_loop);
  begin_with_pool(0);
  return native_test_end();
}

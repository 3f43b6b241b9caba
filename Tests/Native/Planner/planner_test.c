// Fovea - tests of the memory planner: its rules, and what it refuses.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fovea/spi/fov_plan.h"
#include "native_test.h"

#define NONE FOV_PLAN_NONE

// A record: the first and the last step, bytes, the block whose place it shares, and the offset
// that it has to get.
#define CHECK_PLAN(arena_bytes, ...)                \
  check_plan((const fov_plan_block[]){__VA_ARGS__}, \
             COUNT(((const fov_plan_block[]){__VA_ARGS__})), arena_bytes, __LINE__)

static void check_plan(const fov_plan_block *expected, size_t count, size_t arena_bytes, int line) {
  fov_plan_block blocks[8];
  for (size_t i = 0; i < count; i++) {
    blocks[i] = expected[i];
    blocks[i].offset = 0;
  }
  size_t found = 0;
  CASE("plan of line %d", line);
  CHECK_EQUAL(fov_plan_blocks(blocks, count, &found), fov_status_ok);
  for (size_t i = 0; i < count; i++) CHECK_EQUAL(blocks[i].offset, expected[i].offset);
  CHECK_EQUAL(found, arena_bytes);
}

// MARK: Rules

static void no_blocks_need_no_arena(void) {
  size_t arena_bytes = 7;
  CHECK_EQUAL(fov_plan_blocks(NULL, 0, &arena_bytes), fov_status_ok);
  CHECK_EQUAL(arena_bytes, 0);
  fov_plan_block unused;
  arena_bytes = 7;
  CHECK_EQUAL(fov_plan_blocks(&unused, 0, &arena_bytes), fov_status_ok);
  CHECK_EQUAL(arena_bytes, 0);
}

static void lives_that_do_not_meet_share_memory(void) {
  CHECK_PLAN(640, {0, 1, 640, NONE, 0}, {2, 3, 640, NONE, 0});
}

static void last_step_is_included(void) {
  CHECK_PLAN(1280, {0, 1, 640, NONE, 0}, {1, 2, 640, NONE, 640});
}

static void largest_goes_first(void) {
  CHECK_PLAN(384, {0, 0, 64, NONE, 320}, {0, 0, 192, NONE, 0}, {0, 0, 128, NONE, 192});
}

static void earlier_record_goes_first_among_equal_sizes(void) {
  CHECK_PLAN(256, {0, 0, 100, NONE, 0}, {0, 0, 128, NONE, 128});
}

// Sizes in units of 64. Four blocks go first, at [0, 10), [10, 19), [19, 27), [27, 34); the third
// lives elsewhere, so step 0 sees a gap of 8 above 19. Blocks placed at step 1 do not count there.
static void goes_into_the_gap_between_neighbors_in_time(void) {
  CHECK_PLAN(34 * 64, {0, 1, 10 * 64, NONE, 0}, {0, 1, 9 * 64, NONE, 10 * 64},
             {1, 1, 8 * 64, NONE, 19 * 64}, {0, 1, 7 * 64, NONE, 27 * 64},
             {0, 0, 6 * 64, NONE, 19 * 64});
}

// At step 1 a tower of 20, 19, 18, 17, 16 units stands; at step 0 only the first, third and fifth
// of it: gaps of 19 (above 20) and 17 (above 57). The block of 5 fits both.
static void smallest_gap_wins(void) {
  CHECK_PLAN(90 * 64, {0, 1, 20 * 64, NONE, 0}, {1, 1, 19 * 64, NONE, 20 * 64},
             {0, 1, 18 * 64, NONE, 39 * 64}, {1, 1, 17 * 64, NONE, 57 * 64},
             {0, 1, 16 * 64, NONE, 74 * 64}, {0, 0, 5 * 64, NONE, 57 * 64});
}

// As above with two gaps of 19 units, above 20 and above 58.
static void lowest_gap_wins_among_equal_ones(void) {
  CHECK_PLAN(93 * 64, {0, 1, 20 * 64, NONE, 0}, {1, 1, 19 * 64, NONE, 20 * 64},
             {0, 1, 19 * 64, NONE, 39 * 64}, {1, 1, 19 * 64, NONE, 58 * 64},
             {0, 1, 16 * 64, NONE, 77 * 64}, {0, 0, 5 * 64, NONE, 20 * 64});
}

// A gap that begins at the bottom of the arena is one as well.
static void gap_below_the_lowest_neighbor_is_used(void) {
  CHECK_PLAN(1216, {1, 1, 640, NONE, 0}, {0, 1, 576, NONE, 640}, {0, 0, 512, NONE, 0});
}

static void gap_that_is_too_small_is_passed_over(void) {
  CHECK_PLAN(1216, {0, 0, 640, NONE, 0}, {0, 1, 576, NONE, 640}, {1, 2, 512, NONE, 0},
             {2, 2, 448, NONE, 512});
}

static void sharers_have_one_place_for_the_union_of_their_lives(void) {
  CHECK_PLAN(512, {0, 1, 128, NONE, 0}, {1, 2, 128, 0, 0}, {2, 3, 320, 1, 0},
             {3, 3, 192, NONE, 320}, {4, 4, 192, NONE, 0});
}

// The second block of the chain dies at step 3, but its owner's place stays taken to then, even at
// step 2, at which neither of the two lives.
static void union_of_lives_has_no_holes(void) {
  CHECK_PLAN(192, {0, 1, 128, NONE, 0}, {3, 3, 64, 0, 0}, {2, 2, 64, NONE, 128});
}

static void zero_bytes_take_no_room(void) {
  CHECK_PLAN(128, {0, 9, 0, NONE, 0}, {0, 9, 64, NONE, 0}, {0, 9, 0, NONE, 0}, {0, 9, 64, NONE, 64},
             {2, 3, 0, 3, 64});
}

static const size_t sizes[][2] = {{1, 64}, {63, 64}, {64, 64}, {65, 128}, {127, 128}, {1000, 1024}};

static void sizes_are_rounded_up_to_the_alignment(const size_t size[2]) {
  CHECK_PLAN(2 * size[1], {0, 0, size[0], NONE, 0}, {0, 0, size[0], NONE, size[1]});
}

// Layer k writes at step k and is read at step k + 1, so two neighbors live at once and the best
// arena is the largest sum of two neighbors.
static void chain_needs_two_neighbors(void) {
  static const size_t chains[][6] = {
      {64, 128, 256, 512}, {512, 512, 512}, {2048, 64, 1024, 1024, 64, 2048}, {64}};
  for (size_t chain = 0; chain < COUNT(chains); chain++) {
    fov_plan_block blocks[6];
    size_t count = 0, most = 0, arena_bytes = 0;
    for (; count < 6 && chains[chain][count] > 0; count++) {
      const size_t bytes = chains[chain][count], next = count < 5 ? chains[chain][count + 1] : 0;
      blocks[count] = (fov_plan_block){count, count + 1, bytes, NONE, 0};
      if (bytes + next > most) most = bytes + next;
    }
    CHECK_EQUAL(fov_plan_blocks(blocks, count, &arena_bytes), fov_status_ok);
    CHECK_EQUAL(arena_bytes, most);
  }
}

// a is read by b and c, whose results d adds: a with b, then a, b and c, then b, c and d.
static void diamond_needs_three_of_its_four(void) {
  CHECK_PLAN(3072, {0, 2, 1024, NONE, 0}, {1, 3, 1024, NONE, 1024}, {2, 3, 1024, NONE, 2048},
             {3, 4, 1024, NONE, 0});
}

// MARK: Refusals

// The status for a call that has to change nothing. Offsets of the records are any numbers.
#define STATUS(...) \
  status((const fov_plan_block[]){__VA_ARGS__}, COUNT(((const fov_plan_block[]){__VA_ARGS__})))

static fov_status status(const fov_plan_block *blocks, size_t count) {
  fov_plan_block changed[3];
  size_t arena_bytes = 0;
  memcpy(changed, blocks, count * sizeof *blocks);
  const fov_status result = fov_plan_blocks(changed, count, &arena_bytes);
  CHECK_BYTES(changed, blocks, count * sizeof *blocks);
  CHECK_EQUAL(arena_bytes, 0);
  return result;
}

#define PLAIN \
  { 0, 0, 64, NONE, 12345 }

static void missing_records(void) {
  size_t arena_bytes = 0;
  CHECK_EQUAL(fov_plan_blocks(NULL, 1, &arena_bytes), fov_status_invalid_argument);
}

static void life_that_ends_before_it_begins(void) {
  CHECK_EQUAL(STATUS(PLAIN, {2, 1, 64, NONE, 12345}), fov_status_invalid_argument);
}

static void share_that_is_not_earlier(void) {
  CHECK_EQUAL(STATUS({0, 0, 64, 0, 12345}), fov_status_invalid_argument);
  CHECK_EQUAL(STATUS(PLAIN, {0, 0, 64, 2, 12345}, PLAIN), fov_status_invalid_argument);
  CHECK_EQUAL(STATUS(PLAIN, {0, 0, 64, SIZE_MAX / 2, 12345}), fov_status_invalid_argument);
}

static void size_that_cannot_be_rounded(void) {
  CHECK_EQUAL(STATUS({0, 0, SIZE_MAX, NONE, 12345}), fov_status_overflow);
  CHECK_EQUAL(STATUS(PLAIN, {0, 0, SIZE_MAX - 62, 0, 12345}), fov_status_overflow);
}

static void sum_that_does_not_fit(void) {
  const size_t half = SIZE_MAX / 2 + 1;
  CHECK_EQUAL(STATUS({0, 0, half, NONE, 12345}, {0, 0, half, NONE, 12345}), fov_status_overflow);
}

static void largest_size_fits_alone(void) {
  CHECK_PLAN(SIZE_MAX - 63, {0, 0, SIZE_MAX - 63, NONE, 0});
}

int main(void) {
  RUN(no_blocks_need_no_arena);
  RUN(lives_that_do_not_meet_share_memory);
  RUN(last_step_is_included);
  RUN(largest_goes_first);
  RUN(earlier_record_goes_first_among_equal_sizes);
  RUN(goes_into_the_gap_between_neighbors_in_time);
  RUN(smallest_gap_wins);
  RUN(lowest_gap_wins_among_equal_ones);
  RUN(gap_below_the_lowest_neighbor_is_used);
  RUN(gap_that_is_too_small_is_passed_over);
  RUN(sharers_have_one_place_for_the_union_of_their_lives);
  RUN(union_of_lives_has_no_holes);
  RUN(zero_bytes_take_no_room);
  RUN_ALL(sizes_are_rounded_up_to_the_alignment, sizes);
  RUN(chain_needs_two_neighbors);
  RUN(diamond_needs_three_of_its_four);
  RUN(missing_records);
  RUN(life_that_ends_before_it_begins);
  RUN(share_that_is_not_earlier);
  RUN(size_that_cannot_be_rounded);
  RUN(sum_that_does_not_fit);
  RUN(largest_size_fits_alone);
  return native_test_end();
}

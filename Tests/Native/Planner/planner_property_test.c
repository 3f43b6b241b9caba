// Fovea - what holds for every plan of memory, on random records.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fovea/spi/fov_plan.h"
#include "native_test.h"
#include "random_choices.h"

#define MOST_BLOCKS 60
#define MOST_STEPS 24

static size_t random_blocks(uint64_t seed, fov_plan_block *blocks) {
  static const size_t largest_sizes[] = {64, 500, 100000};
  chance chance = {seed};
  const size_t steps = chance_between(&chance, 1, MOST_STEPS);
  const size_t largest = largest_sizes[chance_below(&chance, 3)];
  const size_t count = chance_between(&chance, 1, MOST_BLOCKS);
  for (size_t i = 0; i < count; i++) {
    const size_t a = chance_below(&chance, steps), b = chance_below(&chance, steps);
    const bool shares = i > 0 && chance_below(&chance, 5) == 0;
    blocks[i] = (fov_plan_block){a < b ? a : b, a < b ? b : a, chance_between(&chance, 0, largest),
                                 shares ? chance_below(&chance, i) : FOV_PLAN_NONE, 0};
  }
  return count;
}

static bool live_together(const fov_plan_block *a, const fov_plan_block *b) {
  return a->first <= b->last && b->first <= a->last;
}

static bool overlap(const fov_plan_block *a, const fov_plan_block *b) {
  return a->bytes > 0 && b->bytes > 0 && a->offset < b->offset + b->bytes &&
         b->offset < a->offset + a->bytes;
}

static void plans_are_sound(uint64_t seed) {
  fov_plan_block blocks[MOST_BLOCKS], again[MOST_BLOCKS];
  size_t owners[MOST_BLOCKS];  // the block at the end of a chain of shares
  size_t arena_bytes = 0, same_bytes = 0, sum = 0;
  const size_t count = random_blocks(seed, blocks);
  memcpy(again, blocks, sizeof blocks);
  CHECK_EQUAL(fov_plan_blocks(blocks, count, &arena_bytes), fov_status_ok);
  CHECK_EQUAL(fov_plan_blocks(again, count, &same_bytes), fov_status_ok);
  CHECK_BYTES(again, blocks, count * sizeof *blocks);
  CHECK_EQUAL(same_bytes, arena_bytes);

  for (size_t i = 0; i < count; i++) {
    owners[i] = blocks[i].shares == FOV_PLAN_NONE ? i : owners[blocks[i].shares];
    CHECK_EQUAL(blocks[i].offset % 64, 0);
    CHECK(blocks[i].offset + blocks[i].bytes <= arena_bytes);
    CHECK_EQUAL(blocks[i].offset, blocks[owners[i]].offset);
    for (size_t other = 0; other < i; other++) {
      if (owners[other] == owners[i] || !live_together(&blocks[other], &blocks[i])) continue;
      CASE("seed %d, blocks %zu and %zu", (int)seed, other, i);
      CHECK(!overlap(&blocks[other], &blocks[i]));
    }
    sum += (blocks[i].bytes + 63) / 64 * 64;
  }
  CHECK(arena_bytes <= sum);

  // At every step the living must fit beside each other; sharers count once, by the largest.
  for (size_t step = 0; step < MOST_STEPS; step++) {
    size_t living[MOST_BLOCKS] = {0}, bytes = 0;
    for (size_t i = 0; i < count; i++) {
      size_t *most = &living[owners[i]];
      if (blocks[i].first > step || blocks[i].last < step || blocks[i].bytes <= *most) continue;
      bytes += blocks[i].bytes - *most;
      *most = blocks[i].bytes;
    }
    CHECK(bytes <= arena_bytes);
  }
}

// The bound cannot always be reached; these records need 1.10 times it on average.
static void arena_of_network_like_records_is_near_the_lower_bound(void) {
  chance chance = {99};
  double total = 0;
  for (size_t network = 0; network < 50; network++) {
    fov_plan_block blocks[40];
    size_t bound = 0, arena_bytes = 0;
    for (size_t step = 0; step < 40; step++) {
      const size_t skip = chance_below(&chance, 6) == 0 ? 8 : 1;
      blocks[step] = (fov_plan_block){step, step + skip, 64 * chance_between(&chance, 1, 400),
                                      FOV_PLAN_NONE, 0};
    }
    for (size_t step = 0; step < 40; step++) {
      size_t living = 0;
      for (size_t i = 0; i <= step; i++) living += blocks[i].last >= step ? blocks[i].bytes : 0;
      if (living > bound) bound = living;
    }
    CHECK_EQUAL(fov_plan_blocks(blocks, 40, &arena_bytes), fov_status_ok);
    total += (double)arena_bytes / (double)bound;
  }
  CHECK(total / 50 < 1.15);
}

int main(void) {
  uint64_t seeds[300];
  for (size_t i = 0; i < COUNT(seeds); i++) seeds[i] = i;
  RUN_ALL(plans_are_sound, seeds);
  RUN(arena_of_network_like_records_is_near_the_lower_bound);
  return native_test_end();
}

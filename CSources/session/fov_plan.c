// Fovea - the memory planner: largest first, into the smallest gap.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/spi/fov_plan.h"

#include <stdbool.h>

#include "base/fov_alloc.h"
#include "base/fov_error.h"
#include "base/fov_size.h"

// The place of one block, or of several that share it. Those with an offset form a list, sorted by
// offset.
typedef struct place {
  size_t owner;  // the block whose place this is; only a place that owns itself gets an offset
  size_t first;  // the lifetime of all sharers together
  size_t last;
  size_t bytes;  // of the largest sharer, rounded up to the alignment
  size_t offset;
  size_t above;  // the next in the list, or FOV_PLAN_NONE
  bool waiting;  // has no offset yet
} place;

typedef struct arena {
  place *places;
  size_t count;
  size_t lowest;  // the first of the list, or FOV_PLAN_NONE
  size_t bytes;
} arena;

static fov_status validate(const fov_plan_block *blocks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const fov_plan_block *block = &blocks[i];
    if (block->last < block->first) return fov_status_invalid_argument;
    if (block->shares != FOV_PLAN_NONE && block->shares >= i) return fov_status_invalid_argument;
  }
  return fov_status_ok;
}

// Gives every block a place of its own, or extends the place of the block that it continues.
static fov_status gather(const fov_plan_block *blocks, arena *arena) {
  for (size_t i = 0; i < arena->count; i++) {
    const fov_plan_block *block = &blocks[i];
    size_t bytes;
    if (!fov_size_align(block->bytes, &bytes)) return fov_status_overflow;
    place *own = &arena->places[i];
    if (block->shares == FOV_PLAN_NONE) {
      *own = (place){.owner = i, .first = block->first, .last = block->last, .bytes = bytes};
    } else {
      own->owner = arena->places[block->shares].owner;
      place *shared = &arena->places[own->owner];
      shared->first = fov_size_min(shared->first, block->first);
      shared->last = fov_size_max(shared->last, block->last);
      shared->bytes = fov_size_max(shared->bytes, bytes);
    }
  }
  for (size_t i = 0; i < arena->count; i++) {
    arena->places[i].waiting = arena->places[i].owner == i && arena->places[i].bytes > 0;
  }
  return fov_status_ok;
}

static size_t largest_waiting(const arena *arena) {
  size_t best = FOV_PLAN_NONE;
  for (size_t i = 0; i < arena->count; i++) {
    const place *candidate = &arena->places[i];
    if (!candidate->waiting) continue;
    if (best == FOV_PLAN_NONE || candidate->bytes > arena->places[best].bytes) best = i;
  }
  return best;
}

// Goes upward through the placed blocks with an overlapping lifetime. `top` is the end of the
// highest one so far, so that there is a gap if the next one begins above it.
static size_t find_offset(const arena *arena, const place *wanted) {
  size_t top = 0, best = FOV_PLAN_NONE, best_gap = 0;
  for (size_t i = arena->lowest; i != FOV_PLAN_NONE; i = arena->places[i].above) {
    const place *other = &arena->places[i];
    if (other->last < wanted->first || wanted->last < other->first) continue;
    if (other->offset > top) {
      const size_t gap = other->offset - top;
      if (gap >= wanted->bytes && (best == FOV_PLAN_NONE || gap < best_gap)) {
        best = top;
        best_gap = gap;
      }
    }
    top = fov_size_max(top, other->offset + other->bytes);
  }
  return best == FOV_PLAN_NONE ? top : best;
}

static void insert(arena *arena, size_t index) {
  place *own = &arena->places[index];
  size_t *link = &arena->lowest;
  while (*link != FOV_PLAN_NONE && arena->places[*link].offset <= own->offset) {
    link = &arena->places[*link].above;
  }
  own->above = *link;
  own->waiting = false;
  *link = index;
}

static fov_status place_all(arena *arena) {
  for (;;) {
    const size_t index = largest_waiting(arena);
    if (index == FOV_PLAN_NONE) return fov_status_ok;
    place *own = &arena->places[index];
    own->offset = find_offset(arena, own);
    size_t end;
    if (!fov_size_add(own->offset, own->bytes, &end)) return fov_status_overflow;
    arena->bytes = fov_size_max(arena->bytes, end);
    insert(arena, index);
  }
}

fov_status fov_plan_blocks(fov_plan_block *blocks, size_t count, size_t *out_arena_bytes) {
  if (!blocks && count > 0) return fov_status_invalid_argument;
  FOV_FORWARD(validate(blocks, count));
  arena arena = {
      .places = fov_allocate_array(count, sizeof(place)), .count = count, .lowest = FOV_PLAN_NONE};
  if (!arena.places) return fov_status_out_of_memory;

  fov_status status = gather(blocks, &arena);
  if (status == fov_status_ok) status = place_all(&arena);
  if (status == fov_status_ok) {
    for (size_t i = 0; i < count; i++) {
      blocks[i].offset = arena.places[arena.places[i].owner].offset;
    }
    *out_arena_bytes = arena.bytes;
  }
  fov_release(arena.places);
  return status;
}

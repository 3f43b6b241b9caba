// Fovea - the core's only door to the heap, which a test can shut.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "failing_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"

static struct {
  fault_kind kind;
  size_t point, points, refusals;
  long live;
} state;

void fault_begin(fault_kind kind, size_t point) {
  state.kind = kind;
  state.point = point;
  state.points = state.refusals = 0;
}

size_t fault_points(void) { return state.points; }

size_t fault_refusals(void) { return state.refusals; }

long fault_live(void) { return state.live; }

bool fault_refuses(void) {
  state.points++;
  const bool refused = (state.kind == fault_single && state.points == state.point) ||
                       (state.kind == fault_lasting && state.points >= state.point);
  if (refused) state.refusals++;
  return refused;
}

void fault_count(long change) { state.live += change; }

// MARK: base/fov_alloc.h
// Not a byte more than was asked for, so that a sanitizer sees what reaches beyond.

void *fov_allocate(size_t bytes) {
  void *memory = NULL;
  if (fault_refuses() || posix_memalign(&memory, FOV_ALIGNMENT, bytes ? bytes : 1) != 0) {
    return NULL;
  }
  memset(memory, 0, bytes ? bytes : 1);
  fault_count(1);
  return memory;
}

void fov_release(void *memory) {
  if (memory) fault_count(-1);
  free(memory);
}

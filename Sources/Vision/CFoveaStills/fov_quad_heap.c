// Fovea - the best of many quadrilaterals.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_parts.h"

// Moves an item down from the root of a heap of `count` items, whose worst is at the root.
static void sink(fov_quad_candidate *items, int count, fov_quad_candidate item) {
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && items[child + 1].score < items[child].score) child++;
    if (items[child].score >= item.score) break;
    items[i] = items[child];
    i = child;
  }
  items[i] = item;
}

void fov_quad_heap_add(fov_quad_heap *heap, const fov_quad_candidate *candidate) {
  if (heap->count == heap->capacity) {
    if (candidate->score > heap->items[0].score) sink(heap->items, heap->count, *candidate);
    return;
  }
  int i = heap->count++;
  for (; i > 0 && heap->items[(i - 1) / 2].score > candidate->score; i = (i - 1) / 2) {
    heap->items[i] = heap->items[(i - 1) / 2];
  }
  heap->items[i] = *candidate;
}

void fov_quad_sort(fov_quad_candidate *candidates, int count) {
  fov_quad_heap heap = {candidates, 0, count};
  for (int i = 0; i < count; i++) {
    const fov_quad_candidate next = candidates[i];
    fov_quad_heap_add(&heap, &next);
  }
  // The worst of those that are left goes to the end.
  for (int i = count - 1; i > 0; i--) {
    const fov_quad_candidate last = candidates[i], worst = candidates[0];
    sink(candidates, i, last);
    candidates[i] = worst;
  }
}

bool fov_quad_is_sound(const fov_point corners[4], float shortest, float greatest_cosine) {
  for (int i = 0; i < 4; i++) {
    const fov_point before = fov_minus(corners[(i + 3) % 4], corners[i]);
    const fov_point after = fov_minus(corners[(i + 1) % 4], corners[i]);
    const float lengths = fov_length(before) * fov_length(after);
    if (!(fov_length(after) >= shortest) || !(fov_cross(after, before) > 0)) return false;
    if (!(fabsf(fov_dot(before, after)) <= greatest_cosine * lengths)) return false;
  }
  return true;
}

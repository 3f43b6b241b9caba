// Fovea - the best of many numbers, in order.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_ranking.h"

#include <math.h>

static bool is_worse(const fov_ranking *ranking, fov_ranked a, fov_ranked b) {
  if (a.value != b.value) {
    const bool a_is_nan = isnan(a.value), b_is_nan = isnan(b.value);
    if (a_is_nan != b_is_nan) return a_is_nan;
    if (!a_is_nan) return (a.value < b.value) != ranking->ascending;
  }
  return a.index > b.index;
}

// Moves the entry down from `place` until those below are better, in a heap of `count`.
static void sink(fov_ranking *ranking, fov_ranked entry, size_t place, size_t count) {
  fov_ranked *entries = ranking->entries;
  for (;;) {
    size_t below = 2 * place + 1;
    if (below >= count) break;
    if (below + 1 < count && is_worse(ranking, entries[below + 1], entries[below])) below++;
    if (!is_worse(ranking, entries[below], entry)) break;
    entries[place] = entries[below];
    place = below;
  }
  entries[place] = entry;
}

void fov_ranking_add(fov_ranking *ranking, float value, size_t index) {
  fov_ranked *entries = ranking->entries;
  const fov_ranked entry = {value, (uint32_t)index};
  if (ranking->count == ranking->capacity) {
    if (is_worse(ranking, entries[0], entry)) sink(ranking, entry, 0, ranking->count);
    return;
  }
  size_t place = ranking->count++;
  for (; place > 0; place = (place - 1) / 2) {
    const size_t above = (place - 1) / 2;
    if (!is_worse(ranking, entry, entries[above])) break;
    entries[place] = entries[above];
  }
  entries[place] = entry;
}

// The worst goes to the end, again and again.
void fov_ranking_sort(fov_ranking *ranking) {
  fov_ranked *entries = ranking->entries;
  for (size_t count = ranking->count; count > 1;) {
    const fov_ranked last = entries[--count];
    entries[count] = entries[0];
    sink(ranking, last, 0, count);
  }
}

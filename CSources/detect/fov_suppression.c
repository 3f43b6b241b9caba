// Fovea - suppression of boxes that show the same object.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/spi/fov_suppression.h"

#include <string.h>

#include "base/fov_error.h"

// MARK: order

static void sift_down(uint64_t *keys, size_t root, size_t count) {
  const uint64_t key = keys[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && keys[child + 1] > keys[child]) child++;
    if (keys[child] <= key) break;
    keys[root] = keys[child];
  }
  keys[root] = key;
}

// A heap sort: qsort may allocate.
static void sort(uint64_t *keys, size_t count) {
  for (size_t root = count / 2; root-- > 0;) sift_down(keys, root, count);
  for (size_t end = count; end > 1; end--) {
    const uint64_t greatest = keys[0];
    keys[0] = keys[end - 1];
    keys[end - 1] = greatest;
    sift_down(keys, 0, end - 1);
  }
}

// Keys that ascend where scores descend, with the index below: no two are equal.
static uint64_t sorting_key(float score, size_t index) {
  uint32_t bits;
  score += 0.0f;  // -0, which equals 0, gets the same key
  memcpy(&bits, &score, sizeof bits);
  const uint32_t descending = bits >> 31 ? bits : ~bits & 0x7FFFFFFFu;
  return (uint64_t)descending << 32 | (uint32_t)index;
}

// MARK: overlap

static double area(const fov_box *box) {
  return (box->max_x - box->min_x) * (box->max_y - box->min_y);
}

// Boxes whose edges are in the wrong order overlap nothing.
static double overlap(const fov_box *a, const fov_box *b) {
  const double left = a->min_x > b->min_x ? a->min_x : b->min_x;
  const double right = a->max_x < b->max_x ? a->max_x : b->max_x;
  const double top = a->min_y > b->min_y ? a->min_y : b->min_y;
  const double bottom = a->max_y < b->max_y ? a->max_y : b->max_y;
  if (!(left < right && top < bottom)) return 0;
  const double intersection = (right - left) * (bottom - top);
  const double either = area(a) + area(b) - intersection;
  return either > 0 ? intersection / either : 0;
}

static bool compete(const fov_candidates *candidates, const fov_detection_settings *settings,
                    size_t a, size_t b) {
  return settings->class_agnostic || candidates->classes[a] == candidates->classes[b];
}

// The greatest overlap with one of the better survivors; stops at the first above `enough`.
static double greatest_overlap(const fov_candidates *candidates,
                               const fov_detection_settings *settings, size_t index,
                               const fov_survivor *better, size_t count, double enough) {
  double greatest = 0;
  for (size_t k = 0; k < count && greatest <= enough; k++) {
    if (!compete(candidates, settings, index, better[k].index)) continue;
    const double other = overlap(&candidates->boxes[index], &candidates->boxes[better[k].index]);
    if (other > greatest) greatest = other;
  }
  return greatest;
}

// MARK: suppression

static size_t suppress_greedily(const fov_candidates *candidates,
                                const fov_detection_settings *settings, fov_survivor *survivors) {
  const double threshold = settings->iou_threshold;
  size_t kept = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    candidates->order[i] = sorting_key(candidates->scores[i], i);
  }
  sort(candidates->order, candidates->count);
  for (size_t i = 0; i < candidates->count; i++) {
    const uint32_t index = (uint32_t)candidates->order[i];
    if (greatest_overlap(candidates, settings, index, survivors, kept, threshold) > threshold) {
      continue;
    }
    survivors[kept++] = (fov_survivor){index, candidates->scores[index]};
  }
  return kept;
}

// Each loses to the better ones that greedy suppression left, whether those stay or not.
static size_t suppress_softly(const fov_candidates *candidates,
                              const fov_detection_settings *settings, fov_survivor *survivors,
                              size_t count) {
  for (size_t k = 0; k < count; k++) {
    const double greatest =
        greatest_overlap(candidates, settings, survivors[k].index, survivors, k, 1);
    survivors[k].score *= (float)(1 - settings->soft_suppression * greatest);
  }
  const float threshold = (float)settings->confidence_threshold;
  size_t kept = 0;
  for (size_t k = 0; k < count; k++) {
    const fov_survivor survivor = survivors[k];
    if (!(survivor.score >= threshold)) continue;
    size_t place = kept++;
    for (; place > 0 && survivors[place - 1].score < survivor.score; place--) {
      survivors[place] = survivors[place - 1];
    }
    survivors[place] = survivor;
  }
  return kept;
}

size_t fov_suppress(const fov_candidates *candidates, const fov_detection_settings *settings,
                    fov_survivor *out_survivors) {
  size_t count = suppress_greedily(candidates, settings, out_survivors);
  if (settings->soft_suppression > 0) {
    count = suppress_softly(candidates, settings, out_survivors, count);
  }
  const size_t limit = settings->maximum_count;
  return limit > 0 && limit < count ? limit : count;
}

// MARK: voting

static void add(fov_box *sum, const fov_box *box, double weight) {
  sum->min_x += box->min_x * weight;
  sum->min_y += box->min_y * weight;
  sum->max_x += box->max_x * weight;
  sum->max_y += box->max_y * weight;
}

static double weight_of(float score) { return (double)score * (double)score; }

fov_box fov_box_vote(const fov_candidates *candidates, const fov_detection_settings *settings,
                     size_t index) {
  const fov_box *own = &candidates->boxes[index];
  double total = weight_of(candidates->scores[index]);
  if (settings->box_voting_threshold >= 1 || !(total > 0)) return *own;
  fov_box sum = {own->min_x * total, own->min_y * total, own->max_x * total, own->max_y * total};
  for (size_t i = 0; i < candidates->count; i++) {
    if (i == index || !compete(candidates, settings, i, index)) continue;
    const fov_box *other = &candidates->boxes[i];
    const double shared = overlap(own, other);
    if (!(shared > 0 && shared >= settings->box_voting_threshold)) continue;
    const double weight = weight_of(candidates->scores[i]);
    add(&sum, other, weight);
    total += weight;
  }
  return (fov_box){sum.min_x / total, sum.min_y / total, sum.max_x / total, sum.max_y / total};
}

// Fovea - suppression of boxes that show the same object.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/spi/fov_suppression.h"

#include <string.h>

#include "base/fov_error.h"
#include "base/fov_size.h"
#include "detect/fov_key_order.h"
#include "detect/fov_outlines.h"
#include "detect/fov_turned_boxes.h"

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

// MARK: greedy suppression

// Keys that ascend where scores descend, with the index below: no two are equal.
static uint64_t sorting_key(float score, size_t index) {
  uint32_t bits;
  score += 0.0f;  // -0, which equals 0, gets the same key
  memcpy(&bits, &score, sizeof bits);
  const uint32_t descending = bits >> 31 ? bits : ~bits & 0x7FFFFFFFu;
  return (uint64_t)descending << 32 | (uint32_t)index;
}

// Candidates by rank, and ranks class by class: a box meets only those that it may lose against.
//
//   order   a3 b1 a7 c2 b4 a9        the letter is the class, the number the index
//   ranks   0 2 5 | 1 4 | 3          each class in the order of the whole
typedef struct ranking {
  const uint64_t *order;  // the lower half is the index of a candidate
  const uint64_t *ranks;  // the upper half is the class, the lower one a rank
} ranking;

static ranking rank(const fov_candidates *candidates, bool class_agnostic) {
  const size_t count = candidates->count;
  uint64_t *first = candidates->keys, *second = first + count, *ranks = second + count;
  for (size_t i = 0; i < count; i++) first[i] = sorting_key(candidates->scores[i], i);
  const uint64_t *order = fov_keys_sort(first, second, count);
  uint64_t *spare = order == first ? second : first;
  for (size_t i = 0; i < count; i++) {
    const uint64_t class_index = class_agnostic ? 0 : candidates->classes[(uint32_t)order[i]];
    ranks[i] = class_index << 32 | (uint32_t)i;
  }
  return (ranking){order, fov_keys_sort(ranks, spare, count)};
}

// The first of those kept that overlaps a box by more than the threshold; `count` if none does.
static size_t find_winner(const fov_candidates *candidates, const fov_box *box,
                          const fov_outline *outline, size_t count, double threshold) {
  const fov_outline_block *block = candidates->outlines;
  for (size_t first = 0; first < count; first += FOV_OUTLINES_IN_BLOCK, block++) {
    for (uint32_t touching = fov_outlines_touching(block, outline); touching != 0;
         touching &= touching - 1) {
      const size_t place = first + (size_t)__builtin_ctz(touching);
      if (overlap(box, &candidates->boxes[candidates->kept[place]]) > threshold) return place;
    }
  }
  return count;
}

// Those without a winner survive, best first.
static void list_survivors(fov_candidates *candidates, const uint64_t *order) {
  for (size_t i = 0; i < candidates->count; i++) {
    const uint32_t index = (uint32_t)order[i];
    if (candidates->winners[index] != FOV_NO_CANDIDATE) continue;
    candidates->survivors[candidates->survivor_count++] =
        (fov_survivor){index, FOV_NO_CANDIDATE, 1, candidates->scores[index]};
  }
}

static void suppress_greedily(fov_candidates *candidates, const fov_detection_settings *settings) {
  const ranking ranked = rank(candidates, settings->class_agnostic);
  const double threshold = settings->iou_threshold < 0 ? 0 : settings->iou_threshold;
  uint64_t class_index = UINT64_MAX;
  size_t kept = 0;  // of this class
  for (size_t i = 0; i < candidates->count; i++) {
    const uint32_t index = (uint32_t)ranked.order[(uint32_t)ranked.ranks[i]];
    const fov_box *box = &candidates->boxes[index];
    const fov_outline outline = fov_outline_of(box);
    if (ranked.ranks[i] >> 32 != class_index) kept = 0;
    class_index = ranked.ranks[i] >> 32;
    const size_t winner = find_winner(candidates, box, &outline, kept, threshold);
    candidates->winners[index] = winner < kept ? candidates->kept[winner] : FOV_NO_CANDIDATE;
    if (winner < kept) continue;
    fov_outlines_set(candidates->outlines, kept, &outline);
    candidates->kept[kept++] = index;
  }
  list_survivors(candidates, ranked.order);
}

// MARK: soft suppression

// Lowers a survivor for its greatest overlap with one of those before it, whose outlines are kept.
static void lower(const fov_candidates *candidates, const fov_detection_settings *settings,
                  const fov_outline *outline, size_t place) {
  const fov_outline_block *block = candidates->outlines;
  fov_survivor *survivor = &candidates->survivors[place];
  const fov_box *box = &candidates->boxes[survivor->index];
  double greatest = 0;
  for (size_t first = 0; first < place; first += FOV_OUTLINES_IN_BLOCK, block++) {
    for (uint32_t touching = fov_outlines_touching(block, outline); touching != 0;
         touching &= touching - 1) {
      const size_t better = first + (size_t)__builtin_ctz(touching);
      const uint32_t other = candidates->survivors[better].index;
      if (!compete(candidates, settings, survivor->index, other)) continue;
      const double shared = overlap(box, &candidates->boxes[other]);
      if (!(shared > greatest)) continue;
      greatest = shared;
      survivor->rival = other;
    }
  }
  survivor->share = (float)(1 - settings->soft_suppression * greatest);
  survivor->score *= survivor->share;
}

// Each loses to the better ones that greedy suppression left, whether those stay or not.
static void suppress_softly(fov_candidates *candidates, const fov_detection_settings *settings) {
  const size_t count = candidates->survivor_count;
  const float threshold = (float)settings->confidence_threshold;
  fov_survivor *survivors = candidates->survivors;
  for (size_t k = 0; k < count; k++) {
    const fov_outline outline = fov_outline_of(&candidates->boxes[survivors[k].index]);
    lower(candidates, settings, &outline, k);
    fov_outlines_set(candidates->outlines, k, &outline);
  }
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
  candidates->survivor_count = kept;
}

static void limit_survivors(fov_candidates *candidates, const fov_detection_settings *settings) {
  const size_t limit = settings->maximum_count;
  if (limit > 0 && limit < candidates->survivor_count) candidates->survivor_count = limit;
}

void fov_suppress(fov_candidates *candidates, const fov_detection_settings *settings) {
  candidates->survivor_count = 0;
  suppress_greedily(candidates, settings);
  if (settings->soft_suppression > 0) suppress_softly(candidates, settings);
  limit_survivors(candidates, settings);
}

// MARK: turned boxes

double fov_turned_overlap(const float *a, const float *b) {
  const fov_turned_box first = fov_turned_box_of(a), second = fov_turned_box_of(b);
  return fov_turned_boxes_overlap(&first, &second);
}

// The candidate of a rank within its class.
static uint32_t at_rank(const ranking *ranked, size_t rank) {
  return (uint32_t)ranked->order[(uint32_t)ranked->ranks[rank]];
}

// Who removes the candidate of a rank: the first better one of its class that it overlaps, or who
// removed that.
static uint32_t turned_winner(const fov_candidates *candidates, const ranking *ranked, size_t rank,
                              const float *turned, double threshold) {
  const float *row = turned + 5 * (size_t)candidates->rows[at_rank(ranked, rank)];
  const double reach = fov_turned_boxes_reach(threshold);
  for (size_t i = rank; i > 0 && ranked->ranks[i - 1] >> 32 == ranked->ranks[rank] >> 32; i--) {
    const uint32_t better = at_rank(ranked, i - 1);
    const float *other = turned + 5 * (size_t)candidates->rows[better];
    if (fov_turned_boxes_are_apart(row, other, reach)) continue;
    if (!(fov_turned_overlap(row, other) > threshold)) continue;
    const uint32_t winner = candidates->winners[better];
    return winner == FOV_NO_CANDIDATE ? better : winner;
  }
  return FOV_NO_CANDIDATE;
}

void fov_suppress_turned(fov_candidates *candidates, const float *turned,
                         const fov_detection_settings *settings) {
  const ranking ranked = rank(candidates, settings->class_agnostic);
  const double threshold = settings->iou_threshold < 0 ? 0 : settings->iou_threshold;
  candidates->survivor_count = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    candidates->winners[at_rank(&ranked, i)] =
        turned_winner(candidates, &ranked, i, turned, threshold);
  }
  list_survivors(candidates, ranked.order);
  limit_survivors(candidates, settings);
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

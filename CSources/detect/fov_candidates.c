// Fovea - boxes that may be objects, and the memory in which they compete.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/spi/fov_candidates.h"

#include <math.h>

#include "base/fov_error.h"
#include "base/fov_size.h"
#include "detect/fov_outlines.h"
#include "detect/fov_plausibility.h"

// MARK: memory

// Where the arrays of candidates begin in their block.
typedef struct layout {
  size_t boxes, scores, classes, rows, winners, survivors, keys, kept, outlines, end;
} layout;

static bool lay_out(size_t capacity, layout *out_layout) {
  layout l = {.end = 0};
  const size_t blocks = fov_size_parts(capacity, FOV_OUTLINES_IN_BLOCK);
  const bool fits = capacity < FOV_NO_CANDIDATE &&
                    fov_size_reserve(&l.end, capacity, sizeof(fov_box), &l.boxes) &&
                    fov_size_reserve(&l.end, capacity, sizeof(float), &l.scores) &&
                    fov_size_reserve(&l.end, capacity, sizeof(uint32_t), &l.classes) &&
                    fov_size_reserve(&l.end, capacity, sizeof(uint32_t), &l.rows) &&
                    fov_size_reserve(&l.end, capacity, sizeof(uint32_t), &l.winners) &&
                    fov_size_reserve(&l.end, capacity, sizeof(fov_survivor), &l.survivors) &&
                    fov_size_reserve(&l.end, capacity, 3 * sizeof(uint64_t), &l.keys) &&
                    fov_size_reserve(&l.end, capacity, sizeof(uint32_t), &l.kept) &&
                    fov_size_reserve(&l.end, blocks, sizeof(fov_outline_block), &l.outlines);
  *out_layout = l;
  return fits;
}

fov_status fov_candidates_bytes(size_t capacity, size_t *out_bytes) {
  layout places;
  if (!lay_out(capacity, &places)) return fov_status_overflow;
  *out_bytes = places.end;
  return fov_status_ok;
}

fov_candidates fov_candidates_place(size_t capacity, void *block) {
  uint8_t *bytes = block;
  layout places;
  lay_out(capacity, &places);
  return (fov_candidates){.capacity = capacity,
                          .boxes = (fov_box *)(bytes + places.boxes),
                          .scores = (float *)(bytes + places.scores),
                          .classes = (uint32_t *)(bytes + places.classes),
                          .rows = (uint32_t *)(bytes + places.rows),
                          .winners = (uint32_t *)(bytes + places.winners),
                          .survivors = (fov_survivor *)(bytes + places.survivors),
                          .keys = (uint64_t *)(bytes + places.keys),
                          .kept = (uint32_t *)(bytes + places.kept),
                          .outlines = bytes + places.outlines};
}

// MARK: scores

#define LANES 8

// The greatest of the scores of a box. False if one of them is not finite.
//
// Compilers make vectors of the lanes. Most boxes end here, without looking which class it was.
static bool find_greatest(const float *scores, size_t count, float *out_greatest) {
  float greatest[LANES], finite[LANES] = {0};  // becomes NaN with the first that is not, and stays
  for (size_t lane = 0; lane < LANES; lane++) greatest[lane] = -INFINITY;
  size_t c = 0;
  for (; c + LANES <= count; c += LANES) {
    for (size_t lane = 0; lane < LANES; lane++) {
      const float score = scores[c + lane];
      finite[lane] += score * 0.0f;
      greatest[lane] = score > greatest[lane] ? score : greatest[lane];
    }
  }
  float best = -INFINITY, sum = 0;
  for (; c < count; c++) {
    sum += scores[c] * 0.0f;
    best = scores[c] > best ? scores[c] : best;
  }
  if (count >= LANES) {
    for (size_t lane = 0; lane < LANES; lane++) {
      sum += finite[lane];
      best = greatest[lane] > best ? greatest[lane] : best;
    }
  }
  *out_greatest = best;
  return sum == 0;
}

// MARK: finding

static fov_status not_finite(fov_diagnostic *diagnostic, const char *what, size_t row) {
  return fov_fail(diagnostic, fov_status_invalid_output,
                  "the network's %s of box %zu are not finite numbers; the model's weights are "
                  "damaged or its input is scaled wrongly",
                  what, row);
}

static bool to_corners(const float *box, fov_box *out_box) {
  const double x = box[0], y = box[1], width = box[2], height = box[3];
  *out_box = (fov_box){x - width / 2, y - height / 2, x + width / 2, y + height / 2};
  return isfinite(x) && isfinite(y) && isfinite(width) && isfinite(height);
}

// Adds a candidate of one class. Those beyond the capacity are counted only.
static fov_status add(fov_candidates *candidates, const fov_scored_boxes *output,
                      const fov_candidate_rule *rule, size_t row, size_t class_index, size_t *count,
                      fov_diagnostic *diagnostic) {
  fov_box box;
  if (rule->allowed && !rule->allowed[class_index]) return fov_status_ok;
  if (!to_corners(output->boxes + 4 * row, &box)) {
    return not_finite(diagnostic, "coordinates", row);
  }
  const size_t place = (*count)++;
  if (place >= candidates->capacity) return fov_status_ok;
  candidates->boxes[place] = box;
  candidates->scores[place] = output->scores[row * output->class_count + class_index];
  candidates->classes[place] = (uint32_t)class_index;
  candidates->rows[place] = (uint32_t)row;
  return fov_status_ok;
}

fov_status fov_candidates_find(fov_candidates *candidates, const fov_scored_boxes *output,
                               const fov_candidate_rule *rule, size_t *out_count,
                               fov_diagnostic *diagnostic) {
  const float *scores = output->scores;
  size_t count = 0;
  candidates->count = candidates->survivor_count = 0;
  *out_count = 0;
  if (!candidates->has_checked_scores) FOV_FORWARD(fov_scores_check(output, diagnostic));
  for (size_t row = 0; row < output->box_count; row++, scores += output->class_count) {
    float greatest;
    if (!find_greatest(scores, output->class_count, &greatest)) {
      return not_finite(diagnostic, "scores", row);
    }
    if (!(greatest >= rule->threshold)) continue;
    const float least = rule->every_class ? rule->threshold : greatest;
    for (size_t c = 0; c < output->class_count; c++) {
      if (!(scores[c] >= least)) continue;
      FOV_FORWARD(add(candidates, output, rule, row, c, &count, diagnostic));
      if (!rule->every_class) break;
    }
  }
  *out_count = count;
  candidates->has_checked_scores = true;
  if (count > candidates->capacity) return fov_status_ok;
  candidates->count = count;
  return fov_candidates_check(candidates, diagnostic);
}

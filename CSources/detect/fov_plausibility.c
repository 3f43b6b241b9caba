// Fovea - whether a network's numbers can be scores and boxes.
// SPDX-License-Identifier: Apache-2.0
#include "detect/fov_plausibility.h"

#include <math.h>

#include "base/fov_error.h"

#define LEAST_SCORE (-0.001f)
#define GREATEST_SCORE 1.001f
// So many scores that are no fractions are no accident.
#define WHOLE_SCORES 16
// Fractions of the image: rounding; 2 pixels of an image of 640; ten times the image.
#define LEAST_SIZE (-0.01)
#define TINY_SIZE (1.0 / 320)
#define HUGE_SIZE 10.0
// Boxes with less may lie anywhere: nothing is there.
#define LOW_SCORE 0.1f
// Fewer boxes may all be tiny by accident.
#define FEW_BOXES 10

#define REMEDY                                                                                    \
  "its outputs are something else; say what they are (head, boxes, scores), or export the model " \
  "again"

static fov_status no_score(fov_diagnostic *diagnostic, size_t row, size_t class_index,
                           float value) {
  return fov_fail(diagnostic, fov_status_invalid_output,
                  "the network's score of box %zu for class %zu is %g, and scores lie in 0...1: "
                  "they are logits, or " REMEDY,
                  row, class_index, (double)value);
}

fov_status fov_scores_check(const fov_scored_boxes *output, fov_diagnostic *diagnostic) {
  const size_t count = output->box_count * output->class_count;
  size_t ones = 0, fractions = 0;
  for (size_t i = 0; i < count; i++) {
    const float score = output->scores[i];
    if (!(score >= LEAST_SCORE && score <= GREATEST_SCORE)) {
      if (!isfinite(score)) continue;  // said by whoever looks for candidates
      return no_score(diagnostic, i / output->class_count, i % output->class_count, score);
    }
    ones += score == 1.0f;
    fractions += score != 1.0f && score != 0.0f;
  }
  if (fractions > 0 || ones < WHOLE_SCORES) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_output,
                  "all of the network's %zu scores are 0 or 1, as numbers of classes are: " REMEDY,
                  count);
}

fov_status fov_candidates_check(const fov_candidates *candidates, fov_diagnostic *diagnostic) {
  size_t looked_at = 0, odd = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    const fov_box box = candidates->boxes[i];
    const float score = candidates->scores[i];
    const double width = box.max_x - box.min_x, height = box.max_y - box.min_y;
    if (!(score >= LOW_SCORE)) continue;
    if (score > GREATEST_SCORE) {
      return no_score(diagnostic, candidates->rows[i], candidates->classes[i], score);
    }
    if (width < LEAST_SIZE || height < LEAST_SIZE) {
      return fov_fail(diagnostic, fov_status_invalid_output,
                      "the network's box %u has a width of %g and a height of %g, in fractions of "
                      "the image: its numbers are corners, or " REMEDY,
                      candidates->rows[i], width, height);
    }
    looked_at += 1;
    odd += (width < TINY_SIZE && height < TINY_SIZE) || width > HUGE_SIZE || height > HUGE_SIZE ||
           fabs(box.min_x) > HUGE_SIZE || fabs(box.min_y) > HUGE_SIZE;
  }
  if (looked_at < FEW_BOXES || 10 * odd < 9 * looked_at) return fov_status_ok;
  return fov_fail(
      diagnostic, fov_status_invalid_output,
      "%zu of the network's %zu boxes are smaller than 2 pixels or lie far beyond the "
      "image: they are pixels where fractions are expected, fractions for pixels, or " REMEDY,
      odd, looked_at);
}

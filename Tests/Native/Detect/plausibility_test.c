// Fovea - tests of what numbers of a network can be scores and boxes.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fovea/spi/fov_candidates.h"
#include "native_test.h"

enum { BOXES = 40, CLASSES = 3 };

// A picture in which every fourth box is an object.
typedef struct output {
  float scores[BOXES][CLASSES];
  float boxes[BOXES][4];
} output;

static output plausible_output(void) {
  output o;
  for (int i = 0; i < BOXES; i++) {
    for (int c = 0; c < CLASSES; c++) o.scores[i][c] = 0.01f * (float)(i % 7);
    if (i % 4 == 0) o.scores[i][i % CLASSES] = 0.9f;
    const float box[4] = {0.02f * (float)i, 0.5f, 0.2f, 0.1f};
    memcpy(o.boxes[i], box, sizeof box);
  }
  return o;
}

// What is said about the pictures of a session, one after another; empty if nothing.
static const char *said_about(const output *outputs, size_t count, float threshold) {
  static char message[sizeof(fov_diagnostic)];
  size_t bytes, found;
  fov_diagnostic diagnostic = {0};
  CHECK(fov_candidates_bytes(BOXES, &bytes) == fov_status_ok);
  fov_candidates candidates = fov_candidates_place(BOXES, native_test_allocate(1, bytes));
  const fov_candidate_rule rule = {.threshold = threshold};
  message[0] = 0;
  for (size_t i = 0; i < count; i++) {
    const fov_scored_boxes scored = {BOXES, CLASSES, outputs[i].scores[0], outputs[i].boxes[0]};
    if (fov_candidates_find(&candidates, &scored, &rule, &found, &diagnostic) == fov_status_ok) {
      continue;
    }
    snprintf(message, sizeof message, "%s", diagnostic.message);
    break;
  }
  return message;
}

static const char *said(const output *o) { return said_about(o, 1, 0.25f); }

static void plausible_numbers_are_taken(void) {
  output o = plausible_output();
  CHECK(!said(&o)[0]);
  o.scores[3][1] = 1.0009f;
  o.scores[5][1] = -0.0009f;
  o.boxes[4][2] = -0.009f;
  CHECK(!said(&o)[0]);
}

static void scores_outside_of_their_range_are_refused(void) {
  output o = plausible_output();
  o.scores[3][1] = -0.5f;
  CHECK(strstr(said(&o), "box 3 for class 1 is -0.5"));
  o.scores[3][1] = 2.5f;
  CHECK(strstr(said(&o), "box 3 for class 1 is 2.5"));
}

// Of later pictures only candidates are looked at.
static void later_scores_are_looked_at_where_they_are_candidates(void) {
  output two[2] = {plausible_output(), plausible_output()};
  two[1].scores[3][1] = -0.5f;
  CHECK(!said_about(two, 2, 0.25f)[0]);
  two[1].scores[3][1] = 2.5f;
  CHECK(strstr(said_about(two, 2, 0.25f), "box 3 for class 1 is 2.5"));
}

static void numbers_of_classes_are_no_scores(void) {
  output o = plausible_output();
  for (int i = 0; i < BOXES; i++) {
    for (int c = 0; c < CLASSES; c++) o.scores[i][c] = (float)(c == i % CLASSES);
  }
  CHECK(strstr(said(&o), "0 or 1"));
}

static void negative_sizes_are_refused(void) {
  output o = plausible_output();
  o.boxes[8][3] = -0.3f;
  CHECK(strstr(said(&o), "box 8 has a width of 0.2 and a height of -0.3"));
}

// Pixels where fractions are expected, and the other way round.
static void boxes_that_are_all_tiny_or_huge_are_refused(void) {
  for (int kind = 0; kind < 2; kind++) {
    output o = plausible_output();
    for (int i = 0; i < BOXES; i++) {
      for (int j = 0; j < 4; j++) o.boxes[i][j] *= kind == 0 ? 320.0f : 1 / 320.0f;
    }
    // Two of the ten objects: not nine of ten any more.
    CHECK(strstr(said(&o), "10 of the network's 10 boxes"));
    for (int i = 0; i < 8; i += 4) memcpy(o.boxes[i], (float[]){0.5f, 0.5f, 0.2f, 0.1f}, 16);
    CHECK(!said(&o)[0]);
  }
}

// With a threshold of 0 all boxes are candidates; where nothing is, they may lie anywhere.
static void boxes_of_nothing_may_lie_anywhere(void) {
  output o = plausible_output();
  for (int i = 0; i < BOXES; i++) {
    for (int c = 0; c < CLASSES; c++) o.scores[i][c] = 0.01f;
    for (int j = 0; j < 4; j++) o.boxes[i][j] = -50;
  }
  CHECK(!said_about(&o, 1, 0)[0]);
}

int main(void) {
  RUN(plausible_numbers_are_taken);
  RUN(scores_outside_of_their_range_are_refused);
  RUN(later_scores_are_looked_at_where_they_are_candidates);
  RUN(numbers_of_classes_are_no_scores);
  RUN(negative_sizes_are_refused);
  RUN(boxes_that_are_all_tiny_or_huge_are_refused);
  RUN(boxes_of_nothing_may_lie_anywhere);
  return native_test_end();
}

// Fovea - tests of turned boxes that compete.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fovea/spi/fov_suppression.h"
#include "native_test.h"

#define HALF_PI 1.5707963267948966f

// Two boxes, and their overlap as float64 arithmetic of another program gives it.
typedef struct pair {
  float a[5], b[5];
  double overlap;
} pair;

static const pair pairs[] = {
    {{50, 40, 30, 10, 0.5f}, {52, 41, 28, 12, 0.25f}, 0.7676627201893647},
    {{50, 40, 30, 10, 0.5f}, {50, 40, 30, 10, 0.5f}, 0.9995527864101446},
    {{50, 40, 30, 10, 0.5f}, {50, 40, 30, 10, 0.5f + HALF_PI}, 0.367544380380726},
    {{50, 40, 30, 10, -0.75f}, {60, 30, 20, 20, 2}, 0.3226161357307952},
    {{0, 0, 4, 4, 0}, {3, 0, 4, 4, 0}, 0.24507916127756013},
    {{0, 0, 4, 4, 0}, {400, 0, 4, 4, 0}, 0},
    {{50, 40, 30, 10, 0.5f}, {53, 38, 26, 8, 2.75f}, 0.3944952232895278},
};

static void overlaps_are_those_of_the_formula(pair p) {
  CHECK_NEAR(fov_turned_overlap(p.a, p.b), p.overlap, 1e-6);
  CHECK_NEAR(fov_turned_overlap(p.b, p.a), p.overlap, 1e-6);
}

static void what_is_no_number_overlaps_nothing(void) {
  float box[5] = {0, 0, 4, 4, 0};
  for (int i = 0; i < 5; i++) {
    float other[5] = {0, 0, 4, 4, 0};
    other[i] = NAN;
    CHECK(fov_turned_overlap(box, other) == 0);
  }
}

enum { COUNT = 6 };

static fov_candidates boxes_in_a_row(size_t count) {
  size_t bytes;
  CHECK(fov_candidates_bytes(count, &bytes) == fov_status_ok);
  fov_candidates candidates = fov_candidates_place(count, native_test_allocate(1, bytes));
  candidates.count = count;
  for (size_t i = 0; i < count; i++) {
    candidates.boxes[i] = (fov_box){0, 0, 1, 1};
    candidates.scores[i] = 0.9f - 0.1f * (float)i;
    candidates.classes[i] = 0;
    candidates.rows[i] = (uint32_t)(count - 1 - i);
  }
  return candidates;
}

// Squares of 4 that are 2 apart overlap by 0.44, and by 0.12 where they are 4 apart.
static void a_fallen_box_lets_others_fall(void) {
  fov_candidates candidates = boxes_in_a_row(COUNT);
  float turned[COUNT][5];
  for (int i = 0; i < COUNT; i++) {
    // Three in a chain, then one of another class, then one far away, twice.
    const float x[COUNT] = {0, 2, 4, 0, 100, 100};
    const float row[5] = {x[i], 0, 4, 4, 0};
    memcpy(turned[COUNT - 1 - i], row, sizeof row);
  }
  candidates.classes[3] = 1;
  fov_detection_settings settings = {.iou_threshold = 0.3};
  fov_suppress_turned(&candidates, turned[0], &settings);
  const uint32_t expected[COUNT] = {FOV_NO_CANDIDATE, 0, 0, FOV_NO_CANDIDATE, FOV_NO_CANDIDATE, 4};
  for (int i = 0; i < COUNT; i++) {
    CASE("box %d", i);
    CHECK_EQUAL(candidates.winners[i], expected[i]);
  }
  CHECK_EQUAL(candidates.survivor_count, 3);
  CHECK_EQUAL(candidates.survivors[1].index, 3);
  settings.class_agnostic = true;
  settings.maximum_count = 1;
  fov_suppress_turned(&candidates, turned[0], &settings);
  CHECK_EQUAL(candidates.winners[3], 0);
  CHECK_EQUAL(candidates.survivor_count, 1);
}

// The quick look at distances changes nothing: every pair is looked at here.
static void random_boxes_fall_as_the_rule_says(void) {
  enum { MANY = 200 };
  static float turned[MANY][5];
  uint32_t state = 7;
  for (int i = 0; i < MANY; i++) {
    for (int j = 0; j < 5; j++) {
      state = state * 1664525u + 1013904223u;
      const float part = (float)(state >> 8) / (float)(1 << 24);
      turned[i][j] = j < 2 ? 100 * part : j < 4 ? 1 + 40 * part : 7 * part - 3;
    }
  }
  for (int t = 0; t <= 10; t++) {
    fov_candidates candidates = boxes_in_a_row(MANY);
    const fov_detection_settings settings = {.iou_threshold = 0.1 * t};
    fov_suppress_turned(&candidates, turned[0], &settings);
    size_t kept = 0;
    for (size_t i = 0; i < MANY; i++) {
      bool falls = false;
      for (size_t j = 0; j < i && !falls; j++) {
        falls = fov_turned_overlap(turned[candidates.rows[i]], turned[candidates.rows[j]]) >
                settings.iou_threshold;
      }
      CASE("threshold %d, box %zu", t, i);
      CHECK((candidates.winners[i] != FOV_NO_CANDIDATE) == falls);
      kept += !falls;
    }
    CHECK_EQUAL(candidates.survivor_count, kept);
  }
}

int main(void) {
  RUN_ALL(overlaps_are_those_of_the_formula, pairs);
  RUN(what_is_no_number_overlaps_nothing);
  RUN(a_fallen_box_lets_others_fall);
  RUN(random_boxes_fall_as_the_rule_says);
  return native_test_end();
}

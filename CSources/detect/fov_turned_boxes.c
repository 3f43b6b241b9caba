// Fovea - how much turned boxes overlap.
// SPDX-License-Identifier: Apache-2.0
#include "detect/fov_turned_boxes.h"

#include <math.h>

// Keeps divisors and logarithms off 0, as the networks' own rule does.
#define LEAST 1e-7

fov_turned_box fov_turned_box_of(const float *row) {
  const double a = (double)row[2] * (double)row[2] / 12, b = (double)row[3] * (double)row[3] / 12;
  const double cosine = cos((double)row[4]), sine = sin((double)row[4]);
  return (fov_turned_box){
      .x = (double)row[0],
      .y = (double)row[1],
      .across = a * cosine * cosine + b * sine * sine,
      .down = a * sine * sine + b * cosine * cosine,
      .both = (a - b) * cosine * sine,
  };
}

static double determinant(const fov_turned_box *box) {
  return fmax(box->across * box->down - box->both * box->both, 0);
}

double fov_turned_boxes_overlap(const fov_turned_box *a, const fov_turned_box *b) {
  const double across = a->across + b->across, down = a->down + b->down, both = a->both + b->both;
  const double whole = across * down - both * both, x = a->x - b->x, y = a->y - b->y;
  const double apart =
      (across * y * y + down * x * x) / (whole + LEAST) / 4 - both * x * y / (whole + LEAST) / 2;
  const double shapes = 4 * sqrt(determinant(a) * determinant(b)) + LEAST;
  const double distance = apart + log(whole / shapes + LEAST) / 2;
  if (!(distance == distance)) return 0;
  return 1 - sqrt(1 - exp(-fmin(fmax(distance, LEAST), 100)) + LEAST);
}

// The distance is at least |d|^2 / (4 trace) for centers d apart: a covariance, turned or not,
// stretches nothing by more than its trace, and the logarithm is not negative but for LEAST.
double fov_turned_boxes_reach(double threshold) {
  const double rest = 1 - threshold;
  const double distance = -log(1 + LEAST - rest * rest) + 1e-3;
  return distance < 100 ? 4 * distance : INFINITY;
}

static double trace(const float *row) {
  return ((double)row[2] * (double)row[2] + (double)row[3] * (double)row[3]) / 12;
}

bool fov_turned_boxes_are_apart(const float *a, const float *b, double reach) {
  const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
  return x * x + y * y > reach * (trace(a) + trace(b) + 1e-3);
}

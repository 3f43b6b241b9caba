// Fovea - areas that quadrilaterals have in common, and the logistic function.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_exact.h"

static float area_of(const fov_point *points, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += fov_cross(points[i], points[(i + 1) % count]);
  return sum * 0.5f;
}

float fov_quad_area(const fov_point quad[4]) { return area_of(quad, 4); }

// Keeps what lies at the right hand of the line from `from` to `to`, on a picture whose y points
// down.
static int clip(const fov_point *points, int count, fov_point from, fov_point to, fov_point *out) {
  int kept = 0;
  const fov_point along = fov_minus(to, from);
  for (int i = 0; i < count; i++) {
    const fov_point a = points[i], b = points[(i + 1) % count];
    const float side_a = fov_cross(along, fov_minus(a, from));
    const float side_b = fov_cross(along, fov_minus(b, from));
    if (side_a >= 0) out[kept++] = a;
    if ((side_a > 0 && side_b < 0) || (side_a < 0 && side_b > 0)) {
      out[kept++] = fov_between(a, b, side_a / (side_a - side_b));
    }
  }
  return kept;
}

float fov_quad_common_area(const fov_point a[4], const fov_point b[4]) {
  // Each cut of a convex shape adds at most one corner. Rounding may make one more.
  fov_point rooms[2][16];
  int count = 4;
  for (int i = 0; i < 4; i++) rooms[0][i] = a[i];
  for (int i = 0; i < 4 && count > 0 && count <= 8; i++) {
    count = clip(rooms[i % 2], count, b[i], b[(i + 1) % 4], rooms[(i + 1) % 2]);
  }
  return count < 3 ? 0 : fov_most(0, area_of(rooms[0], count));
}

float fov_quad_overlap(const fov_point a[4], const fov_point b[4]) {
  const float common = fov_quad_common_area(a, b);
  const float all = fov_quad_area(a) + fov_quad_area(b) - common;
  return all > 0 ? common / all : 0;
}

float fov_logistic(float x) {
  // e^-|x| by its series on a part of at most 1/2, and squared back.
  const double rest = -fabs((double)fov_bounded(x, -30, 30)) / 64;
  double power = 1;
  for (int k = 9; k > 0; k--) power = 1 + power * rest / k;
  for (int k = 0; k < 6; k++) power *= power;
  return (float)(x < 0 ? power / (1 + power) : 1 / (1 + power));
}

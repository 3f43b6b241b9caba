// Fovea - convex hulls of points, and quadrilaterals around them.
// SPDX-License-Identifier: Apache-2.0
#include "fov_hull.h"

#include <math.h>
#include <string.h>

#include "fov_still_exact.h"

// At most twice FOV_CODE_REGION_SIDE points make a hull.
enum { points_max = 480 };

static double cross(fov_hull_point a, fov_hull_point b, fov_hull_point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Appends a chain of corners that turn clockwise (y down) in this order of the points.
static int append_chain(const fov_hull_point *points, int count, bool backwards,
                        fov_hull_point *chain) {
  int length = 0;
  for (int i = 0; i < count; i++) {
    const fov_hull_point point = points[backwards ? count - 1 - i : i];
    while (length >= 2 && cross(chain[length - 2], chain[length - 1], point) <= 0) length--;
    chain[length++] = point;
  }
  // Its last point is the first one of the other chain.
  return length - 1;
}

int fov_hull(fov_hull_point *points, int count) {
  if (count < 3 || count > points_max) return 0;
  fov_hull_point chain[2 * points_max + 2];
  int length = append_chain(points, count, false, chain);
  length += append_chain(points, count, true, chain + length);
  if (length > points_max) return 0;
  memcpy(points, chain, (size_t)length * sizeof *points);
  return length;
}

double fov_hull_area(const fov_hull_point *corners, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const fov_hull_point a = corners[i], b = corners[(i + 1) % count];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum / 2;
}

// Where the side before (b, c) and the side after it meet beyond that side. False where they do
// not.
static bool meet(fov_hull_point a, fov_hull_point b, fov_hull_point c, fov_hull_point d,
                 fov_hull_point *out_point) {
  const double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - d.x, vy = c.y - d.y;
  const double turn = ux * vy - uy * vx;
  if (fabs(turn) < 1e-9) return false;
  const double t = ((d.x - a.x) * vy - (d.y - a.y) * vx) / turn;
  *out_point = (fov_hull_point){a.x + t * ux, a.y + t * uy};
  const double beyond = (out_point->x - c.x) * vx + (out_point->y - c.y) * vy;
  return t >= 1 && beyond >= -1e-9;
}

bool fov_hull_quadrilateral(fov_hull_point *corners, int count, fov_hull_point out_corners[4]) {
  while (count > 4) {
    int best = -1;
    double least = INFINITY;
    fov_hull_point replacement = {0, 0};
    for (int i = 0; i < count; i++) {
      const fov_hull_point b = corners[i], c = corners[(i + 1) % count];
      fov_hull_point point;
      if (!meet(corners[(i + count - 1) % count], b, c, corners[(i + 2) % count], &point)) continue;
      const double area = fabs(cross(point, b, c)) / 2;
      if (area < least) {
        least = area;
        best = i;
        replacement = point;
      }
    }
    if (best < 0) return false;
    corners[best] = replacement;
    const int removed = (best + 1) % count;
    memmove(corners + removed, corners + removed + 1,
            (size_t)(count - removed - 1) * sizeof *corners);
    count--;
  }
  if (count != 4 || !(fov_hull_area(corners, 4) > 0)) return false;
  memcpy(out_corners, corners, 4 * sizeof *corners);
  return true;
}

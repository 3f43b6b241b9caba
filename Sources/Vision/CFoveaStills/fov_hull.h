// Fovea - convex hulls of points, and quadrilaterals around them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_HULL_H
#define FOV_HULL_H

#include <stdbool.h>

typedef struct fov_hull_point {
  double x, y;
} fov_hull_point;

// Replaces points, which are sorted by y, by the corners of their convex hull, clockwise with y
// down. Returns the number of corners.
int fov_hull(fov_hull_point *points, int count);

// Twice less than the sum of cross products: above 0 for corners that run clockwise with y down.
double fov_hull_area(const fov_hull_point *corners, int count);

// Writes four corners of a quadrilateral that holds a convex hull, which is changed. False where
// the hull has fewer corners than four, or sides that are parallel in pairs do not allow it.
bool fov_hull_quadrilateral(fov_hull_point *corners, int count, fov_hull_point out_corners[4]);

#endif

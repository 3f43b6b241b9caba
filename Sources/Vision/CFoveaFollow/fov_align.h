// Fovea - fitting a remembered view of the object: place, width, height and angle.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ALIGN_H
#define FOV_ALIGN_H

#include "fov_lanes.h"

#define FOV_ALIGN_SIDE 32  // points of a view along a side, at most

// Where the object lies: its middle in pixels, its sides over those at first, and how far it is
// turned, in radians clockwise. The rectangle is stretched first and turned then.
typedef struct fov_pose {
  float x, y, across, down, angle;
} fov_pose;

// A part of a picture, reduced or enlarged: pixel (i, j) is the mean around the point
// (left + (i + 1/2) across, top + (j + 1/2) down) of the picture.
typedef struct fov_view {
  const float *pixels;
  size_t width, height;
  float left, top, across, down;
} fov_view;

// The object as a grid of points over its rectangle, with mean 0 and variance 1.
typedef struct fov_align {
  size_t columns, rows;
  float step_x, step_y;  // between points, in pixels of the picture at the object's first size
  float place_spread;    // in pixels: how far a fit may well move
  bool learned;
  float remembered[FOV_ALIGN_SIDE * FOV_ALIGN_SIDE];
  float slope_x[FOV_ALIGN_SIDE * FOV_ALIGN_SIDE], slope_y[FOV_ALIGN_SIDE * FOV_ALIGN_SIDE];
  float taper[FOV_ALIGN_SIDE * FOV_ALIGN_SIDE];  // how much a point counts: an ellipse
  float seen[FOV_ALIGN_SIDE * FOV_ALIGN_SIDE];
} fov_align;

// Forgets everything. The object is width x height pixels large.
FOV_HIDDEN void fov_align_begin(fov_align *align, float width, float height);

// Moves the pose to where the view resembles what is remembered most, and returns the correlation
// there, -1 ... 1. Gains and offsets of brightness do not matter.
FOV_HIDDEN float fov_align_fit(fov_align *align, const fov_view *view, fov_pose *pose);

// Mixes what the view shows at the pose into what is remembered.
FOV_HIDDEN void fov_align_learn(fov_align *align, const fov_view *view, const fov_pose *pose);

#endif

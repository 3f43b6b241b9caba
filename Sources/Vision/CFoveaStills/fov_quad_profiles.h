// Fovea - levels of a picture across the side of a quadrilateral.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_QUAD_PROFILES_H
#define FOV_QUAD_PROFILES_H

#include "fov_quad_parts.h"

#define FOV_QUAD_SAMPLES 96  // at most, along a side
#define FOV_QUAD_REACH 12    // samples to each side, half a unit apart
#define FOV_QUAD_ACROSS (2 * FOV_QUAD_REACH + 1)

// Levels along lines across a side, from outside to inside. The side itself is at FOV_QUAD_REACH.
typedef struct fov_quad_profiles {
  int count;
  float length;                    // of the side, in pixels
  float unit;                      // pixels
  fov_point from, along, inward;   // the side's first corner; unit vectors
  float places[FOV_QUAD_SAMPLES];  // pixels from the first corner
  float levels[FOV_QUAD_SAMPLES][FOV_QUAD_ACROSS];
  float signs;  // 1: inside is brighter in `levels` everywhere; near 0: in half of all
  float step;   // the mean difference of inside and outside
} fov_quad_profiles;

// Samples the side from corner a to corner b of a quadrilateral that runs clockwise, from `start`
// to `end` of its length. `linear`: of the light's intensity, which blur mixes, not of the levels
// that stand for it. Colors become one number: along the difference of inside and outside.
FOV_HIDDEN void fov_quad_sample(const fov_still_image *picture, fov_point a, fov_point b,
                                float start, float end, float unit, bool linear,
                                fov_quad_profiles *out);

#endif

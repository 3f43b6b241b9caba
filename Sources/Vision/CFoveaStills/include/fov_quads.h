// Fovea - finding quadrilaterals in pictures.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_QUADS_H
#define FOV_QUADS_H

#include "fov_rectify.h"

#ifdef __clang__
#define FOV_QUADS_CLOSED __attribute__((enum_extensibility(closed)))
#else
#define FOV_QUADS_CLOSED
#endif

typedef enum FOV_QUADS_CLOSED fov_quads_status {
  fov_quads_status_ok = 0,
  fov_quads_status_invalid_argument = 1,
  fov_quads_status_out_of_memory = 2,
} fov_quads_status;

// The longest side of a picture in which quadrilaterals can be looked for, in pixels.
#define FOV_QUADS_SIDE_MAX 65535

// The most quadrilaterals that are found in a picture.
#define FOV_QUADS_COUNT_MAX 64

// What is reported.
typedef struct fov_quad_limits {
  float minimum_size;    // of the shortest side, over the picture's shorter side
  float minimum_aspect;  // the shorter over the longer mean of two opposite sides, 0 to 1
  float maximum_aspect;  // the same, 0 to 1
  float maximum_cosine;  // of every angle, without its sign: the sine of the error from 90 degrees
  float minimum_confidence;  // 0 to 1
} fov_quad_limits;

// A quadrilateral: corners clockwise in the picture, x and y in turn, from the corner with the
// least sum of both. Pixels from the picture's upper left; centers of pixels lie at halves.
typedef struct fov_quad {
  double corners[8];
  float confidence;  // how likely it is a thing of its own, 0 to 1
} fov_quad;

// The memory for looking at one picture at a time, of one size.
typedef struct fov_quad_finder fov_quad_finder;

// Creates what looks at pictures of 1 or 3 channels: 16 bytes a pixel of color up to 0.6
// megapixels, never more than 12 MB, and 1 MB more. The caller owns the result;
// fov_quad_finder_destroy takes it.
fov_quads_status fov_quad_finder_create(int width, int height, int channels,
                                        fov_quad_finder **out_finder)
    __attribute__((warn_unused_result));

// Destroys a finder. Takes NULL.
void fov_quad_finder_destroy(fov_quad_finder *finder);

// Finds at most `capacity` quadrilaterals, the most confident first. Two that overlap at 0.5 or
// more of their union are one. Allocates nothing. The results are the same on every processor.
fov_quads_status fov_quad_finder_find(fov_quad_finder *finder, const fov_still_image *picture,
                                      const fov_quad_limits *limits, int capacity,
                                      fov_quad *out_quads, int *out_count)
    __attribute__((warn_unused_result));

#endif

// Fovea - parts of the follower's core that its interface does not show, for tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOLLOWING_PROBE_H
#define FOLLOWING_PROBE_H

#include "fov_follow.h"

// The largest distance of a transform of `values` (size x size, 16 channels) from sums in double
// precision, over sampled frequencies, and of the transform back from the values.
typedef struct following_probe_errors {
  double forward, back;
} following_probe_errors;
following_probe_errors following_probe_fourier(size_t size, const float *values);

float following_probe_exp(float x);
float following_probe_log(float x);
void following_probe_sine_cosine(double x, float *out_sine, float *out_cosine);

void following_probe_sample(const fov_plane *plane, fov_follow_box window, size_t width,
                            size_t height, float *out);

typedef struct following_probe_pose {
  float x, y, across, down, angle, likeness;
} following_probe_pose;

// Learns the view of `first` (side x side pixels, an object of width x height in the middle), and
// fits it to `second` from the same pose.
following_probe_pose following_probe_align(const float *first, const float *second, size_t side,
                                           float width, float height);

#endif

// Fovea - running the decoding of detector heads by itself, for tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef DETECTION_PROBE_H
#define DETECTION_PROBE_H

#include <stdbool.h>
#include <stddef.h>

// One head of anchors * (5 + classes) channels.
typedef struct detection_probe {
  size_t anchors, classes, rows, columns;
  bool channels_last;  // kept in a wider array with a border; what is not the head's own is NaN
  bool pixels_outermost;
  bool squared_sizes;
  float center_scales[2];
  float floor;
  size_t threads;
} detection_probe;

// head: planar. terms: (N, 4). confidence: (N, classes), coordinates: (N, 4). false without memory.
bool detection_probe_run(const detection_probe *probe, const float *head, const float *terms,
                         float *confidence, float *coordinates);

#endif

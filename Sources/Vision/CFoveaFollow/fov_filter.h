// Fovea - a correlation filter whose weights are confined to the object.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FILTER_H
#define FOV_FILTER_H

#include "fov_fourier.h"

// Channels x of a window, a wanted response y (a bell around the middle), weights w:
//
//   minimize   |sum over channels of w * x - y|^2  +  |penalty w|^2  +  memory |w - w before|^2
//
// The penalty is small on the object and large around it, so that a window much larger than the
// object can be searched without learning its surroundings. The last term lets weights change
// slowly. Alternating directions (ADMM) solve it: one step is exact in the frequencies, where the
// first and the last term fall apart, the other in space, where the penalty does. (Galoogahi 2017,
// Li 2018.) Two steps are enough, since each picture begins where the last one ended.
typedef struct fov_filter {
  fov_fourier fourier;
  size_t cells, groups;  // of a window's side; of eight channels
  bool learned;
  float *target;              // spectrum of the wanted response: [column][row]
  float *penalty;             // squared: [row][column], the object is in the middle
  fov_complex_lanes *sample;  // spectrum of the last window seen
  fov_complex_lanes *weights, *before, *confined, *dual;
  fov_complex_lanes *response;  // one group
  fov_lanes *map;               // [row][column][group]
} fov_filter;

// Lays the arrays out from `memory` on, aligned to 64 bytes, unless it is NULL. Returns the bytes
// that they take.
FOV_HIDDEN size_t fov_filter_lay_out(fov_filter *filter, size_t cells, size_t groups, void *memory);

// Forgets everything. The object covers width x height cells in the middle of the window.
FOV_HIDDEN void fov_filter_begin(fov_filter *filter, float width, float height);

// Learns a window, tapered, with the object in its middle.
FOV_HIDDEN void fov_filter_learn(fov_filter *filter, const fov_lanes *map);

// Learns the window that fov_filter_respond saw last, with the object `across` and `down` cells
// from the middle. The window is taken for periodic, so that both should be small.
FOV_HIDDEN void fov_filter_learn_seen(fov_filter *filter, float across, float down);

// out_response: [row][column], largest at the displacement of the object in cells, modulo `cells`.
FOV_HIDDEN void fov_filter_respond(fov_filter *filter, const fov_lanes *map, float *out_response);

#endif

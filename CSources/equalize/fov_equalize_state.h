// Fovea - the state of equalization, which its steps share.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_EQUALIZE_STATE_H
#define FOV_EQUALIZE_STATE_H

#include "fovea/core/fov_model.h"
#include "graph/fov_graph_types.h"
#include "graph/fov_graph_users.h"
#include "ops/fov_convolution_parameters.h"

// s of a channel that a dense convolution reads is its amplitude to the power of one of these
// quarters. Square roots are rounded in the same way on all processors. With larger exponents than
// a half, small channels would have no room, and other images leave their ranges
// (Benchmarks/History/real.md).
#define FOV_EXPONENTS 3  // 0, 1/4, 1/2

// Channels that a sum, a concatenation or a pooling ties together form a class, which has one s.
// Values whose channels are tied form a region, which has one exponent.
typedef struct fov_equalizer {
  fov_graph *graph;
  const size_t *first;          // (value_count + 1,): the first channel of each value
  fov_channel_summary *ranges;  // (channels,)
  float *divisors;              // (channels,), the result, or NULL
  fov_graph_users users;
  size_t *parents;    // (channels,): a forest, whose roots stand for classes
  bool *fixed;        // (channels,), at roots: s is 1
  bool *dense;        // (channels,), at roots: a dense convolution reads it
  float *amplitude;   // (channels,), at roots
  float *floor;       // (channels,), at roots: the least amplitude that counts
  uint32_t *regions;  // (value_count,): a forest, whose roots stand for regions
  uint8_t *exponent;  // (value_count,), at roots: of dense classes, in quarters
} fov_equalizer;

static inline size_t fov_equalizer_channels(const fov_equalizer *equalizer, uint32_t value) {
  return equalizer->first[value + 1] - equalizer->first[value];
}

// Finds classes and regions, and the amplitude of each class: fov_equalize_classes.c.
FOV_INTERNAL fov_status fov_equalizer_classify(fov_equalizer *equalizer);

// The root of the region of a value.
FOV_INTERNAL uint32_t fov_equalizer_region(fov_equalizer *equalizer, uint32_t value);

// s of a channel if its region had this exponent.
FOV_INTERNAL float fov_equalizer_divisor(fov_equalizer *equalizer, size_t channel,
                                         uint8_t exponent);

// Chooses the exponent of every region: fov_equalize_balance.c.
FOV_INTERNAL fov_status fov_equalizer_balance(fov_equalizer *equalizer);

#endif

// Fovea - channels in the order in which ShuffleNet mixes groups.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_SHUFFLE_H
#define FOV_CHANNELS_LAST_SHUFFLE_H

#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// The channels are groups of equal size, and the result has the first of each group, then the
// second of each, and so on:
//
//   a0 a1 a2 b0 b1 b2  ->  a0 b0 a1 b1 a2 b2
//
// Parameters: size_t groups, 2 or more. There is one input, which holds all groups, or an input for
// each.
FOV_INTERNAL extern const fov_operation fov_operation_channels_last_shuffle;

// Where a channel of the result comes from.
typedef struct fov_shuffle_source {
  size_t input, channel;
} fov_shuffle_source;

static inline fov_shuffle_source fov_channels_last_shuffled(size_t channel, size_t channels,
                                                            size_t groups, size_t input_count) {
  const size_t group = channel % groups, in_group = channel / groups;
  return input_count == 1 ? (fov_shuffle_source){0, group * (channels / groups) + in_group}
                          : (fov_shuffle_source){group, in_group};
}

#endif

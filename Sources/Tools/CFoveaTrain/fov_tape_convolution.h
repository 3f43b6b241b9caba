// Fovea - convolutions on a tape.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TAPE_CONVOLUTION_H
#define FOV_TAPE_CONVOLUTION_H

#include "fov_tape.h"

typedef struct fov_tape_convolution {
  fov_convolution convolution;
  bool has_activation;
  fov_unary activation;
  size_t weights;  // its place in the tape's list
} fov_tape_convolution;

// With an activation backward reads the result as well.
FOV_TRAIN_HIDDEN extern const fov_tape_operation fov_tape_dense;
FOV_TRAIN_HIDDEN extern const fov_tape_operation fov_tape_dense_activated;
FOV_TRAIN_HIDDEN extern const fov_tape_operation fov_tape_depthwise;
FOV_TRAIN_HIDDEN extern const fov_tape_operation fov_tape_depthwise_activated;

static inline const fov_tape_convolution *fov_tape_convolution_of(const fov_tape_call *call) {
  return call->node->parameters;
}

static inline const fov_tape_weights *fov_tape_weights_of(const fov_tape_call *call) {
  return &call->tape->weights[fov_tape_convolution_of(call)->weights];
}

static inline const fov_unary *fov_tape_activation_of(const fov_tape_call *call) {
  const fov_tape_convolution *c = fov_tape_convolution_of(call);
  return c->has_activation ? &c->activation : NULL;
}

// MARK: Patches
// One row for each pixel of the output: what the taps of the kernel read there, tap after tap.

typedef struct fov_tape_patches {
  const fov_convolution *convolution;
  const fov_tape_size *in, *out;
  size_t first_channel, channels;  // of each tap
} fov_tape_patches;

// Pixels [pixel, pixel + count) of the output.
FOV_TRAIN_HIDDEN void fov_tape_gather(const fov_tape_patches *patches, const fov_real *in,
                                      size_t pixel, size_t count, fov_real *out);

// Adds patches to where they were gathered.
FOV_TRAIN_HIDDEN void fov_tape_scatter(const fov_tape_patches *patches, const fov_real *from,
                                       size_t pixel, size_t count, fov_real *in_gradient);

#endif

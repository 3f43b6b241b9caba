// Fovea - a scale and a bias per channel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OP_CHANNEL_AFFINE_H
#define FOV_OP_CHANNEL_AFFINE_H

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

// y = x * scale[c] + bias[c] over channels (dimension -3). Neither array is NULL.
typedef struct fov_channel_affine {
  size_t channels;
  float *scale;
  float *bias;
} fov_channel_affine;

// Copies the arrays; NULL means a scale of 1 or a bias of 0. Fails with invalid_argument for no
// channels and with out_of_memory; then out_parameters owns nothing.
FOV_INTERNAL fov_status fov_channel_affine_create(size_t channels, const float *scale,
                                                  const float *bias,
                                                  fov_channel_affine *out_parameters);

// Frees the arrays, not the structure; leaves it empty.
FOV_INTERNAL void fov_channel_affine_release(fov_channel_affine *parameters);

#endif

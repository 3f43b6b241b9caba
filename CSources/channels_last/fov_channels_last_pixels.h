// Fovea - an image of bytes as the first convolution reads it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_PIXELS_H
#define FOV_CHANNELS_LAST_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/fov_operations.h"
#include "tensor/fov_format.h"

// A byte of an image has 256 values, whatever the network makes of it: one table a channel. As
// codes an image whose bias is the same in all channels is stored as it comes.
typedef struct fov_channels_last_pixels {
  fov_pixels pixels;
  bool identity;            // codes: code = byte
  uint8_t codes[4][256];    // [channel of the network][byte]
  float values[4][256];
} fov_channels_last_pixels;

// The quantization that loses least: none at all when the biases of all channels agree and zero
// is a code.
FOV_INTERNAL fov_quantization fov_channels_last_pixels_quantization(const fov_pixels *pixels,
                                                             size_t channels);

FOV_INTERNAL fov_channels_last_pixels fov_channels_last_pixels_create(const fov_pixels *pixels, size_t channels,
                                                        fov_quantization quantization);

#endif

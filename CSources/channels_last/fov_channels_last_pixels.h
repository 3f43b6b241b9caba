// Fovea - an image of bytes as the first convolution reads it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_PIXELS_H
#define FOV_CHANNELS_LAST_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"
#include "tensor/fov_format.h"

// A byte has 256 values, so that scale and bias of a channel become one table. If all channels have
// the same bias, the bytes of an image are its codes, and no table is needed.
typedef struct fov_channels_last_pixels {
  fov_pixels pixels;
  bool identity;          // codes: code = byte
  uint8_t codes[4][256];  // [channel of the network][byte]
  float values[4][256];
} fov_channels_last_pixels;

// The quantization that loses least. It loses nothing when all channels have the same bias and zero
// is a code.
FOV_INTERNAL fov_quantization fov_channels_last_pixels_quantization(const fov_pixels *pixels,
                                                                    size_t channels);

FOV_INTERNAL fov_channels_last_pixels fov_channels_last_pixels_create(
    const fov_pixels *pixels, size_t channels, fov_quantization quantization);

#endif

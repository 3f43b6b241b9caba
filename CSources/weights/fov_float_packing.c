// Fovea - weights of float convolutions in the order in which kernels read them.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_float_packing.h"

#include <string.h>

#include "base/fov_size.h"
#include "kernels/float/fov_float_kernels.h"
#include "kernels/int8/fov_int8_kernels.h"

// Channels of a block. A kernel takes all taps of a block before the next block, so that the pixels
// of a tile stay in the first cache from tap to tap: 8 pixels of 512 channels are 16 KiB. Shorter
// blocks have more loops, and measured the same or slower. A kernel of one tap reads each pixel
// once and needs no blocks.
#define FOV_FLOAT_BLOCK 512

static bool fov_float_packing_size(fov_float_packing *packing) {
  if (packing->output_channels == 0 || packing->input_channels == 0) return false;
  if (packing->kernel[0] == 0 || packing->kernel[1] == 0) return false;
  packing->panels = fov_size_parts(packing->output_channels, FOV_PANEL);
  return fov_size_multiply(packing->kernel[0], packing->kernel[1], &packing->panel_floats) &&
         fov_size_multiply(packing->panel_floats, packing->input_channels,
                           &packing->panel_floats) &&
         fov_size_multiply(packing->panel_floats, FOV_PANEL, &packing->panel_floats) &&
         fov_size_multiply(packing->panel_floats, packing->panels, &packing->bytes) &&
         fov_size_multiply(packing->bytes, sizeof(float), &packing->bytes);
}

bool fov_float_packing_plan(size_t output_channels, size_t input_channels, const size_t kernel[2],
                            fov_float_packing *out_packing) {
  const bool one_tap = kernel[0] == 1 && kernel[1] == 1;
  *out_packing = (fov_float_packing){
      .output_channels = output_channels,
      .input_channels = input_channels,
      .kernel = {kernel[0], kernel[1]},
      .block = one_tap ? input_channels : fov_size_min(input_channels, FOV_FLOAT_BLOCK),
  };
  return fov_float_packing_size(out_packing);
}

bool fov_float_packing_plan_depthwise(size_t channels, const size_t kernel[2],
                                      fov_float_packing *out_packing) {
  *out_packing = (fov_float_packing){
      .output_channels = channels,
      .input_channels = 1,
      .kernel = {kernel[0], kernel[1]},
      .block = 1,
  };
  return fov_float_packing_size(out_packing);
}

// Elements of `bytes` each, which the compiler knows.
static inline void add(const fov_float_packing *packing, size_t output_channel, const uint8_t *taps,
                       size_t bytes, uint8_t *weights) {
  const size_t count = packing->kernel[0] * packing->kernel[1];
  const size_t lane = output_channel % FOV_PANEL;
  const bool last = output_channel == packing->output_channels - 1;
  const size_t missing = last ? FOV_PANEL - 1 - lane : 0;
  uint8_t *out = weights + (output_channel / FOV_PANEL * packing->panel_floats + lane) * bytes;
  for (size_t begin = 0; begin < packing->input_channels; begin += packing->block) {
    const size_t end = fov_size_min(begin + packing->block, packing->input_channels);
    for (size_t tap = 0; tap < count; tap++) {
      for (size_t channel = begin; channel < end; channel++, out += FOV_PANEL * bytes) {
        memcpy(out, taps + (channel * count + tap) * bytes, bytes);
        memset(out + bytes, 0, missing * bytes);
      }
    }
  }
}

void fov_float_packing_add(const fov_float_packing *packing, size_t output_channel,
                           const float *taps, float *weights) {
  add(packing, output_channel, (const uint8_t *)(const void *)taps, sizeof(float),
      (uint8_t *)(void *)weights);
}

void fov_float_packing_add_codes(const fov_float_packing *packing, size_t output_channel,
                                 const uint8_t *taps, uint8_t *codes) {
  add(packing, output_channel, taps, 1, codes);
}

// Fovea - pixels of four bytes, the fourth of which may be their opacity.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ALPHA_PIXEL_H
#define FOV_ALPHA_PIXEL_H

#include <string.h>

#include "image/fov_image_reader.h"

// Four bytes where three are wanted and the fourth may be touched: the next pixel overwrites it.
static inline void fov_alpha_pixel_copy(const uint8_t *pixel, uint8_t *out) {
  memcpy(out, pixel, 4);
}

static inline uint8_t fov_alpha_pixel_mix(uint32_t color, uint32_t background, uint32_t alpha) {
  // The nearest whole number to x / 255 for 0 <= x <= 255^2.
  const uint32_t x = color * alpha + background * (255 - alpha) + 128;
  return (uint8_t)((x + (x >> 8)) >> 8);
}

// `background` in the order of the image's channels.
static inline void fov_alpha_pixel_compose(const uint8_t *pixel, const uint8_t *background,
                                           uint8_t *out) {
  const uint32_t alpha = pixel[3];
  if (alpha == 255) {
    fov_alpha_pixel_copy(pixel, out);
    return;
  }
  for (int c = 0; c < 3; c++) out[c] = fov_alpha_pixel_mix(pixel[c], background[c], alpha);
}

static inline void fov_alpha_pixel_background(const fov_image_reader *reader, uint8_t *out) {
  const uint8_t *background = reader->image->background;
  for (int c = 0; c < 3; c++) out[c] = background[reader->blue_first ? 2 - c : c];
}

#endif

// Fovea - changing the colors of pictures that are learned from.
// SPDX-License-Identifier: Apache-2.0
#include "fov_train_pixels.h"

// Sixths of a turn from red over yellow, green, cyan, blue and magenta.
static float hue_of(float red, float green, float blue, float greatest, float range) {
  if (range <= 0) return 0;
  if (greatest == red) return (green - blue) / range;
  if (greatest == green) return 2 + (blue - red) / range;
  return 4 + (red - green) / range;
}

// How far a color lies below the greatest, 0 ... 1, at a distance in sixths from its own hue.
static float depth_at(float sixths, float hue) {
  float distance = hue - sixths;
  while (distance < -3) distance += 6;
  while (distance > 3) distance -= 6;
  if (distance < 0) distance = -distance;
  return distance <= 1 ? 0 : distance >= 2 ? 1 : distance - 1;
}

static uint8_t byte_of(float x) { return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x + 0.5f); }

void fov_train_change_colors(uint8_t *pixels, size_t count, float hue, float saturation,
                             float value) {
  for (size_t i = 0; i < count; i++) {
    uint8_t *p = pixels + 3 * i;
    const float red = p[0], green = p[1], blue = p[2];
    const float most = red > green ? red : green, greatest = most > blue ? most : blue;
    const float few = red < green ? red : green, least = few < blue ? few : blue;
    const float range = greatest - least;
    const float sixths = hue_of(red, green, blue, greatest, range) + 6 * hue;
    float share = greatest > 0 ? range / greatest * saturation : 0;
    share = share > 1 ? 1 : share;
    const float bright = greatest * value > 255 ? 255 : greatest * value;
    const float low = bright * share;
    p[0] = byte_of(bright - low * depth_at(0, sixths));
    p[1] = byte_of(bright - low * depth_at(2, sixths));
    p[2] = byte_of(bright - low * depth_at(4, sixths));
  }
}

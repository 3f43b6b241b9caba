// Fovea - averages over windows.
// SPDX-License-Identifier: Apache-2.0
#include "fov_box_filter.h"

#include "fov_code_region.h"
#include "fov_still_exact.h"

// One row or column.
static void filter_line(float *values, int count, int stride, int radius, float *copy) {
  for (int i = 0; i < count; i++) copy[i] = values[i * stride];
  double sum = 0;
  int first = 0, last = -1;
  for (int i = 0; i < count; i++) {
    while (last < i + radius && last + 1 < count) sum += copy[++last];
    while (first < i - radius) sum -= copy[first++];
    values[i * stride] = (float)(sum / (last - first + 1));
  }
}

void fov_box_filter(float *values, int width, int height, int radius, float *line) {
  for (int row = 0; row < height; row++) filter_line(values + row * width, width, 1, radius, line);
  for (int column = 0; column < width; column++) {
    filter_line(values + column, height, width, radius, line);
  }
}

void fov_sharpen(const uint8_t *levels, int width, int height, int radius, float amount,
                 float *memory, uint8_t *out_levels) {
  const int count = width * height;
  for (int i = 0; i < count; i++) memory[i] = levels[i];
  fov_box_filter(memory, width, height, radius, memory + count);
  fov_box_filter(memory, width, height, radius, memory + count);
  for (int i = 0; i < count; i++) {
    const float level = levels[i] + amount * (levels[i] - memory[i]);
    out_levels[i] = (uint8_t)(level > 0 ? (level < 255 ? level + 0.5f : 255) : 0);
  }
}

void fov_widen(const uint8_t *levels, int width, int height, bool light, uint8_t *out_levels) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      uint8_t level = levels[y * width + x];
      for (int row = y > 0 ? y - 1 : y; row <= y + 1 && row < height; row++) {
        for (int column = x > 0 ? x - 1 : x; column <= x + 1 && column < width; column++) {
          const uint8_t other = levels[row * width + column];
          if (light ? other > level : other < level) level = other;
        }
      }
      out_levels[y * width + x] = level;
    }
  }
}

// Fovea - sampling images in plain C: the specification.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// MARK: Eight doubles

typedef struct eight_doubles {
  double lanes[8];
} eight_doubles;

INLINE eight_doubles eight_of(double x) { return (eight_doubles){{x, x, x, x, x, x, x, x}}; }
INLINE eight_doubles eight_load(const double *p) {
  eight_doubles v;
  for (int i = 0; i < 8; i++) v.lanes[i] = p[i];
  return v;
}
INLINE void eight_store(double *p, eight_doubles v) {
  for (int i = 0; i < 8; i++) p[i] = v.lanes[i];
}
INLINE eight_doubles eight_from_bytes(const uint8_t *p) {
  eight_doubles v;
  for (int i = 0; i < 8; i++) v.lanes[i] = p[i];
  return v;
}
INLINE void eight_to_bytes(uint8_t *p, eight_doubles v) {
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)(int32_t)v.lanes[i];
}
INLINE eight_doubles eight_multiply(eight_doubles a, eight_doubles b) {
  for (int i = 0; i < 8; i++) a.lanes[i] *= b.lanes[i];
  return a;
}
INLINE eight_doubles eight_add(eight_doubles a, eight_doubles b) {
  for (int i = 0; i < 8; i++) a.lanes[i] += b.lanes[i];
  return a;
}

INLINE eight_doubles eight_subtract(eight_doubles a, eight_doubles b) {
  for (int i = 0; i < 8; i++) a.lanes[i] -= b.lanes[i];
  return a;
}
#define BILINEAR_HAS_FLOATS 0

// MARK: Area

#define AREA_RUN 16

INLINE void area_run(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t offset,
                     int16_t *out) {
  int32_t sums[AREA_RUN];
  for (int i = 0; i < AREA_RUN; i++) sums[i] = 1 << 7;
  for (size_t k = 0; k < taps; k++) {
    const uint8_t *row = rows[k] + offset;
    for (int i = 0; i < AREA_RUN; i++) sums[i] += weights[k] * row[i];
  }
  for (int i = 0; i < AREA_RUN; i++) out[i] = (int16_t)(sums[i] >> 8);
}

INLINE void area_color(const int16_t *levels, const int16_t *weights, size_t taps, int16_t *out) {
  int32_t sums[3] = {1 << 14, 1 << 14, 1 << 14};
  for (size_t k = 0; k < taps; k++, levels += 3) {
    for (int c = 0; c < 3; c++) sums[c] += weights[k] * levels[c];
  }
  for (int c = 0; c < 3; c++) out[c] = (int16_t)(sums[c] >> 15);
}

INLINE int16_t area_gray(const int16_t *levels, const int16_t *weights, size_t taps) {
  int32_t sum = 1 << 14;
  for (size_t k = 0; k < taps; k++) sum += weights[k] * levels[k];
  return (int16_t)(sum >> 15);
}

INLINE void window_samples(const uint8_t *bytes, const fov_sample_window *window, uint8_t *left,
                           uint8_t *right) {
  for (size_t i = 0; i < window->count; i++) {
    left[i] = bytes[window->left[i]];
    right[i] = bytes[window->right[i]];
  }
}

INLINE void interleave_colors(const uint8_t *red, const uint8_t *green, const uint8_t *blue,
                              uint8_t *out) {
  for (int i = 0; i < 16; i++, out += 3) {
    out[0] = red[i];
    out[1] = green[i];
    out[2] = blue[i];
  }
}

#include "kernels/sampling/fov_sampling_colors.h"

#include "kernels/sampling/fov_sampling_body.h"

FOV_INTERNAL const fov_sampling_kernels fov_sampling_kernels_scalar = SAMPLING_KERNEL_TABLE;

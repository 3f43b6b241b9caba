// Fovea - parts of the follower's core that its interface does not show, for tests.
// SPDX-License-Identifier: Apache-2.0
#include "following_probe.h"

#include <stdlib.h>
#include <string.h>

#include "fov_align.h"
#include "fov_exact_functions.h"
#include "fov_fourier.h"
#include "fov_patch.h"

#define GROUPS 2

static void *memory_of(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) abort();
  return memory;
}

static double distance_at(size_t n, const float *values, const fov_complex_lanes *spectrum,
                          size_t u, size_t v, size_t channel) {
  double re = 0, im = 0;
  for (size_t y = 0; y < n; y++) {
    for (size_t x = 0; x < n; x++) {
      const double angle = -2 * 3.14159265358979323846 * (double)(u * x + v * y) / (double)n;
      const double value = (double)values[(y * n + x) * GROUPS * FOV_LANES + channel];
      re += value * cos(angle);
      im += value * sin(angle);
    }
  }
  const fov_complex_lanes *z = spectrum + (u * n + v) * GROUPS + channel / FOV_LANES;
  const double a = re - (double)z->re[channel % FOV_LANES];
  const double b = im - (double)z->im[channel % FOV_LANES];
  return sqrt(a * a + b * b);
}

following_probe_errors following_probe_fourier(size_t n, const float *values) {
  fov_fourier fourier;
  fov_fourier_prepare(&fourier, n);
  const size_t bytes = n * n * GROUPS * sizeof(fov_lanes);
  fov_lanes *map = memory_of(bytes);
  fov_complex_lanes *spectrum = memory_of(fov_fourier_count(n) * GROUPS * sizeof *spectrum);
  memcpy(map, values, bytes);
  fov_fourier_forward(&fourier, GROUPS, map, spectrum);
  following_probe_errors errors = {0, 0};
  for (size_t u = 0; u <= n / 2; u += n > 8 ? n / 8 : 1) {
    for (size_t v = 0; v < n; v += (n > 8 ? 5 : 1)) {
      const double error = distance_at(n, values, spectrum, u, v, (u * 5 + v) % 16);
      if (error > errors.forward) errors.forward = error;
    }
  }
  fov_fourier_inverse(&fourier, GROUPS, spectrum, map);
  for (size_t i = 0; i < n * n * GROUPS * FOV_LANES; i++) {
    const float back = ((const float *)map)[i] / (float)(n * n);
    const double error = fabs((double)back - (double)values[i]);
    if (error > errors.back) errors.back = error;
  }
  free(map);
  free(spectrum);
  return errors;
}

float following_probe_exp(float x) { return fov_exp(x); }
float following_probe_log(float x) { return fov_log(x); }
void following_probe_sine_cosine(double x, float *out_sine, float *out_cosine) {
  fov_sine_cosine(x, out_sine, out_cosine);
}

void following_probe_sample(const fov_plane *plane, fov_follow_box window, size_t width,
                            size_t height, float *out) {
  fov_patch_scratch *scratch = memory_of(sizeof *scratch);
  fov_patch_sample(scratch, plane, &window, width, height, out);
  free(scratch);
}

following_probe_pose following_probe_align(const float *first, const float *second, size_t side,
                                           float width, float height) {
  fov_align *align = memory_of(sizeof *align);
  fov_align_begin(align, width, height);
  fov_view view = {first, side, side, 0, 0, 1, 1};
  fov_pose pose = {(float)side / 2, (float)side / 2, 1, 1, 0};
  fov_align_learn(align, &view, &pose);
  view.pixels = second;
  const float likeness = fov_align_fit(align, &view, &pose);
  free(align);
  return (following_probe_pose){pose.x, pose.y, pose.across, pose.down, pose.angle, likeness};
}

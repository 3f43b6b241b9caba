// Fovea - the memory for looking at still pictures.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "fov_quad_parts.h"

#define ALIGNMENT 64
#define PLANE_PIXELS 330000.0f

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

// Lays `bytes` bytes out behind `*at`, and moves it.
static void *take(char *memory, size_t *at, size_t bytes) {
  void *start = memory != NULL ? memory + *at : NULL;
  *at += aligned(bytes);
  return start;
}

// Planes have fewer than a million pixels and sides below 65536: no size overflows.
size_t fov_quad_lay_out(fov_quad_finder *f, char *memory) {
  const size_t columns = (size_t)f->columns, plane = columns * (size_t)f->rows;
  const size_t channels = (size_t)f->channels, distances = (size_t)f->distances;
  size_t at = 0;
  f->planes = take(memory, &at, plane * channels);
  f->smooth = take(memory, &at, plane);
  f->sums = take(memory, &at, sizeof(uint16_t) * (columns * channels + 4));
  f->slopes = take(memory, &at, sizeof(uint16_t) * plane);
  f->edges = take(memory, &at, plane);
  f->offsets = take(memory, &at, distances + 2);
  for (int i = 0; i < f->layer_count; i++) {
    f->layers[i].dx = take(memory, &at, sizeof(int16_t) * plane);
    f->layers[i].dy = take(memory, &at, sizeof(int16_t) * plane);
    f->layers[i].mark = (uint8_t)(1u << i);
  }
  f->votes = take(memory, &at, sizeof(uint16_t) * distances * FOV_QUAD_ANGLES);
  f->counts = take(memory, &at, sizeof(uint16_t) * (distances + 2) * FOV_QUAD_LINES);
  f->lines = take(memory, &at, sizeof(fov_quad_line) * FOV_QUAD_PEAKS * 2);
  f->crossings = take(memory, &at, sizeof(float) * FOV_QUAD_LINES * FOV_QUAD_LINES);
  f->joined = take(memory, &at, sizeof(fov_quad_candidate) * FOV_QUAD_JOINED);
  f->fitted = take(memory, &at, sizeof(fov_quad_candidate) * FOV_QUAD_FITTED);
  return at;
}

// Planes have at least half of PLANE_PIXELS, where the picture has, and less than twice as many.
static int factor_of(int width, int height) {
  const float share = (float)width * (float)height / PLANE_PIXELS;
  const int factor = (int)(sqrtf(share) + 0.65f);
  return factor < 1 ? 1 : factor;
}

// Sines and cosines of whole degrees, by turning a degree at a time.
static void fill_angles(fov_quad_finder *f) {
  const double cosine = 0.99984769515639123916, sine = 0.01745240643728351282;
  double c = 1, s = 0;
  double tangents[46];
  for (int i = 0; i < FOV_QUAD_ANGLES; i++) {
    f->cosines[i] = (float)c;
    f->sines[i] = (float)s;
    if (i < 46) tangents[i] = s / c;
    const double next = c * cosine - s * sine;
    s = c * sine + s * cosine;
    c = next;
  }
  for (int i = 0, angle = 0; i <= 64; i++) {
    while (angle < 45 && (tangents[angle] + tangents[angle + 1]) * 0.5 < i / 64.0) angle++;
    f->angle_of[i] = (uint8_t)angle;
  }
}

fov_quads_status fov_quad_finder_create(int width, int height, int channels,
                                        fov_quad_finder **out_finder) {
  if (out_finder == NULL || width < 1 || height < 1 || (channels != 1 && channels != 3)) {
    return fov_quads_status_invalid_argument;
  }
  if (width > FOV_QUADS_SIDE_MAX || height > FOV_QUADS_SIDE_MAX) {
    return fov_quads_status_invalid_argument;
  }
  fov_quad_finder sizes = {.width = width, .height = height, .channels = channels};
  sizes.layer_count = channels == 3 ? 2 : 1;
  sizes.factor = factor_of(width, height);
  sizes.columns = width / sizes.factor;
  sizes.rows = height / sizes.factor;
  const float columns = (float)sizes.columns, rows = (float)sizes.rows;
  sizes.distances = 2 * ((int)(sqrtf(columns * columns + rows * rows) * 0.5f) + 4);
  const size_t own = aligned(sizeof(fov_quad_finder));
  const size_t all = own + fov_quad_lay_out(&sizes, NULL);
  char *memory = aligned_alloc(ALIGNMENT, all);
  if (memory == NULL) return fov_quads_status_out_of_memory;
  fov_quad_finder *f = (fov_quad_finder *)(void *)memory;
  *f = sizes;
  fov_quad_lay_out(f, memory + own);
  fill_angles(f);
  *out_finder = f;
  return fov_quads_status_ok;
}

void fov_quad_finder_destroy(fov_quad_finder *finder) { free(finder); }

// Fovea - creating and destroying followers, and checking what they are given.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "fov_exact_functions.h"
#include "fov_follower.h"

#define ALIGNMENT 64

// MARK: Memory

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static const fov_follow_kernels *kernels_for(bool has_avx2) {
#if defined(__x86_64__)
  if (has_avx2) return &fov_follow_kernels_avx2;
#else
  (void)has_avx2;
#endif
  return &fov_follow_kernels_plain;
}

// The sizes are constants of the levels, far below any overflow.
fov_follow_status fov_follower_create(fov_follow_level level, bool has_avx2,
                                      fov_follower **out_follower) {
  const bool fast = level == fov_follow_level_fast;
  const size_t cells = fast ? 32 : 64, groups = fast ? 2 : 4, pixels = cells * cells;
  fov_filter filter;
  const size_t own = aligned(sizeof(fov_follower)), map = pixels * groups * sizeof(fov_lanes);
  const size_t response = aligned(pixels * sizeof(float));
  const size_t all = own + map + response + fov_filter_lay_out(&filter, cells, groups, NULL);
  char *memory = aligned_alloc(ALIGNMENT, aligned(all));
  if (!memory) return fov_follow_status_out_of_memory;
  memset(memory, 0, aligned(all));
  fov_follower *f = (fov_follower *)(void *)memory;
  f->kernels = kernels_for(has_avx2);
  f->cells = cells;
  f->groups = groups;
  f->window = fast ? 4 : 5;
  f->map = (fov_lanes *)(void *)(memory + own);
  f->response = (float *)(void *)(memory + own + map);
  fov_filter_lay_out(&f->filter, cells, groups, memory + own + map + response);
  for (size_t i = 0; i < cells; i++) {
    float sine, cosine;
    fov_sine_cosine(2 * 3.14159265358979323846 * ((double)i + 0.5) / (double)cells, &sine, &cosine);
    f->taper[i] = 0.5f - 0.5f * cosine;
  }
  *out_follower = f;
  return fov_follow_status_ok;
}

void fov_follower_destroy(fov_follower *follower) { free(follower); }

// MARK: Checks

static bool is_sound(const fov_plane *p) {
  if (!p->bytes || p->width == 0 || p->height == 0) return false;
  if (p->width > FOV_FOLLOW_SIDE_MAX || p->height > FOV_FOLLOW_SIDE_MAX) return false;
  const bool weighted = p->weights[0] != 0 || p->weights[1] != 0 || p->weights[2] != 0;
  const size_t used = weighted ? 3 : 1;
  if (p->pixel_bytes < used || p->pixel_bytes > 16) return false;
  return p->row_bytes >= (p->width - 1) * p->pixel_bytes + used;
}

fov_follow_status fov_follower_check_picture(const fov_picture *picture) {
  if (!is_sound(&picture->luma)) return fov_follow_status_invalid_picture;
  const fov_plane *colors[2] = {&picture->blue, &picture->red};
  for (size_t i = 0; i < 2; i++) {
    if (!colors[i]->bytes) continue;
    if (!is_sound(colors[i])) return fov_follow_status_invalid_picture;
    if (colors[i]->width > picture->luma.width || colors[i]->height > picture->luma.height) {
      return fov_follow_status_invalid_picture;
    }
  }
  return fov_follow_status_ok;
}

static float shared_length(float start, float length, float side) {
  const float end = start + length < side ? start + length : side;
  const float begin = start > 0 ? start : 0;
  return end > begin ? end - begin : 0;
}

fov_follow_status fov_follower_check_box(const fov_picture *picture, const fov_follow_box *box) {
  const float width = (float)picture->luma.width, height = (float)picture->luma.height;
  // Comparisons with values that are not numbers are false.
  const bool fits = box->width >= 3 && box->height >= 3 && box->width <= 2 * width &&
                    box->height <= 2 * height && box->left >= -2 * width && box->left <= width &&
                    box->top >= -2 * height && box->top <= height;
  if (!fits) return fov_follow_status_invalid_box;
  const float inside =
      shared_length(box->left, box->width, width) * shared_length(box->top, box->height, height);
  return inside >= 0.1f * (box->width * box->height) ? fov_follow_status_ok
                                                     : fov_follow_status_invalid_box;
}

// MARK: Pictures of colors

static fov_plane plane_of_colors(const uint8_t *bytes, size_t row_bytes, size_t pixel_bytes,
                                 size_t width, size_t height) {
  return (fov_plane){.bytes = bytes,
                     .row_bytes = row_bytes,
                     .pixel_bytes = pixel_bytes,
                     .width = width,
                     .height = height};
}

fov_picture fov_picture_from_colors(const uint8_t *bytes, size_t row_bytes, size_t pixel_bytes,
                                    size_t width, size_t height, const uint8_t order[3]) {
  static const float weights[3][3] = {
      {0.299f, 0.587f, 0.114f}, {-0.168736f, -0.331264f, 0.5f}, {0.5f, -0.418688f, -0.081312f}};
  fov_plane planes[3];
  for (size_t p = 0; p < 3; p++) {
    planes[p] = plane_of_colors(bytes, row_bytes, pixel_bytes, width, height);
    planes[p].bias = p == 0 ? 0 : 128;
    for (size_t c = 0; c < 3; c++) planes[p].weights[order[c] < 3 ? order[c] : 0] = weights[p][c];
  }
  return (fov_picture){planes[0], planes[1], planes[2]};
}

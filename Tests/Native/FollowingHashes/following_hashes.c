// Fovea - following objects through pictures from formulas: the same bits on every processor.
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "include/fov_follow.h"

#define WIDTH 200
#define HEIGHT 150
#define PICTURES 16

// Hashes of all results. They change with the method, and are the same for every compiler,
// processor and sanitizer.
#define EXPECTED_FAST UINT64_C(0xf1a0e57e85bdff80)
#define EXPECTED_ACCURATE UINT64_C(0xe54bb5117a96c442)

static uint8_t luma[WIDTH * HEIGHT], blue[WIDTH * HEIGHT / 4], red[WIDTH * HEIGHT / 4];

// A pattern of integers, so that the pictures are the same everywhere.
static uint8_t pattern(unsigned x, unsigned y, unsigned salt) {
  const unsigned coarse = (x / 5 * 73856093u) ^ (y / 5 * 19349663u) ^ salt;
  return (uint8_t)(40 + (coarse >> 7) % 150 + (x * 3 + y * 5) % 23);
}

// The object moves by 3 and 1 pixels a picture, and is gone in pictures 6 to 8.
static void draw(unsigned index) {
  const unsigned left = 50 + 3 * index, top = 40 + index;
  for (unsigned y = 0; y < HEIGHT; y++) {
    for (unsigned x = 0; x < WIDTH; x++) {
      const bool there = index < 6 || index > 8;
      const bool inside = there && x - left < 40 && y - top < 30;
      luma[y * WIDTH + x] = inside ? pattern(x - left, y - top, 77) : pattern(x / 3, y / 3, 5);
      const unsigned i = y / 2 * (WIDTH / 2) + x / 2;
      blue[i] = inside ? 90 : 120;
      red[i] = inside ? 160 : 130;
    }
  }
}

static void mix(uint64_t *hash, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static fov_plane plane_of(const uint8_t *bytes, size_t width, size_t height) {
  fov_plane plane = {.bytes = bytes, .row_bytes = width, .pixel_bytes = 1};
  plane.width = width;
  plane.height = height;
  return plane;
}

static bool follow(fov_follow_level level, bool has_avx2, uint64_t *out_hash) {
  fov_follower *follower;
  if (fov_follower_create(level, has_avx2, &follower) != fov_follow_status_ok) return false;
  const fov_picture picture = {plane_of(luma, WIDTH, HEIGHT), plane_of(blue, WIDTH / 2, HEIGHT / 2),
                               plane_of(red, WIDTH / 2, HEIGHT / 2)};
  const fov_follow_box box = {50, 40, 40, 30};
  uint64_t hash = 14695981039346656037u;
  draw(0);
  bool ok = fov_follower_start(follower, &picture, &box) == fov_follow_status_ok;
  fov_follow_result result = {.confidence = 0};
  for (unsigned i = 1; ok && i < PICTURES; i++) {
    draw(i);
    ok = fov_follower_step(follower, &picture, 0.04, &result) == fov_follow_status_ok;
    mix(&hash, &result.box, sizeof result.box);
    mix(&hash, &result.confidence, sizeof result.confidence);
    mix(&hash, &result.angle, sizeof result.angle);
    const uint8_t state = (uint8_t)result.state;
    mix(&hash, &state, 1);
  }
  fov_follower_destroy(follower);
  // A wrong place would be as reproducible.
  const float x = result.box.left - (50 + 3 * (PICTURES - 1)), y = result.box.top - 39 - PICTURES;
  ok = ok && x * x < 4 && y * y < 4 && result.state == fov_follow_state_following;
  *out_hash = hash;
  return ok;
}

static bool has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

static bool check(fov_follow_level level, uint64_t expected) {
  uint64_t hash = 0, other = 0;
  const bool ok = follow(level, false, &hash);
  const bool same = !has_avx2() || (follow(level, true, &other) && other == hash);
  printf("%s %016" PRIx64 "%s%s%s\n", level == fov_follow_level_fast ? "fast" : "accurate", hash,
         ok ? "" : " lost the object", same ? "" : " differs with AVX2",
         hash == expected ? "" : " is not what is expected");
  return ok && same && hash == expected;
}

int main(void) {
  const bool fast = check(fov_follow_level_fast, EXPECTED_FAST);
  return check(fov_follow_level_accurate, EXPECTED_ACCURATE) && fast ? 0 : 1;
}

// Fovea - looking at still pictures from formulas; prints a hash of the results of each kind.
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/fov_code_bars.h"
#include "include/fov_code_region.h"
#include "include/fov_ink.h"
#include "include/fov_quads.h"
#include "include/fov_rectify.h"
#include "include/fov_text_lines.h"

#define BYTES_MAX 2000000

static uint8_t pixels[BYTES_MAX], drawn[BYTES_MAX], results[BYTES_MAX];
static bool all_well = true;

// MARK: Hashes

static uint64_t hash;

static void begin(void) { hash = 14695981039346656037u; }

static void mix(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static void mix_integer(int64_t value) { mix(&value, sizeof value); }

static void expect(bool condition, const char *what) {
  if (condition) return;
  all_well = false;
  printf("wrong: %s; ", what);
}

// A hash of all results changes with the method. It is the same for every compiler, processor and
// sanitizer.
static void finish(const char *name, uint64_t expected) {
  printf("%s %016" PRIx64 "\n", name, hash);
  expect(hash == expected, name);
}

// MARK: Pictures, of integers alone

static uint32_t noise(uint32_t x, uint32_t y) {
  uint32_t value = x * 73856093u ^ y * 19349663u;
  value = (value ^ (value >> 15)) * 2246822519u;
  return (value ^ (value >> 13)) >> 7;
}

static fov_still_image blank(int width, int height, int channels, uint8_t level) {
  // Rows are padded.
  const size_t row_bytes = (size_t)(width * channels) + 5;
  memset(pixels, level, row_bytes * (size_t)height);
  return (fov_still_image){pixels, row_bytes, width, height, channels};
}

static uint8_t *at(const fov_still_image *picture, int x, int y) {
  return pixels + (size_t)y * picture->row_bytes + (size_t)(x * picture->channels);
}

static void fill(const fov_still_image *picture, int left, int top, int right, int bottom,
                 uint8_t level) {
  for (int y = top; y < bottom; y++) {
    memset(at(picture, left, y), level, (size_t)((right - left) * picture->channels));
  }
}

// Fills a quadrilateral, whose clockwise corners are given in eighths of a pixel: the highest one,
// the one at the right, the lowest one, and the one at the left.
static void draw_quad(const fov_still_image *picture, const int corners[8],
                      const uint8_t color[3]) {
  for (int y = corners[1] / 8; y <= corners[5] / 8; y++) {
    for (int x = corners[6] / 8; x <= corners[2] / 8; x++) {
      int inside = 0;
      for (int i = 0; i < 16; i++) {
        const int u = 8 * x + 2 * (i % 4) + 1, v = 8 * y + 2 * (i / 4) + 1;
        int sides = 0;
        for (int k = 0; k < 4; k++) {
          const int *a = corners + 2 * k, *b = corners + 2 * ((k + 1) % 4);
          sides += (b[0] - a[0]) * (v - a[1]) - (b[1] - a[1]) * (u - a[0]) >= 0;
        }
        inside += sides == 4;
      }
      uint8_t *pixel = at(picture, x, y);
      for (int c = 0; c < picture->channels; c++) {
        pixel[c] = (uint8_t)((pixel[c] * (16 - inside) + color[c] * inside) / 16);
      }
    }
  }
}

// Averages 3 x 3 pixels, and adds noise of `amount` levels.
static void blur(const fov_still_image *picture, uint32_t amount) {
  const size_t step = (size_t)picture->channels, row = picture->row_bytes;
  memcpy(drawn, pixels, row * (size_t)picture->height);
  for (int y = 0; y < picture->height; y++) {
    for (int x = 0; x < picture->width; x++) {
      const bool inner = x > 0 && y > 0 && x + 1 < picture->width && y + 1 < picture->height;
      for (size_t c = 0; c < step; c++) {
        const size_t place = (size_t)y * row + (size_t)x * step + c;
        const uint8_t *p = drawn + place;
        unsigned sum = 9u * p[0];
        if (inner) {
          sum = 0;
          for (const uint8_t *q = p - row; q <= p + row; q += row) {
            sum += (unsigned)(q - step)[0] + q[0] + q[step];
          }
        }
        pixels[place] = (uint8_t)(sum / 9 + noise((uint32_t)(place % row), (uint32_t)y) % amount);
      }
    }
  }
}

static fov_still_image noisy(int width, int height, int channels) {
  const fov_still_image picture = blank(width, height, channels, 0);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width * channels; x++) {
      at(&picture, 0, y)[x] = (uint8_t)noise((uint32_t)x, (uint32_t)y);
    }
  }
  return picture;
}

static fov_still_image checkerboard(int width, int height, int square) {
  const fov_still_image picture = blank(width, height, 1, 40);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      if ((x / square + y / square) % 2) *at(&picture, x, y) = 210;
    }
  }
  return picture;
}

// MARK: Quadrilaterals

static int find_quads(const fov_still_image *picture, fov_quad quads[FOV_QUADS_COUNT_MAX]) {
  const fov_quad_limits limits = {0, 0, 1, 1, 0};
  fov_quad_finder *finder;
  int count = 0;
  if (fov_quad_finder_create(picture->width, picture->height, picture->channels, &finder) !=
      fov_quads_status_ok) {
    expect(false, "no finder");
    return 0;
  }
  // What a finder saw before does not count.
  for (int round = 0; round < 2; round++) {
    expect(fov_quad_finder_find(finder, picture, &limits, FOV_QUADS_COUNT_MAX, quads, &count) ==
               fov_quads_status_ok,
           "quads");
    for (int i = 0; i < count; i++) {
      mix(quads[i].corners, sizeof quads[i].corners);
      mix(&quads[i].confidence, sizeof quads[i].confidence);
    }
    mix_integer(count);
  }
  fov_quad_finder_destroy(finder);
  return count;
}

// Finds a quadrilateral that is drawn on ground that gets lighter, of its own color.
static void find_drawn(int width, int height, int channels, const int corners[8]) {
  const fov_still_image picture = blank(width, height, channels, 0);
  for (int y = 0; y < height; y++) {
    uint8_t *row = at(&picture, 0, y);
    for (int x = 0; x < width * channels; x++) row[x] = (uint8_t)(60 + x % 7 + y / 16);
  }
  draw_quad(&picture, corners, (const uint8_t[3]){190, 210, 170});
  blur(&picture, 9);
  fov_quad quads[FOV_QUADS_COUNT_MAX];
  const int count = find_quads(&picture, quads);
  bool found = count > 0;
  for (int i = 0; found && i < 8; i++) {
    // The upper left corner has the least sum of both coordinates.
    found = fabs(quads[0].corners[i] - corners[i] / 8.0) < 1;
  }
  expect(found, "corners of a quad");
}

static const int thin_sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {2, 2}, {5, 5}, {7, 90}};
#define THIN_COUNT (int)(sizeof thin_sizes / sizeof thin_sizes[0])

static void look_for_quads(void) {
  begin();
  find_drawn(240, 180, 3, (const int[8]){403, 236, 1515, 399, 1377, 1190, 322, 1054});
  find_drawn(240, 180, 1, (const int[8]){803, 161, 1422, 603, 1001, 1205, 388, 770});
  // Planes of half as many columns and rows.
  find_drawn(900, 700, 1, (const int[8]){2003, 1236, 5515, 1399, 5377, 4190, 1322, 4054});
  fov_quad quads[FOV_QUADS_COUNT_MAX];
  fov_still_image picture = checkerboard(320, 240, 24);
  find_quads(&picture, quads);
  blur(&picture, 3);
  find_quads(&picture, quads);
  picture = noisy(200, 150, 3);
  find_quads(&picture, quads);
  picture = blank(64, 64, 3, 128);
  expect(find_quads(&picture, quads) == 0, "a quad in a constant picture");
  for (int i = 0; i < 2 * THIN_COUNT; i++) {
    picture = noisy(thin_sizes[i / 2][0], thin_sizes[i / 2][1], i % 2 ? 3 : 1);
    find_quads(&picture, quads);
  }
  picture = noisy(FOV_QUADS_SIDE_MAX, 10, 1);
  find_quads(&picture, quads);
  finish("quads", UINT64_C(0x7e061c43ddb4fea1));
}

// MARK: Upright pictures

static void rectify(void) {
  static const fov_perspective maps[] = {
      {{1, 0, 0, 0, 1, 0, 0, 0, 1}},
      {{1.7, 0.31, -20.3, -0.23, 1.9, 11.7, 0.0013, -0.0021, 1.07}},
      // A part lies behind the camera.
      {{0.9, 0.2, 3, 0.1, 1.1, 2, -0.03, 0.01, 1}},
      {{1e200, 1, 1, -1e200, 1, 1, 1e-200, 0, 1e-200}},
      {{NAN, 1, 1, INFINITY, 1, 1, 0, 0, 1}},
  };
  begin();
  for (int i = 0; i < 2 * (THIN_COUNT + 1); i++) {
    const int width = i < 2 ? 120 : thin_sizes[i / 2 - 1][0];
    const int height = i < 2 ? 80 : thin_sizes[i / 2 - 1][1], channels = i % 2 ? 3 : 1;
    const fov_still_image picture = noisy(width, height, channels);
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; m++) {
      for (int samples = 1; samples <= 8; samples += 7) {
        expect(fov_rectify(&picture, &maps[m], 30, 20, samples, results) == 0, "rectify");
        mix(results, (size_t)(30 * 20 * channels));
      }
    }
    expect(fov_rectify(&picture, &maps[0], width, height, 1, results) == 0, "rectify");
    expect(memcmp(results, pixels, (size_t)(width * channels)) == 0, "the same picture");
  }
  finish("rectified", UINT64_C(0x94fc5c44326a1db0));
}

// MARK: Ink and lines of text

// Text has sines and arc tangents of the system's library, which may differ in their last bit.
static void mix_rounded(double value) { mix_integer(llround(value * 256)); }

static int find_lines(const fov_ink *ink, const fov_still_image *picture) {
  fov_text_lines lines;
  if (fov_text_lines_find(ink, picture->width, picture->height, FOV_STROKE_PIXELS_MAX, &lines) !=
      0) {
    expect(false, "lines of text");
    return 0;
  }
  const int count = lines.count;
  for (int i = 0; i < count; i++) {
    const fov_text_line *line = &lines.lines[i];
    for (int k = 0; k < 8; k++) mix_rounded(line->corners[k]);
    mix_rounded(line->x_height);
    mix_rounded(line->height);
    mix_rounded(line->level);
    mix_rounded(line->ink_share);
    mix_integer(line->piece_count);
  }
  mix_integer(count);
  mix_rounded(lines.angle);
  fov_text_lines_release(&lines);
  return count;
}

// Looks for dark, light and any ink, and for text in each. Returns the number of dark lines.
static int find_text(const fov_still_image *picture) {
  int dark = 0;
  for (int kind = 0; kind < 3; kind++) {
    fov_ink ink;
    const int status = kind < 2 ? fov_ink_find(picture, kind, 20, 10, 2, &ink)
                                : fov_ink_above(picture, 100, 2, &ink);
    expect(status == 0, "ink");
    if (status != 0) continue;
    mix(ink.runs, (size_t)ink.run_count * sizeof *ink.runs);
    mix(ink.pieces, (size_t)ink.piece_count * sizeof *ink.pieces);
    const int lines = find_lines(&ink, picture);
    if (kind == 0) dark = lines;
    fov_ink_release(&ink);
  }
  return dark;
}

// Six lines of blocks that sink by a pixel every `slope` columns.
static fov_still_image page(int slope) {
  const fov_still_image picture = blank(420, 260, 1, 200);
  for (int row = 0; row < 6; row++) {
    for (int left = 30, i = 0; left < 370; i++) {
      const uint32_t kind = noise((uint32_t)i, (uint32_t)row);
      const int width = 4 + (int)(kind % 5), base = 40 + 34 * row + left / slope;
      const int above = 9 + (kind / 5 % 3 == 0 ? 5 : 0), below = kind / 15 % 9 == 0 ? 4 : 0;
      fill(&picture, left, base - above, left + width, base + below, 40);
      // A hole, as letters have them.
      fill(&picture, left + 2, base - 6, left + width - 1, base - 3, 200);
      left += width + (kind / 135 % 6 == 0 ? 9 : 3);
    }
  }
  blur(&picture, 12);
  return picture;
}

static void look_for_text(void) {
  begin();
  for (int slope = 12; slope < 200; slope *= 3) {
    const fov_still_image picture = page(slope);
    expect(find_text(&picture) == 6, "six lines of text");
  }
  fov_still_image picture = noisy(160, 120, 1);
  find_text(&picture);
  picture = checkerboard(160, 120, 12);
  find_text(&picture);
  picture = blank(64, 64, 1, 77);
  expect(find_text(&picture) == 0, "text in a constant picture");
  for (int i = 0; i < THIN_COUNT; i++) {
    picture = noisy(thin_sizes[i][0], thin_sizes[i][1], 1);
    find_text(&picture);
  }
  finish("text", UINT64_C(0xe6ebedd07c6b0f03));
}

// MARK: Codes

// Squares of 6 pixels from (60, 40) to (186, 166), of which half are dark.
static fov_still_image modules(void) {
  const fov_still_image picture = blank(250, 210, 1, 190);
  for (int i = 0; i < 21 * 21; i++) {
    const int x = 60 + i % 21 * 6, y = 40 + i / 21 * 6;
    if (noise((uint32_t)i, 9) % 2) fill(&picture, x, y, x + 6, y + 6, 50);
  }
  blur(&picture, 7);
  return picture;
}

static int find_region(const fov_still_image *picture, const fov_code_box *box, void *memory,
                       double corners[8]) {
  const int status = fov_code_region(picture, box, 0.4, memory, corners);
  if (status == 0) mix(corners, 8 * sizeof *corners);
  mix_integer(status);
  return status;
}

static void look_for_regions(void) {
  void *memory = malloc(fov_code_region_memory_bytes());
  expect(memory != NULL, "memory");
  if (memory == NULL) return;
  const fov_code_box box = {55, 45, 180, 170};
  double corners[8];
  fov_still_image picture = modules();
  expect(find_region(&picture, &box, memory, corners) == 0 && fabs(corners[0] - 60) < 12 &&
             fabs(corners[5] - 166) < 12,
         "the region of a code");
  picture = noisy(600, 500, 1);
  find_region(&picture, &(fov_code_box){-50, 10, 700, 480}, memory, corners);
  picture = blank(250, 210, 1, 190);
  expect(find_region(&picture, &box, memory, corners) != 0, "a region without a code");
  for (int i = 0; i < THIN_COUNT; i++) {
    const int width = thin_sizes[i][0], height = thin_sizes[i][1];
    picture = noisy(width, height, 1);
    find_region(&picture, &(fov_code_box){0, 0, width, height}, memory, corners);
  }
  free(memory);
}

static void look_for_bars(void) {
  const fov_still_image picture = blank(260, 120, 1, 190);
  for (int x = 40, i = 0; x < 220; i++) {
    const int width = 2 + (int)(noise((uint32_t)i, 3) % 5);
    // Bars lean, and those at both ends are longer.
    for (int y = 20; y < (i < 3 || x > 200 ? 100 : 90); y++) {
      if (i % 2 == 0) fill(&picture, x + y / 20, y, x + width + y / 20, y + 1, 40);
    }
    x += width;
  }
  blur(&picture, 6);
  float *memory = malloc(sizeof *memory * fov_code_bars_floats(picture.width, picture.height));
  expect(memory != NULL, "memory");
  if (memory == NULL) return;
  for (int i = 0; i < 2; i++) {
    const fov_bars bars = {44, 224, 60, 12, i * 0.05};
    double corners[8];
    const int status = fov_code_bars(&picture, &bars, memory, corners);
    expect(status == 0 && fabs(corners[0] - 41) < 4 && fabs(corners[1] - 20) < 2, "bars");
    if (status == 0) mix(corners, sizeof corners);
  }
  free(memory);
}

static void filter(int width, int height) {
  const size_t count = (size_t)width * (size_t)height;
  for (size_t i = 0; i < count; i++) pixels[i] = (uint8_t)noise((uint32_t)i, 5);
  float *memory = malloc(sizeof *memory * (count + (size_t)(width > height ? width : height)));
  expect(memory != NULL, "memory");
  if (memory == NULL) return;
  for (int radius = 1; radius < 9; radius += 3) {
    fov_sharpen(pixels, width, height, radius, 0.7f * (float)radius, memory, results);
    mix(results, count);
  }
  free(memory);
  fov_widen(pixels, width, height, true, results);
  mix(results, count);
  fov_widen(pixels, width, height, false, results);
  mix(results, count);
}

static void look_for_codes(void) {
  begin();
  look_for_regions();
  look_for_bars();
  filter(130, 110);
  for (int i = 0; i < THIN_COUNT; i++) filter(thin_sizes[i][0], thin_sizes[i][1]);
  finish("codes", UINT64_C(0x874fbcdc04d8bff8));
}

int main(void) {
  look_for_quads();
  rectify();
  look_for_text();
  look_for_codes();
  return all_well ? 0 : 1;
}

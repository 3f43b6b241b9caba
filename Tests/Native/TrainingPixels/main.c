// Fovea - sheets that are pasted into pictures: where they land, what is seen of them, blurring.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_train.h"
#include "native_test.h"

#define WIDTH 96
#define HEIGHT 80
#define SHEET 64

static uint8_t colors[WIDTH * HEIGHT * 3], owners[WIDTH * HEIGHT];
static uint8_t sheet_colors[SHEET * SHEET * 3], sheet_alpha[SHEET * SHEET];
static const fov_train_canvas canvas = {colors, owners, WIDTH, HEIGHT};
static const fov_train_sheet sheet = {sheet_colors, NULL, SHEET, SHEET, SHEET};
static const fov_train_light plain = {{1, 1, 1}, 0, 0};
static const fov_pixel_range all_columns = {0, WIDTH}, all_rows = {0, HEIGHT};

// A gray canvas, and a sheet whose quarters are red, green, blue and white.
static void begin(void) {
  static const uint8_t quarters[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}};
  memset(colors, 100, sizeof colors);
  memset(owners, 0, sizeof owners);
  for (size_t i = 0; i < SHEET * SHEET; i++) {
    const size_t quarter = (i / SHEET >= SHEET / 2) * 2 + (i % SHEET >= SHEET / 2);
    memcpy(sheet_colors + 3 * i, quarters[quarter], 3);
  }
}

static fov_status paste(const double *map, uint8_t owner) {
  return fov_train_paste(&canvas, &sheet, map, all_columns, all_rows, &plain, owner);
}

static const uint8_t *pixel(double x, double y) {
  return colors + 3 * ((size_t)y * WIDTH + (size_t)x);
}

static void shifted_sheets_are_copied(void) {
  begin();
  const double map[9] = {1, 0, -5, 0, 1, -9, 0, 0, 1};
  CHECK_EQUAL(paste(map, 3), fov_status_ok);
  for (size_t row = 0; row < HEIGHT; row++) {
    for (size_t column = 0; column < WIDTH; column++) {
      const bool is_inside = column >= 5 && column < 69 && row >= 9 && row < 73;
      CHECK_EQUAL(owners[row * WIDTH + column], is_inside ? 3 : 0);
      if (!is_inside) CHECK_EQUAL(colors[3 * (row * WIDTH + column)], 100);
    }
  }
  CHECK_EQUAL(pixel(20, 20)[0], 255);
  CHECK_EQUAL(pixel(20, 20)[1], 0);
  CHECK_EQUAL(pixel(50, 20)[1], 255);
  CHECK_EQUAL(pixel(20, 60)[2], 255);
}

// Where a point of the sheet is seen: the map's equations for x and y, solved by Cramer's rule.
static void seen_at(const double *m, double u, double v, double *x, double *y) {
  const double a = m[0] - u * m[6], b = m[1] - u * m[7], c = u * m[8] - m[2];
  const double d = m[3] - v * m[6], e = m[4] - v * m[7], f = v * m[8] - m[5];
  *x = (c * e - b * f) / (a * e - b * d);
  *y = (a * f - c * d) / (a * e - b * d);
}

static void sheets_land_where_the_map_says(void) {
  static const double maps[3][9] = {{1.1, 0.3, -30, -0.3, 1.2, -5, 0, 0, 1},
                                    {1.2, 0.3, -30, 0.1, 1.3, -20, 0.004, -0.002, 1},
                                    {0.3, 1.5, -35, -1.5, 0.2, 104, -0.003, 0.004, 0.9}};
  for (size_t i = 0; i < 3; i++) {
    CASE("map %zu", i);
    begin();
    CHECK_EQUAL(paste(maps[i], 1), fov_status_ok);
    double x[4], y[4], area = 0, edges = 0, least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
    static const double ends[4][2] = {{0, 0}, {SHEET, 0}, {SHEET, SHEET}, {0, SHEET}};
    for (int k = 0; k < 4; k++) {
      seen_at(maps[i], ends[k][0], ends[k][1], &x[k], &y[k]);
      least[0] = fmin(least[0], x[k]), most[0] = fmax(most[0], x[k]);
      least[1] = fmin(least[1], y[k]), most[1] = fmax(most[1], y[k]);
    }
    for (int k = 0; k < 4; k++) {
      area += (x[k] * y[(k + 1) % 4] - x[(k + 1) % 4] * y[k]) / 2;
      edges += hypot(x[(k + 1) % 4] - x[k], y[(k + 1) % 4] - y[k]);
    }
    const fov_train_part part = fov_train_part_of(&canvas, 1);
    // Everything lies on the canvas. Pixels at edges count where two of four samples are covered.
    CHECK(least[0] > 0 && least[1] > 0 && most[0] < WIDTH && most[1] < HEIGHT);
    CHECK_NEAR((double)part.count, area, 0.25 * edges);
    CHECK_NEAR((double)part.columns.begin, least[0], 1);
    CHECK_NEAR((double)part.columns.end, most[0], 1);
    CHECK_NEAR((double)part.rows.begin, least[1], 1);
    CHECK_NEAR((double)part.rows.end, most[1], 1);
    for (int quarter = 0; quarter < 4; quarter++) {
      double column, row;
      seen_at(maps[i], SHEET * (0.25 + 0.5 * (quarter % 2)), SHEET * (0.25 + 0.5 * (quarter / 2)),
              &column, &row);
      const uint8_t *found = pixel(column, row);
      for (int c = 0; c < 3; c++) CHECK_EQUAL(found[c], quarter == 3 || quarter == c ? 255 : 0);
    }
  }
}

static void what_lies_behind_the_camera_is_not_seen(void) {
  begin();
  // w is x - 40.5: above 0 on the right alone.
  const double map[9] = {32, 0, -32 * 40.5, 0, 32, -32 * 40.0, 1, 0, -40.5};
  CHECK_EQUAL(paste(map, 1), fov_status_ok);
  const fov_train_part part = fov_train_part_of(&canvas, 1);
  CHECK(part.count > 0);
  CHECK(part.columns.begin >= 40);
}

static void transparent_sheets_mix(void) {
  begin();
  memset(sheet_colors, 60, sizeof sheet_colors);  // 150 at an opacity of 0.4
  memset(sheet_alpha, 102, sizeof sheet_alpha);
  const fov_train_sheet half = {sheet_colors, sheet_alpha, SHEET, SHEET, SHEET};
  const double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  CHECK_EQUAL(fov_train_paste(&canvas, &half, map, all_columns, all_rows, &plain, 1),
              fov_status_ok);
  CHECK_EQUAL(pixel(10, 10)[0], 60 + 60);  // 100 at 0.6
  CHECK_EQUAL(fov_train_part_of(&canvas, 1).count, 0);
  memset(sheet_alpha, 0, sizeof sheet_alpha / 2);
  memset(sheet_alpha + sizeof sheet_alpha / 2, 200, sizeof sheet_alpha / 2);
  CHECK_EQUAL(fov_train_paste(&canvas, &half, map, all_columns, all_rows, &plain, 1),
              fov_status_ok);
  const fov_train_part part = fov_train_part_of(&canvas, 1);
  CHECK_EQUAL(part.rows.begin, SHEET / 2);
  CHECK_EQUAL(part.rows.end, SHEET);
  CHECK_EQUAL(part.count, SHEET * SHEET / 2);
}

static void light_multiplies(void) {
  begin();
  memset(sheet_colors, 100, sizeof sheet_colors);
  const fov_train_light light = {{0.5f, 1, 4}, 0.4f, -0.2f};
  const double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  CHECK_EQUAL(fov_train_paste(&canvas, &sheet, map, all_columns, all_rows, &light, 1),
              fov_status_ok);
  for (int row = 0; row < SHEET; row += 9) {
    for (int column = 0; column < SHEET; column += 7) {
      const double shade =
          1 + 0.4 * ((column + 0.5) / SHEET - 0.5) - 0.2 * ((row + 0.5) / SHEET - 0.5);
      CHECK_NEAR(pixel(column, row)[0], 50 * shade, 0.51);
      CHECK_NEAR(pixel(column, row)[1], 100 * shade, 0.51);
      CHECK_EQUAL(pixel(column, row)[2], 255);
    }
  }
}

static void covered_parts_are_not_seen(void) {
  begin();
  const double below[9] = {2, 0, -20, 0, 2, -20, 0, 0, 1};  // 10 ... 42 along both axes
  const double above[9] = {2, 0, -60, 0, 2, -20, 0, 0, 1};  // 30 ... 62 across
  CHECK_EQUAL(paste(below, 1), fov_status_ok);
  CHECK_EQUAL(paste(above, 2), fov_status_ok);
  const fov_train_part part = fov_train_part_of(&canvas, 1);
  CHECK_EQUAL(part.count, 20 * 32);
  CHECK_EQUAL(part.columns.begin, 10);
  CHECK_EQUAL(part.columns.end, 30);
  CHECK_EQUAL(part.rows.begin, 10);
  CHECK_EQUAL(part.rows.end, 42);
  CHECK_EQUAL(fov_train_part_of(&canvas, 2).count, 32 * 32);
  CHECK_EQUAL(fov_train_part_of(&canvas, 3).columns.end, 0);
  // A limit of columns and rows holds.
  begin();
  const fov_pixel_range some = {15, 18};
  CHECK_EQUAL(fov_train_paste(&canvas, &sheet, below, some, some, &plain, 1), fov_status_ok);
  CHECK_EQUAL(fov_train_part_of(&canvas, 1).count, 9);
}

static void blurring_has_its_variance(void) {
  static const float variances[4] = {0.3f, 1, 4, 9};
  for (size_t i = 0; i < 4; i++) {
    CASE("variance %g", (double)variances[i]);
    memset(colors, 0, sizeof colors);
    // A bar, whose edges become the sum of the bell.
    for (size_t row = 0; row < HEIGHT; row++) {
      memset(colors + 3 * (row * WIDTH + 48), 255, 3 * (WIDTH - 48));
    }
    fov_train_blur(colors, WIDTH, HEIGHT, variances[i], 0);
    for (int column = 36; column < 60; column++) {
      const double edge = 0.5 * erfc((48 - (column + 0.5)) / sqrt(2.0 * (double)variances[i]));
      CHECK_NEAR(pixel(column, 7)[1], 255 * edge, variances[i] < 1 ? 12 : 5);
    }
    uint8_t before[3 * WIDTH];
    memcpy(before, pixel(0, 7), sizeof before);
    fov_train_blur(colors, WIDTH, HEIGHT, 0, variances[i]);
    CHECK_BYTES(pixel(0, 7), before, sizeof before);
  }
}

static void wrong_arguments_are_refused(void) {
  begin();
  const double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double none[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1};
  const fov_pixel_range beyond = {0, WIDTH + 1}, back = {3, 2};
  const fov_train_light dark = {{INFINITY, 1, 1}, 0, 0};
  const fov_status refused = fov_status_invalid_argument;
  CHECK_EQUAL(paste(map, 0), refused);
  CHECK_EQUAL(paste(none, 1), refused);
  CHECK_EQUAL(fov_train_paste(&canvas, &sheet, map, beyond, all_rows, &plain, 1), refused);
  CHECK_EQUAL(fov_train_paste(&canvas, &sheet, map, all_columns, back, &plain, 1), refused);
  CHECK_EQUAL(fov_train_paste(&canvas, &sheet, map, all_columns, all_rows, &dark, 1), refused);
  fov_train_sheet wrong = sheet;
  wrong.row_pixels = SHEET - 1;
  CHECK_EQUAL(fov_train_paste(&canvas, &wrong, map, all_columns, all_rows, &plain, 1), refused);
  wrong = sheet;
  wrong.width = 0;
  CHECK_EQUAL(fov_train_paste(&canvas, &wrong, map, all_columns, all_rows, &plain, 1), refused);
  CHECK_EQUAL(fov_train_part_of(&canvas, 1).count, 0);
}

int main(void) {
  RUN(shifted_sheets_are_copied);
  RUN(sheets_land_where_the_map_says);
  RUN(what_lies_behind_the_camera_is_not_seen);
  RUN(transparent_sheets_mix);
  RUN(light_multiplies);
  RUN(covered_parts_are_not_seen);
  RUN(blurring_has_its_variance);
  RUN(wrong_arguments_are_refused);
  return native_test_end();
}

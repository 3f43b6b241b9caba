// Fovea - tests of sampling with a low-pass filter: every instruction set gives the same bytes,
// which differ by at most 1 from those of a computation in double precision.
// SPDX-License-Identifier: Apache-2.0
#include "sampling_oracle.h"

static void any_part_of_any_format(fov_pixel_format format) {
  chance chance = {200 + (uint64_t)format};
  for (int round = 0; round < 40; round++) {
    fov_image image = image_random(format, 180, &chance);
    image.alpha = round % 2 == 0 ? fov_alpha_straight : fov_alpha_ignored;
    image.yuv = (fov_yuv_encoding)(round % 4);
    sampling_case part = case_random(&image, &chance);
    part.filter = fov_image_filter_area;
    check_case(&image, &part, 1);
  }
}

// Rows and columns that fill tables and strips, spans up to the longest that are computed in blocks
// and longer ones, one axis growing and the other shrinking.
static const size_t block_sizes[][4] = {
    {1, 1, 1, 1},     {900, 7, 416, 5}, {7, 900, 5, 600},   {1300, 5, 300, 9}, {5, 700, 9, 320},
    {640, 64, 10, 1}, {64, 650, 1, 10}, {1000, 40, 31, 30}, {1000, 40, 31, 2}, {3000, 2, 2, 1},
    {2, 3000, 1, 2},  {66, 66, 2, 2},   {255, 255, 8, 8}};

static void sizes_around_the_blocks(const size_t size[4]) {
  static const fov_pixel_format formats[] = {fov_pixel_format_rgb, fov_pixel_format_gray,
                                             fov_pixel_format_bgra, fov_pixel_format_nv12};
  chance chance = {size[0] * 1000 + size[2]};
  for (size_t i = 0; i < COUNT(formats); i++) {
    const fov_image image = image_make(formats[i], size[0], size[1], 0, &chance);
    check_both_directions(&image, size + 2, fov_image_filter_area, 1);
  }
}

// Few bytes differ from the exactly rounded.
static void nearly_all_bytes_are_exact(void) {
  chance chance = {3};
  const fov_image image = image_make(fov_pixel_format_rgb, 480, 270, 0, &chance);
  sampling_case part = case_whole(&image, 104, 104, 3);
  part.filter = fov_image_filter_area;
  CHECK(check_case(&image, &part, 1) < 0.01);
}

static fov_image_sampling whole(const fov_image *image, size_t width, size_t height,
                                size_t channels) {
  fov_image_sampling sampling = fov_image_sampling_whole(image, width, height, channels);
  sampling.filter = fov_image_filter_area;
  return sampling;
}

// By hand: of 4 pixels in 2 the weights are 1/4, 3/4, 3/4, 1/4 without what lies outside.
static void halving_by_hand(void) {
  const fov_image image = image_gray((const uint8_t[]){10, 20, 60, 100}, 4);
  const fov_image_sampling sampling = whole(&image, 2, 1, 1);
  // (3 * 10 + 3 * 20 + 60) / 7 and (20 + 3 * 60 + 3 * 100) / 7
  check_sample(&image, &sampling, (const uint8_t[]){21, 71});
}

static void even_images_stay_even(void) {
  static const uint8_t values[] = {0, 1, 127, 200, 254, 255};
  static const size_t sizes[][2] = {{131, 76}, {50, 30}, {131, 200}, {3, 3}, {1, 1}};
  static uint8_t bytes[131 * 77 * 3], expected[131 * 200 * 3];
  for (size_t i = 0; i < COUNT(values); i++) {
    fov_image image = image_gray(memset(bytes, values[i], sizeof bytes), 3 * 131);
    image.format = fov_pixel_format_rgb;
    image.width = 131;
    image.height = 77;
    image.data_bytes = sizeof bytes;
    memset(expected, values[i], sizeof expected);
    for (size_t j = 0; j < COUNT(sizes); j++) {
      const fov_image_sampling sampling = whole(&image, sizes[j][0], sizes[j][1], 3);
      check_sample(&image, &sampling, expected);
    }
  }
}

// Stripes of one pixel vanish, where bilinear would keep some of them.
static void stripes_vanish(void) {
  uint8_t stripes[400];
  for (size_t i = 0; i < sizeof stripes; i++) stripes[i] = i % 2 == 0 ? 0 : 255;
  const fov_image image = image_gray(stripes, sizeof stripes);
  fov_image_sampling sampling = whole(&image, 77, 1, 1);
  uint8_t *area = sample(&image, &sampling), low = 255, high = 0;
  sampling.filter = fov_image_filter_bilinear;
  uint8_t *bilinear = sample(&image, &sampling);
  for (size_t i = 0; i < 77; i++) {
    if (bilinear[i] < low) low = bilinear[i];
    if (bilinear[i] > high) high = bilinear[i];
    CHECK(i == 0 || i == 76 || (area[i] >= 124 && area[i] <= 131));
  }
  CHECK(high - low > 200);
}

static void growing_images_are_bilinear(void) {
  static const size_t sizes[][2] = {{31, 20}, {64, 20}, {100, 99}};
  chance chance = {9};
  const fov_image image = image_make(fov_pixel_format_rgb, 31, 20, 0, &chance);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    fov_image_sampling sampling = whole(&image, sizes[i][0], sizes[i][1], 3);
    uint8_t *area = sample(&image, &sampling);
    sampling.filter = fov_image_filter_bilinear;
    check_sample(&image, &sampling, area);
  }
}

int main(void) {
  RUN_ALL(any_part_of_any_format, all_formats);
  RUN_ALL(sizes_around_the_blocks, block_sizes);
  RUN(nearly_all_bytes_are_exact);
  RUN(halving_by_hand);
  RUN(even_images_stay_even);
  RUN(stripes_vanish);
  RUN(growing_images_are_bilinear);
  return native_test_end();
}

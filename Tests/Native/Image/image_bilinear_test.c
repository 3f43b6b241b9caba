// Fovea - tests of bilinear sampling: the bytes of every instruction set are those of the formula.
// SPDX-License-Identifier: Apache-2.0
#include "sampling_oracle.h"

// MARK: Values

static void whole_images_equal_the_formula(const int form[2]) {
  chance chance = {(uint64_t)form[0] * 10 + (uint64_t)form[1]};
  for (int round = 0; round < 100; round++) {
    const fov_image image = image_random((fov_pixel_format)form[0], 40, &chance);
    const sampling_case part = case_whole(&image, chance_between(&chance, 1, 40),
                                          chance_between(&chance, 1, 40), (size_t)form[1]);
    check_case(&image, &part, 0);
  }
}

// Widths around the numbers of columns that are computed together, and images of one column or row,
// in both directions.
static const size_t odd_sizes[][4] = {
    {1, 1, 1, 1},     {1, 1, 7, 5},      {7, 5, 1, 1},      {1, 9, 3, 4},   {9, 1, 4, 3},
    {1, 300, 300, 1}, {300, 1, 1, 300},  {2, 2, 447, 3},    {2, 2, 448, 3}, {2, 2, 449, 3},
    {900, 3, 257, 2}, {1000, 2, 416, 3}, {33, 21, 320, 10}, {2, 3, 5, 33},  {2, 3, 16, 257}};

static void odd_size(const size_t size[4]) {
  chance chance = {size[0] * 1000 + size[2]};
  for (size_t i = 0; i < COUNT(all_formats); i++) {
    const fov_image image = image_make(all_formats[i], size[0], size[1], 0, &chance);
    check_both_directions(&image, size + 2, fov_image_filter_bilinear, 0);
  }
}

static const size_t same_sizes[][2] = {{1, 1}, {5, 3}, {17, 31}, {416, 9}, {129, 2}};

static void same_size_is_the_identity(const size_t size[2]) {
  chance chance = {5};
  const fov_image image = image_make(fov_pixel_format_rgb, size[0], size[1], 6, &chance);
  const fov_image_sampling sampling = fov_image_sampling_whole(&image, size[0], size[1], 3);
  uint8_t *found = sample(&image, &sampling), pixel[3];
  for (size_t i = 0; i < size[0] * size[1]; i++) {
    image_pixel(&image, i % size[0], i / size[0], pixel);
    CHECK_BYTES(found + 3 * i, pixel, 3);
  }
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define ROW(...) image_gray(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))

// By hand: centers of 4 in 2 lie at -0.25, 0.25, 0.75, 1.25; clamped at both ends.
static void doubling_by_hand(void) {
  const fov_image image = ROW(0, 100);
  const fov_image_sampling sampling = fov_image_sampling_whole(&image, 4, 1, 1);
  check_sample(&image, &sampling, BYTES(0, 25, 75, 100));
}

// By hand: centers of 2 in 8 lie at 1.5 and 5.5; between them nothing is looked at.
static void shrinking_has_no_low_pass_filter(void) {
  const fov_image image = ROW(255, 10, 20, 255, 255, 30, 41, 255);
  const fov_image_sampling sampling = fov_image_sampling_whole(&image, 2, 1, 1);
  check_sample(&image, &sampling, BYTES(15, 36));
}

static void gray_of_pure_colors(void) {
  fov_image image = ROW(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255);
  image.format = fov_pixel_format_rgb;
  image.width = 4;
  const fov_image_sampling sampling = fov_image_sampling_whole(&image, 4, 1, 1);
  check_sample(&image, &sampling, BYTES(76, 150, 29, 255));
}

// A region that begins and ends between pixels: positions by hand are 1.25, 2.25 and 3.25.
static void regions_between_pixels(void) {
  const fov_image image = ROW(0, 40, 80, 120, 200);
  fov_image_sampling sampling = fov_image_sampling_whole(&image, 3, 1, 1);
  sampling.map = (fov_affine_map){1, 0, 0, 1, 1.25, 0};
  check_sample(&image, &sampling, BYTES(50, 90, 140));
  // Cut to two pixels, the others do not exist.
  sampling.source_columns = (fov_pixel_range){2, 4};
  check_sample(&image, &sampling, BYTES(80, 90, 120));
}

// MARK: Formats, parts, orientations

static void any_part_of_any_format(fov_pixel_format format) {
  chance chance = {100 + (uint64_t)format};
  for (int round = 0; round < 120; round++) {
    fov_image image = image_random(format, 70, &chance);
    image.alpha = round % 2 == 0 ? fov_alpha_straight : fov_alpha_ignored;
    image.yuv = (fov_yuv_encoding)(round % 4);
    memcpy(image.background, BYTES((uint8_t)round, (uint8_t)(255 - round), 17), 3);
    const sampling_case part = case_random(&image, &chance);
    check_case(&image, &part, 0);
  }
}

static void check_color(int y, int u, int v, fov_yuv_encoding yuv, const uint8_t *expected) {
  const uint8_t bytes[4] = {(uint8_t)y, (uint8_t)u, (uint8_t)y, (uint8_t)v};
  fov_image image = image_gray(bytes, 4);
  image.format = fov_pixel_format_yuyv;
  image.width = 2;
  image.yuv = yuv;
  const fov_image_sampling sampling = fov_image_sampling_whole(&image, 1, 1, 3);
  check_sample(&image, &sampling, expected);
}

// Values of standards: white, black, and the primaries of video range.
static void colors_of_video(void) {
  check_color(235, 128, 128, fov_yuv_encoding_bt601_video, BYTES(255, 255, 255));
  check_color(16, 128, 128, fov_yuv_encoding_bt709_video, BYTES(0, 0, 0));
  check_color(255, 128, 128, fov_yuv_encoding_bt601_full, BYTES(255, 255, 255));
  check_color(81, 90, 240, fov_yuv_encoding_bt601_video, BYTES(254, 0, 0));
  check_color(76, 85, 255, fov_yuv_encoding_bt601_full, BYTES(254, 0, 0));
  check_color(63, 102, 240, fov_yuv_encoding_bt709_video, BYTES(255, 1, 0));
}

// Scales whose fractions have small denominators, where sums lie exactly between two bytes and only
// doubles can tell; and those that floats hold. Millions of samples.
static const size_t scales[][2] = {{832, 416}, {640, 320}, {768, 320}, {960, 400},
                                   {500, 300}, {624, 416}, {700, 416}, {97, 416}};

static void ties_are_broken_as_doubles_break_them(const size_t scale[2]) {
  chance chance = {scale[0]};
  for (int is_gray = 0; is_gray < 2; is_gray++) {
    const fov_image image =
        is_gray ? image_make(fov_pixel_format_gray, scale[0], scale[0] / 2, 0, &chance)
                : image_make(fov_pixel_format_rgb, scale[0], scale[0] * 3 / 4, 0, &chance);
    const sampling_case part = case_whole(&image, scale[1], scale[1] * 3 / 4, 3);
    check_case(&image, &part, 0);
  }
}

int main(void) {
  static const int forms[][2] = {{fov_pixel_format_gray, 1},
                                 {fov_pixel_format_gray, 3},
                                 {fov_pixel_format_rgb, 1},
                                 {fov_pixel_format_rgb, 3}};
  RUN_ALL(whole_images_equal_the_formula, forms);
  RUN_ALL(odd_size, odd_sizes);
  RUN_ALL(same_size_is_the_identity, same_sizes);
  RUN(doubling_by_hand);
  RUN(shrinking_has_no_low_pass_filter);
  RUN(gray_of_pure_colors);
  RUN(regions_between_pixels);
  RUN_ALL(any_part_of_any_format, all_formats);
  RUN(colors_of_video);
  RUN_ALL(ties_are_broken_as_doubles_break_them, scales);
  return native_test_end();
}

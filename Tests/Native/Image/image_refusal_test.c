// Fovea - arguments of image sampling that are refused.
// SPDX-License-Identifier: Apache-2.0
#include <float.h>

#include "kernels/fov_kernel_set.h"
#include "sampling_oracle.h"

// An image of 4 x 2, all of it in an output of 2 x 2, and what is changed of that.
static fov_image image;
static fov_image_sampling sampling;
static size_t output_bytes;

static void begin(fov_pixel_format format) {
  chance chance = {1};
  image = image_make(format, 4, 2, 0, &chance);
  sampling = fov_image_sampling_whole(&image, 2, 2, 3);
  output_bytes = 12;
}

// A call that fails writes nothing.
static fov_status status(void) {
  uint8_t output[12], untouched[12];
  memset(output, 0xA5, sizeof output);
  memset(untouched, 0xA5, sizeof untouched);
  const fov_status result = fov_image_sample(&image, &sampling, output, output_bytes);
  if (result != fov_status_ok) CHECK_BYTES(output, untouched, sizeof output);
  return result;
}

// The status of a call with changes, which are expressions.
#define EXPECT(expected, format, ...) \
  (begin(format), __VA_ARGS__, CHECK_EQUAL(status(), fov_status_##expected))
#define RGB fov_pixel_format_rgb
#define NV12 fov_pixel_format_nv12

static void unchanged_calls_work(fov_pixel_format format) { EXPECT(ok, format, (void)0); }

// MARK: The image

static void sizes_of_zero(void) {
  EXPECT(invalid_argument, RGB, image.width = 0);
  EXPECT(invalid_argument, RGB, image.height = 0);
  EXPECT(invalid_argument, RGB, sampling.width = 0);
  EXPECT(invalid_argument, RGB, sampling.height = 0);
}

static void rows_that_overlap(fov_pixel_format format) {
  EXPECT(invalid_argument, format, image.row_bytes -= 1);
  EXPECT(invalid_argument, format, image.row_bytes = 0);
}

static void data_that_ends_early(fov_pixel_format format) {
  EXPECT(buffer_too_small, format, image.data_bytes -= 1);
  EXPECT(buffer_too_small, format, image.data_bytes = 0);
  EXPECT(buffer_too_small, format, image.height = 5);
}

static void chroma_outside_the_data(void) {
  const size_t half = SIZE_MAX / 2 + 1;
  EXPECT(buffer_too_small, NV12, image.chroma_offset += 1);
  EXPECT(overflow, NV12, image.chroma_offset = SIZE_MAX);
  EXPECT(invalid_argument, NV12, image.chroma_row_bytes = 3);
  // A second row of chroma, which is not there; luma has all three.
  EXPECT(buffer_too_small, NV12, image.height = 3, image.chroma_offset = 6);
  EXPECT(overflow, NV12, image.height = 3, image.chroma_row_bytes = half,
         image.chroma_offset = half);
}

// Two samples in each row of U and V, which U has 2 bytes apart.
static void split_into_planes(size_t step_of_v) {
  const uint8_t *data = image.data;
  image.format = fov_pixel_format_planar;
  image.sample_bits = 8;
  image.chroma_shifts[0] = 1;
  image.chroma_shifts[1] = 0;
  image.planes[0] = (fov_sample_plane){data, 8, 4, 1};
  image.planes[1] = (fov_sample_plane){data + 8, 6, 3, 2};
  image.planes[2] = (fov_sample_plane){data + 16, 8, step_of_v + 1, step_of_v};
}

static void chroma_of_two_steps(void) {
  EXPECT(ok, RGB, split_into_planes(2));
  EXPECT(invalid_argument, RGB, split_into_planes(1));
}

static void sizes_that_do_not_fit(fov_pixel_format format) {
  EXPECT(overflow, format, image.width = SIZE_MAX);
  EXPECT(overflow, format, image.width = (size_t)1 << 31);
  EXPECT(overflow, format, image.height = (size_t)1 << 31);
  EXPECT(overflow, format, image.row_bytes = SIZE_MAX / 2 + 1, image.height = 4);
}

// MARK: The output

static const size_t other_channels[] = {0, 2, 4, SIZE_MAX};

static void channels_other_than_one_and_three(size_t channels) {
  EXPECT(invalid_argument, RGB, sampling.channels = channels);
}

static void output_that_is_too_small(void) {
  EXPECT(buffer_too_small, RGB, output_bytes = 11);
  EXPECT(buffer_too_small, RGB, sampling.width = 3);
  EXPECT(buffer_too_small, RGB, sampling.height = SIZE_MAX >> 24);
  EXPECT(overflow, RGB, sampling.width = SIZE_MAX);
  const size_t root = (size_t)1 << (sizeof(size_t) * 4);
  EXPECT(overflow, RGB, sampling.width = root, sampling.height = root);
}

// MARK: Ranges

#define MINUS(number) (SIZE_MAX - (number) + 1)

static void ranges_outside(void) {
  static const fov_pixel_range sources[] = {{0, 5}, {MINUS(1), 2}, {3, 2},
                                            {2, 2}, {0, 0},        {MINUS(2), MINUS(1)}};
  for (size_t i = 0; i < COUNT(sources); i++) {
    EXPECT(invalid_argument, RGB, sampling.source_columns = sources[i]);
    EXPECT(invalid_argument, RGB, sampling.source_rows = sources[i]);
  }
  static const fov_pixel_range contents[] = {
      {0, 3}, {MINUS(1), 2}, {2, 1}, {3, 3}, {MINUS(2), MINUS(1)}};
  for (size_t i = 0; i < COUNT(contents); i++) {
    EXPECT(invalid_argument, RGB, sampling.content_columns = contents[i]);
    EXPECT(invalid_argument, RGB, sampling.content_rows = contents[i]);
  }
}

static void output_without_content_is_filled(void) {
  begin(RGB);
  sampling.content_rows = (fov_pixel_range){1, 1};
  memcpy(sampling.fill, (const uint8_t[]){1, 2, 3}, 3);
  check_sample(&image, &sampling, (const uint8_t[]){1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
}

// MARK: The map

static void maps_that_are_not_finite(void) {
  static const double values[] = {NAN, INFINITY, -INFINITY};
  double *const fields[] = {&sampling.map.a, &sampling.map.b,  &sampling.map.c,
                            &sampling.map.d, &sampling.map.tx, &sampling.map.ty};
  for (size_t i = 0; i < COUNT(fields) * COUNT(values); i++) {
    EXPECT(invalid_argument, RGB, *fields[i / 3] = values[i % 3]);
  }
  // Finite numbers with infinite products.
  EXPECT(invalid_argument, RGB, sampling.map.a = DBL_MAX);
}

static void maps_that_mix_or_lose_axes(void) {
  EXPECT(invalid_argument, RGB, sampling.map.b = 1e-9);
  EXPECT(invalid_argument, RGB, sampling.map.c = -1);
  EXPECT(invalid_argument, RGB, sampling.map.a = 0);
  EXPECT(invalid_argument, RGB, sampling.map.d = 0);
  EXPECT(invalid_argument, RGB, sampling.map = (fov_affine_map){0, 1, 0, 0, 0, 0});
  EXPECT(invalid_argument, RGB, sampling.map = (fov_affine_map){0, 1, 1, 1, 0, 0});
}

// Maps that lead far away, or nowhere near, read the nearest pixels, as any other.
static void maps_of_any_size(fov_image_filter filter) {
  static const double scales[] = {1e-300, 1e-20, 1, 1e9, 1e20, 1e300, 1e303};
  static const double offsets[] = {0, -1e20, 1e20, 1e300, -1e300, 1e303, -1e303};
  chance chance = {4};
  const fov_image stored = image_make(RGB, 9, 7, 0, &chance);
  for (size_t i = 0; i < COUNT(scales) * COUNT(offsets) * 2; i++) {
    const double scale = scales[i / 2 % COUNT(scales)], offset = offsets[i / 2 / COUNT(scales)];
    fov_image_sampling far = fov_image_sampling_whole(&stored, 5, 4, 3);
    far.filter = filter;
    far.map.a = i % 2 == 0 ? scale : -scale;
    far.map.tx = offset;
    uint8_t *found = sample(&stored, &far);
    // Far to one side there is only the outermost column.
    if (fabs(offset) >= 1e20 && scale <= 1 && filter == fov_image_filter_bilinear) {
      const size_t column = offset > 0 ? 8 : 0;
      far.source_columns = (fov_pixel_range){column, column + 1};
      check_sample(&stored, &far, found);
    }
  }
}

// MARK: Enumerators

static void instruction_sets_of_others(void) {
  for (int set = fov_instruction_set_scalar; set < FOV_INSTRUCTION_SET_COUNT; set++) {
    if (fov_instruction_set_is_available((fov_instruction_set)set)) continue;
    EXPECT(unsupported, RGB, sampling.instruction_set = (fov_instruction_set)set);
  }
}

int main(void) {
  static const fov_image_filter filters[] = {fov_image_filter_bilinear, fov_image_filter_area};
  RUN_ALL(unchanged_calls_work, all_formats);
  RUN(sizes_of_zero);
  RUN_ALL(rows_that_overlap, all_formats);
  RUN_ALL(data_that_ends_early, all_formats);
  RUN(chroma_outside_the_data);
  RUN(chroma_of_two_steps);
  RUN_ALL(sizes_that_do_not_fit, all_formats);
  RUN_ALL(channels_other_than_one_and_three, other_channels);
  RUN(output_that_is_too_small);
  RUN(ranges_outside);
  RUN(output_without_content_is_filled);
  RUN(maps_that_are_not_finite);
  RUN(maps_that_mix_or_lose_axes);
  RUN_ALL(maps_of_any_size, filters);
  RUN(instruction_sets_of_others);
  return native_test_end();
}

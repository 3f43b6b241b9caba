// Fovea - tests of resizing.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(resize)

static input_place place;

static double position_of(const fov_resize *resize, size_t i, size_t axis, size_t size) {
  return fmin(fmax((double)i * resize->step[axis] + resize->offset[axis], 0), (double)(size - 1));
}

// Nearest by position; bilinear as the sum of four elements by their areas, in double precision.
static array oracle(array input, const fov_resize *resize) {
  fov_shape shape = input.shape;
  const size_t row = shape.rank - 2, column = shape.rank - 1;
  const size_t rows = shape.dims[row], columns = shape.dims[column];
  shape.dims[row] = resize->output[0];
  shape.dims[column] = resize->output[1];
  const array result = array_make(shape);
  EACH_INDEX(result, position, index) {
    const double y = position_of(resize, index[row], 0, rows);
    const double x = position_of(resize, index[column], 1, columns);
    double v = y - floor(y), u = x - floor(x), sum = 0;
    if (resize->filter == fov_resize_nearest) u = v = 0;
    for (size_t k = 0; k < 4; k++) {
      const double share = (k / 2 ? v : 1 - v) * (k % 2 ? u : 1 - u);
      size_t at[FOV_MAX_RANK];
      memcpy(at, index, sizeof at);
      at[row] = (size_t)fmin(floor(y) + (double)(k / 2), (double)(rows - 1));
      at[column] = (size_t)fmin(floor(x) + (double)(k % 2), (double)(columns - 1));
      if (share != 0) sum += *element(input, at) * share;
    }
    result.values[position] = (float)sum;
  }
  return result;
}

static double double_between(chance *chance, double low, double high) {
  return low + (high - low) * chance_bits(chance) * 0x1p-32;
}

static void matches_positions(fov_resize_filter filter) {
  chance chance = {(uint64_t)filter + 40};
  for (size_t trial = 0; trial < 50; trial++) {
    const array input = array_random(shape_random(trial % 3 + 3, 200, &chance), -3, 3, &chance);
    fov_resize resize = {.filter = filter};
    for (size_t axis = 0; axis < 2; axis++) {
      resize.output[axis] = chance_between(&chance, 1, 20);
      resize.step[axis] = double_between(&chance, -0.5, 2);
      resize.offset[axis] = double_between(&chance, -1, 4);
    }
    const double tolerance = filter == fov_resize_nearest ? 0 : 3e-6;
    CHECK_CLOSE(COMPUTE(place, add_resize, &resize, input), oracle(input, &resize), tolerance,
                tolerance);
  }
}

static const size_t planes[][2] = {{1, 1}, {1, 5}, {2, 3}, {7, 16}, {13, 17}};

static void doubles_by_repetition(const size_t size[2]) {
  chance chance = {4};
  const array input = array_random(SHAPE(2, 3, size[0], size[1]), -3, 3, &chance);
  const array expected = array_make(SHAPE(2, 3, 2 * size[0], 2 * size[1]));
  EACH_INDEX(expected, position, index) {
    const size_t at[4] = {index[0], index[1], index[2] / 2, index[3] / 2};
    expected.values[position] = *element(input, at);
  }
  // Both offsets mean 0 0 1 1 2 2 ...
  for (int i = 0; i < 2; i++) {
    const fov_resize resize = {
        .output = {2 * size[0], 2 * size[1]}, .step = {0.5, 0.5}, .offset = {0.25 * i, 0.25 * i}};
    CHECK_CLOSE(COMPUTE(from_inputs, add_resize, &resize, input), expected, 0, 0);
  }
  // Twice as many columns that are no repetition.
  const fov_resize flipped = {
      .output = {size[0], 2 * size[1]}, .step = {1, -0.5}, .offset = {0, (double)size[1] - 0.5}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_resize, &flipped, input), oracle(input, &flipped), 0, 0);
}

static void bilinear_keeps_what_has_no_share(void) {
  const fov_resize resize = {fov_resize_bilinear, {1, 2}, {1, 2}, {0, 0}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_resize, &resize, ARRAY(SHAPE(1, 1, 3), 1, NAN, 5)),
              ARRAY(SHAPE(1, 1, 2), 1, 5), 0, 0);
}

static void far_positions_are_clamped(void) {
  const fov_resize resize = {fov_resize_nearest, {1, 3}, {0, DBL_MAX}, {0, -DBL_MAX}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_resize, &resize, ARRAY(SHAPE(1, 1, 3), 1, 2, 3)),
              ARRAY(SHAPE(1, 1, 3), 1, 1, 3), 0, 0);
}

// A change is an expression.
static fov_resize resize;
#define EXPECT(status, ...)                                              \
  (resize = (fov_resize){.output = {2, 2}, .step = {1, 1}}, __VA_ARGS__, \
   CHECK_STATUS(status, add_resize, &resize, SIZED(1, 3, 3)))

static void refusals(void) {
  static const double numbers[] = {NAN, INFINITY, -INFINITY};
  EXPECT(ok, (void)0);
  CHECK_STATUS(shape_mismatch, add_resize, &resize, SIZED(3, 3));
  for (size_t axis = 0; axis < 2; axis++) {
    for (size_t i = 0; i < 3; i++) {
      EXPECT(invalid_argument, resize.step[axis] = numbers[i]);
      EXPECT(invalid_argument, resize.offset[axis] = numbers[i]);
    }
    EXPECT(invalid_argument, resize.output[axis] = 0);
    EXPECT(overflow, resize.output[axis] = SIZE_MAX / 2);
  }
  EXPECT(invalid_argument, resize.filter = (fov_resize_filter)2);
}

int main(void) {
  static const fov_resize_filter filters[] = {fov_resize_nearest, fov_resize_bilinear};
  EACH_PLACE(place) RUN_ALL(matches_positions, filters);
  RUN_ALL(doubles_by_repetition, planes);
  RUN(bilinear_keeps_what_has_no_share);
  RUN(far_positions_are_clamped);
  RUN(refusals);
  return native_test_end();
}

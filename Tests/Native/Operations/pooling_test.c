// Fovea - tests of pooling.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(pooling)

static input_place place;

// Each window from its definition, element by element, with the border asked for by position.
static array oracle(array input, fov_pooling pooling) {
  fov_shape shape = input.shape;
  const size_t y = shape.rank - 2, x = shape.rank - 1;
  shape.dims[y] = pooling.output[0];
  shape.dims[x] = pooling.output[1];
  array result = array_make(shape);
  EACH_INDEX(result, position, index) {
    double sum = 0, squares = 0, most = -INFINITY;
    size_t inside = 0, at[FOV_MAX_RANK];
    memcpy(at, index, sizeof at);
    for (size_t i = 0; i < pooling.kernel[0] * pooling.kernel[1]; i++) {
      // Before the image they are larger than any size.
      at[y] = index[y] * pooling.stride[0] - pooling.before[0] + i / pooling.kernel[1];
      at[x] = index[x] * pooling.stride[1] - pooling.before[1] + i % pooling.kernel[1];
      if (at[y] >= input.shape.dims[y] || at[x] >= input.shape.dims[x]) continue;
      const double value = *element(input, at);
      inside++;
      sum += value;
      squares += value * value;
      most = fmax(most, value);
    }
    const size_t counted = pooling.exclude_padding ? inside : pooling.kernel[0] * pooling.kernel[1];
    result.values[position] = (float)(pooling.function == fov_pooling_maximum   ? most
                                      : pooling.function == fov_pooling_average ? sum / counted
                                                                                : sqrt(squares));
  }
  return result;
}

static void matches_windows_by_definition(fov_pooling_function function) {
  chance chance = {(uint64_t)function + 20};
  for (size_t trial = 0; trial < 60; trial++) {
    const array input = array_random(shape_random(trial % 3 + 3, 3000, &chance), -3, 3, &chance);
    fov_pooling pooling = {.function = function, .exclude_padding = trial % 2 == 0};
    for (size_t axis = 0; axis < 2; axis++) {
      const size_t size = input.shape.dims[input.shape.rank - 2 + axis];
      pooling.kernel[axis] = chance_between(&chance, 1, 5);
      pooling.stride[axis] = chance_between(&chance, 1, 4);
      pooling.before[axis] = chance_below(&chance, pooling.kernel[axis]);
      // As many windows as can begin inside, or fewer.
      const size_t most = (size + pooling.before[axis] - 1) / pooling.stride[axis] + 1;
      pooling.output[axis] = chance_between(&chance, 1, most);
    }
    const double tolerance = function == fov_pooling_maximum ? 0 : 2e-6;
    CHECK_CLOSE(COMPUTE(place, add_pooling, &pooling, input), oracle(input, pooling), tolerance,
                tolerance);
  }
}

static const size_t planes[][2] = {{1, 1}, {2, 2}, {3, 5}, {7, 16}, {17, 17}, {33, 2}, {2, 35}};

static void halves_by_maximum(const size_t size[2]) {
  chance chance = {5};
  const array input = array_random(SHAPE(2, 3, size[0], size[1]), -3, 3, &chance);
  for (size_t up = size[0] > 1 && size[1] > 1 ? 0 : 1; up < 2; up++) {
    const fov_pooling pooling = {
        .kernel = {2, 2}, .stride = {2, 2}, .output = {(size[0] + up) / 2, (size[1] + up) / 2}};
    CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, input), oracle(input, pooling), 0, 0);
  }
}

static void padding_counts_in_an_average_unless_excluded(void) {
  const array ones = ARRAY(SHAPE(1, 2, 2), 1, 1, 1, 1);
  fov_pooling pooling = {.function = fov_pooling_average,
                         .kernel = {3, 3},
                         .stride = {1, 1},
                         .before = {1, 1},
                         .output = {2, 2}};
  const float share = 4.0f / 9;
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, ones),
              ARRAY(SHAPE(1, 2, 2), share, share, share, share), 0, 0);
  pooling.exclude_padding = true;
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, ones), ones, 0, 0);
}

static void padding_never_wins(void) {
  const array negative = ARRAY(SHAPE(1, 1, 2), -5, -7);
  const fov_pooling pooling = {
      .kernel = {3, 3}, .stride = {1, 1}, .before = {1, 1}, .output = {1, 2}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, negative), ARRAY(SHAPE(1, 1, 2), -5, -5),
              0, 0);
}

static void not_a_number_loses_a_maximum_on_both_paths(void) {
  const array input = ARRAY(SHAPE(1, 2, 8), NAN, 1, 2, NAN, NAN, NAN, 3, 4,  //
                            0, NAN, NAN, 5, NAN, NAN, NAN, NAN);
  const array expected = ARRAY(SHAPE(1, 1, 4), 1, 5, -INFINITY, 4);
  fov_pooling pooling = {.kernel = {2, 2}, .stride = {2, 2}, .output = {1, 4}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, input), expected, 0, 0);
  // A kernel of three rows takes the other path to the same windows.
  pooling.kernel[0] = 3;
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, input), expected, 0, 0);
  pooling.kernel[0] = 2;
  pooling.function = fov_pooling_average;
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &pooling, input),
              ARRAY(SHAPE(1, 1, 4), NAN, NAN, NAN, NAN), 0, 0);
}

// A change is an expression; `axis` is the one that it changes.
static fov_pooling pooling;
static size_t axis;
#define EXPECT(status, ...)                                                                    \
  (pooling = (fov_pooling){.kernel = {2, 2}, .stride = {2, 2}, .output = {1, 1}}, __VA_ARGS__, \
   CHECK_STATUS(status, add_pooling, &pooling, SIZED(1, 4, 4)))

static void refusals(void) {
  pooling = (fov_pooling){.kernel = {2, 2}, .stride = {2, 2}, .output = {2, 2}};
  CHECK_STATUS(ok, add_pooling, &pooling, SIZED(1, 4, 4));
  CHECK_STATUS(shape_mismatch, add_pooling, &pooling, SIZED(4, 4));
  EXPECT(invalid_argument, memcpy(&pooling.function, &(int){3}, sizeof(int)));
  for (axis = 0; axis < 2; axis++) {
    EXPECT(invalid_argument, pooling.kernel[axis] = 0);
    EXPECT(invalid_argument, pooling.stride[axis] = 0);
    EXPECT(invalid_argument, pooling.output[axis] = 0);
    // The first window would lie before the plane.
    EXPECT(invalid_argument, pooling.before[axis] = 2);
    // The last window would lie behind it.
    EXPECT(shape_mismatch, pooling.output[axis] = 3);
    pooling = (fov_pooling){.kernel = {2, 2}, .stride = {2, 2}, .output = {1, 1}};
    pooling.output[axis] = SIZE_MAX / 2;
    const fov_status status = status_of(add_pooling, &pooling, "", ARRAYS(SIZED(1, 4, 4)));
    CHECK(status == fov_status_overflow || status == fov_status_shape_mismatch);
    EXPECT(overflow, pooling.stride[axis] = SIZE_MAX, pooling.output[axis] = 3);
    EXPECT(overflow, pooling.kernel[axis] = SIZE_MAX, pooling.before[axis] = SIZE_MAX - 1);
  }
}

static void kernels_far_larger_than_the_plane(void) {
  const size_t large = SIZE_MAX >> 24;
  const fov_pooling wide = {.kernel = {large, large}, .stride = {1, 1}, .output = {1, 3}};
  CHECK_CLOSE(COMPUTE(from_inputs, add_pooling, &wide, ARRAY(SHAPE(1, 1, 3), 3, 1, 2)),
              ARRAY(SHAPE(1, 1, 3), 3, 2, 2), 0, 0);
}

int main(void) {
  static const fov_pooling_function functions[] = {fov_pooling_maximum, fov_pooling_average,
                                                   fov_pooling_l2};
  EACH_PLACE(place) RUN_ALL(matches_windows_by_definition, functions);
  RUN_ALL(halves_by_maximum, planes);
  RUN(padding_counts_in_an_average_unless_excluded);
  RUN(padding_never_wins);
  RUN(not_a_number_loses_a_maximum_on_both_paths);
  RUN(refusals);
  RUN(kernels_far_larger_than_the_plane);
  return native_test_end();
}

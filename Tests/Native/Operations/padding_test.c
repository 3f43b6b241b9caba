// Fovea - tests of padding.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(padding)

static input_place place;

// Walks in from the border one step at a time instead of computing a position.
static array oracle(array input, const fov_padding *padding) {
  fov_shape shape = input.shape;
  for (size_t i = 0; i < shape.rank; i++) shape.dims[i] += padding->before[i] + padding->after[i];
  const array result = array_make(shape);
  EACH_INDEX(result, position, index) {
    size_t source[FOV_MAX_RANK];
    bool is_outside = false;
    for (size_t i = 0; i < shape.rank; i++) {
      const int64_t size = (int64_t)input.shape.dims[i];
      int64_t at = (int64_t)index[i] - (int64_t)padding->before[i];
      is_outside |= at < 0 || at >= size;
      if (at < 0) at = padding->mode == fov_padding_reflect ? -at : 0;
      if (at >= size) at = padding->mode == fov_padding_reflect ? 2 * (size - 1) - at : size - 1;
      source[i] = (size_t)at;
    }
    result.values[position] = is_outside && padding->mode == fov_padding_constant
                                  ? padding->value
                                  : *element(input, source);
  }
  return result;
}

static void reads_by_index(fov_padding_mode mode) {
  chance chance = {(uint64_t)mode + 30};
  for (size_t trial = 0; trial < 40; trial++) {
    const array input = array_random(shape_random(trial % 5 + 1, 400, &chance), -3, 3, &chance);
    fov_padding padding = {.mode = mode, .value = -2.5f};
    for (size_t i = 0; i < 2 * input.shape.rank; i++) {
      const size_t size = input.shape.dims[i / 2];
      const size_t most = mode == fov_padding_reflect && size < 4 ? size - 1 : 3;
      (i % 2 ? padding.after : padding.before)[i / 2] = chance_between(&chance, 0, most);
    }
    CHECK_CLOSE(COMPUTE(place, add_padding, &padding, input), oracle(input, &padding), 0, 0);
  }
}

static void the_rows_of_the_interface(void) {
  const array row = ARRAY(SHAPE(3), 0, 1, 2);
  fov_padding padding = {.mode = fov_padding_reflect, .before = {2}, .after = {2}};
  CHECK_VALUES(COMPUTE(from_inputs, add_padding, &padding, row), 2, 1, 0, 1, 2, 1, 0);
  padding.mode = fov_padding_replicate;
  CHECK_VALUES(COMPUTE(from_inputs, add_padding, &padding, row), 0, 0, 0, 1, 2, 2, 2);
  padding = (fov_padding){.value = -INFINITY, .before = {1}};
  CHECK_VALUES(COMPUTE(from_inputs, add_padding, &padding, row), -INFINITY, 0, 1, 2);
}

#define EXPECT(status, ...) \
  CHECK_STATUS(status, add_padding, (&(fov_padding){__VA_ARGS__}), SIZED(2, 3))

static void refusals(void) {
  EXPECT(ok, .mode = fov_padding_reflect, .before = {1, 2}, .after = {1, 2});
  EXPECT(shape_mismatch, .mode = fov_padding_reflect, .before = {2, 0});
  EXPECT(shape_mismatch, .mode = fov_padding_reflect, .after = {0, 3});
  EXPECT(invalid_argument, .mode = (fov_padding_mode)3);
  EXPECT(invalid_argument, .value = NAN);
  EXPECT(overflow, .before = {SIZE_MAX, 0});
  EXPECT(overflow, .before = {0, SIZE_MAX / 2}, .after = {0, SIZE_MAX / 2});
}

int main(void) {
  static const fov_padding_mode modes[] = {fov_padding_constant, fov_padding_reflect,
                                           fov_padding_replicate};
  EACH_PLACE(place) RUN_ALL(reads_by_index, modes);
  RUN(the_rows_of_the_interface);
  RUN(refusals);
  return native_test_end();
}

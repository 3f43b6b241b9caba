// Fovea - tests of the operations that move elements: slice, reshape, transpose, broadcast, concat.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(slice)
ADD_FUNCTION(reshape)
ADD_FUNCTION(transpose)
ADD_FUNCTION(broadcast)

static const input_place places[] = {from_inputs, from_results};

// MARK: Slice

static void slices_read_by_index(input_place place) {
  chance chance = {11};
  for (size_t trial = 0; trial < 60; trial++) {
    const array input = array_counting(shape_random(trial % 5 + 1, 6000, &chance));
    fov_slice slice = {0};
    fov_shape shape = {.rank = input.shape.rank};
    for (size_t i = 0; i < shape.rank; i++) {
      const size_t size = input.shape.dims[i], step = chance_between(&chance, 1, 3);
      const bool is_backwards = chance_bool(&chance);
      slice.begin[i] = chance_below(&chance, size);
      slice.stride[i] = is_backwards ? -(int64_t)step : (int64_t)step;
      const size_t room = (is_backwards ? slice.begin[i] : size - 1 - slice.begin[i]) / step;
      shape.dims[i] = slice.count[i] = chance_between(&chance, 1, room + 1);
    }
    const array expected = array_make(shape);
    EACH_INDEX(expected, position, index) {
      for (size_t i = 0; i < shape.rank; i++) {
        index[i] = slice.begin[i] + index[i] * (size_t)slice.stride[i];
      }
      expected.values[position] = *element(input, index);
    }
    CHECK_CLOSE(COMPUTE(place, add_slice, &slice, input), expected, 0, 0);
  }
}

static void one_element_at_any_stride(void) {
  static const int64_t strides[] = {INT64_MAX, INT64_MIN, -1};
  for (size_t i = 0; i < COUNT(strides); i++) {
    const fov_slice slice = {{2, 1}, {1, 3}, {strides[i], 1}};
    CHECK_CLOSE(COMPUTE(from_inputs, add_slice, &slice, array_counting(SHAPE(3, 5))),
                ARRAY(SHAPE(1, 3), 11, 12, 13), 0, 0);
  }
}

static void refusals_of_slices(void) {
  const size_t most = SIZE_MAX / 2, minus = SIZE_MAX;
  const struct {
    fov_status status;
    size_t begin, count;
    int64_t stride;
  } lines[] = {{fov_status_ok, 0, 7, 1},
               {fov_status_ok, 6, 7, -1},
               {fov_status_ok, 0, 4, 2},
#define BAD(...) {fov_status_invalid_argument, __VA_ARGS__}
               BAD(7, 1, 1),
               BAD(minus, 1, 1),
               BAD(most, 1, 1),
               BAD(0, 8, 1),
               BAD(0, 5, 2),
               BAD(1, 4, 2),
               BAD(5, 7, -1),
               BAD(0, 2, -1),
               BAD(0, 0, 1),
               BAD(0, minus, 1),
               BAD(0, 1, 0),
               BAD(0, 2, INT64_MAX),
               BAD(6, 2, INT64_MIN),
               BAD(0, most, INT64_MAX),
               BAD(1, most, -1),
               BAD(0, minus, INT64_MIN)};
  for (size_t i = 0; i < COUNT(lines); i++) {
    const fov_slice slice = {{0, lines[i].begin}, {2, lines[i].count}, {1, lines[i].stride}};
    CASE("line %zu", i);
    CHECK_EQUAL(status_of(add_slice, &slice, "", ARRAYS(SIZED(2, 7))), lines[i].status);
  }
}

// MARK: Reshape

static const fov_shape shapes[] = {
    {1, {60}}, {2, {1, 60}}, {3, {5, 4, 3}}, {5, {3, 1, 4, 1, 5}}, {8, {1, 2, 3, 1, 1, 2, 5, 1}}};

static void reshape_keeps_order(fov_shape shape) {
  for (size_t i = 0; i < COUNT(places); i++) {
    CHECK_CLOSE(COMPUTE(places[i], add_reshape, &shape, array_counting(SHAPE(3, 4, 5))),
                array_counting(shape), 0, 0);
  }
}

#define CHECK_SHAPE(status, add, from, ...) \
  CHECK_STATUS(status, add, (&(const fov_shape){__VA_ARGS__}), from)

static void refusals_of_shapes(void) {
  CHECK_SHAPE(shape_mismatch, add_reshape, SIZED(3, 4), 1, {13});
  CHECK_SHAPE(shape_mismatch, add_reshape, SIZED(3, 4), 2, {12, 0});
  CHECK_SHAPE(shape_mismatch, add_reshape, SIZED(3, 4), 9, {1, 1, 1, 1, 1, 1, 1, 1});
  CHECK_SHAPE(overflow, add_reshape, SIZED(3, 4), 2, {HUGE_SIZE, 2 * HUGE_SIZE});
}

// MARK: Transpose

static array transposed(array input, const size_t *axes) {
  fov_shape shape = {.rank = input.shape.rank};
  for (size_t i = 0; i < shape.rank; i++) shape.dims[i] = input.shape.dims[axes[i]];
  const array result = array_make(shape);
  EACH_INDEX(result, position, index) {
    size_t source[FOV_MAX_RANK];
    for (size_t i = 0; i < shape.rank; i++) source[axes[i]] = index[i];
    result.values[position] = *element(input, source);
  }
  return result;
}

static void transpositions_read_by_index(input_place place) {
  chance chance = {12};
  for (size_t trial = 0; trial < 80; trial++) {
    size_t axes[] = {0, 1, 2, 3, 4};
    const array input = array_counting(shape_random(trial % 5 + 1, 6000, &chance));
    chance_shuffle(&chance, axes, input.shape.rank);
    CASE("trial %zu", trial);
    CHECK_CLOSE(COMPUTE(place, add_transpose, axes, input), transposed(input, axes), 0, 0);
  }
}

typedef struct permutation {
  fov_shape shape;
  size_t axes[6];
} permutation;

// The permutations of a space-to-depth layer: neighbors that stay together, and rank 6.
static const permutation permutations[] = {{{6, {2, 3, 33, 2, 18, 2}}, {0, 3, 5, 1, 2, 4}},
                                           {{4, {1, 255, 13, 13}}, {0, 2, 3, 1}},
                                           {{2, {40, 50}}, {1, 0}},
                                           {{3, {17, 16, 15}}, {2, 0, 1}},
                                           {{3, {1, 1, 1}}, {2, 1, 0}},
                                           {{3, {2, 3, 4}}, {0, 1, 2}}};

static void known_permutations(permutation known) {
  const array input = array_counting(known.shape);
  CHECK_CLOSE(COMPUTE(from_inputs, add_transpose, known.axes, input), transposed(input, known.axes),
              0, 0);
}

static const size_t wrong_axes[][3] = {
    {0, 1, 1}, {0, 1, 3}, {0, 1, SIZE_MAX}, {0, 1, 64}, {2, 2, 2}};

static void refusals_of_axes(const size_t axes[3]) {
  CHECK_STATUS(invalid_argument, add_transpose, axes, SIZED(2, 3, 4));
}

// MARK: Broadcast

static void broadcasts_read_by_index(input_place place) {
  chance chance = {13};
  for (size_t trial = 0; trial < 60; trial++) {
    const fov_shape shape = shape_random(trial % 5 + 1, 6000, &chance);
    fov_shape side = {.rank = chance_between(&chance, 1, shape.rank)};
    for (size_t i = 0; i < side.rank; i++) {
      side.dims[i] = chance_bool(&chance) ? 1 : shape.dims[shape.rank - side.rank + i];
    }
    const array input = array_counting(side), expected = array_make(shape);
    EACH_INDEX(expected, position, index) {
      expected.values[position] = broadcast_element(input, shape, index);
    }
    CASE("trial %zu", trial);
    CHECK_CLOSE(COMPUTE(place, add_broadcast, &shape, input), expected, 0, 0);
  }
}

static void refusals_of_broadcasts(void) {
  CHECK_SHAPE(shape_mismatch, add_broadcast, SIZED(2, 3), 2, {2, 4});
  CHECK_SHAPE(shape_mismatch, add_broadcast, SIZED(2, 3), 1, {3});
  CHECK_SHAPE(shape_mismatch, add_broadcast, SIZED(2, 3), 2, {1, 3});
  CHECK_SHAPE(shape_mismatch, add_broadcast, SIZED(1), 1, {0});
  CHECK_SHAPE(overflow, add_broadcast, SIZED(1), 2, {2 * HUGE_SIZE, 2 * HUGE_SIZE});
}

// MARK: Concat

typedef struct concat {
  size_t axis, count;
} concat;

static fov_status add_concat(fov_graph *graph, const void *parameters, const fov_value *inputs,
                             fov_value *out, fov_diagnostic *why) {
  const concat *concat = parameters;
  return fov_graph_add_concat(graph, concat->axis, inputs, concat->count, out, why);
}

static void concatenations_read_by_index(input_place place) {
  chance chance = {14};
  for (size_t trial = 0; trial < 40; trial++) {
    fov_shape shape = shape_random(trial % 5 + 1, 2000, &chance);
    const concat concat = {chance_below(&chance, shape.rank), chance_between(&chance, 1, 4)};
    array inputs[4];
    size_t total = 0;
    for (size_t i = 0; i < concat.count; i++) {
      shape.dims[concat.axis] = chance_between(&chance, 1, 9);
      total += shape.dims[concat.axis];
      inputs[i] = array_random(shape, -3, 3, &chance);
    }
    shape.dims[concat.axis] = total;
    const array expected = array_make(shape);
    EACH_INDEX(expected, position, index) {
      size_t i = 0;
      for (; index[concat.axis] >= inputs[i].shape.dims[concat.axis]; i++) {
        index[concat.axis] -= inputs[i].shape.dims[concat.axis];
      }
      expected.values[position] = *element(inputs[i], index);
    }
    CHECK_CLOSE(compute(place, add_concat, &concat, inputs, concat.count), expected, 0, 0);
  }
}

#define CHECK_CONCAT(status, axis, count, ...) \
  CHECK_STATUS(status, add_concat, (&(concat){axis, count}), __VA_ARGS__)

static void refusals_of_concatenations(void) {
  CHECK_EQUAL(status_of(add_concat, &(concat){0, 0}, "", NULL, 0), fov_status_invalid_graph);
  CHECK_CONCAT(invalid_argument, 2, 1, SIZED(2, 3));
  CHECK_CONCAT(invalid_argument, SIZE_MAX, 1, SIZED(2, 3));
  CHECK_CONCAT(shape_mismatch, 0, 2, SIZED(2, 3), SIZED(2, 4));
  CHECK_CONCAT(shape_mismatch, 0, 2, SIZED(2, 3), SIZED(2));
  const size_t large = SIZE_MAX / 16 + 1;
  CHECK_CONCAT(overflow, 0, 2, SIZED(large, 2), SIZED(large, 2));
}

int main(void) {
  RUN_ALL(slices_read_by_index, places);
  RUN(one_element_at_any_stride);
  RUN(refusals_of_slices);
  RUN_ALL(reshape_keeps_order, shapes);
  RUN(refusals_of_shapes);
  RUN_ALL(transpositions_read_by_index, places);
  RUN_ALL(known_permutations, permutations);
  RUN_ALL(refusals_of_axes, wrong_axes);
  RUN_ALL(broadcasts_read_by_index, places);
  RUN(refusals_of_broadcasts);
  RUN_ALL(concatenations_read_by_index, places);
  RUN(refusals_of_concatenations);
  return native_test_end();
}

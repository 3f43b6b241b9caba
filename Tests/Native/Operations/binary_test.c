// Fovea - tests of the functions of two elements.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

static input_place place;

static fov_status add_binary(fov_graph *graph, const void *function, const fov_value *inputs,
                             fov_value *out, fov_diagnostic *why) {
  return fov_graph_add_binary(graph, *(const fov_binary_function *)function, inputs[0], inputs[1],
                              out, why);
}

static fov_status add_to_itself(fov_graph *graph, const void *function, const fov_value *inputs,
                                fov_value *out, fov_diagnostic *why) {
  const fov_value both[2] = {inputs[0], inputs[0]};
  return add_binary(graph, function, both, out, why);
}

// The function in single precision, as the interface describes it.
static float value(fov_binary_function function, float x, float y) {
  switch (function) {
    case fov_binary_add: return x + y;
    case fov_binary_subtract: return x - y;
    case fov_binary_multiply: return x * y;
    case fov_binary_divide: return x / y;
    case fov_binary_maximum: return y >= x ? y : x;
    case fov_binary_minimum: return y < x ? y : x;
    case fov_binary_power: return (float)pow(x, y);
    case fov_binary_modulo: return (float)(x - floor((double)x / y) * (double)y);
    case fov_binary_floor_divide: return floorf(x / y);
    case fov_binary_equal: return x == y;
    case fov_binary_not_equal: return x != y;
    case fov_binary_greater: return x > y;
    case fov_binary_greater_equal: return x >= y;
    case fov_binary_less: return x < y;
    case fov_binary_less_equal: return x <= y;
    case fov_binary_logical_and: return x != 0 && y != 0;
    case fov_binary_logical_or: return x != 0 || y != 0;
    case fov_binary_logical_xor: return (x != 0) != (y != 0);
    case fov_binary_truncated_divide: return truncf(x / y);
  }
  return NAN;
}

static array oracle(fov_binary_function function, array left, array right) {
  const array result = array_make(broadcast_shape(left.shape, right.shape));
  EACH_INDEX(result, position, index) {
    result.values[position] = value(function, broadcast_element(left, result.shape, index),
                                    broadcast_element(right, result.shape, index));
  }
  return result;
}

static double tolerance_of(fov_binary_function function) {
  return function == fov_binary_power ? 1e-6 : 0;
}

static bool is_truth(fov_binary_function function) {
  return function >= fov_binary_equal && function <= fov_binary_logical_xor;
}

// A side loses leading dimensions and repeats some, at random.
static fov_shape side_of(fov_shape shape, chance *chance) {
  fov_shape side = {.rank = chance_between(chance, 1, shape.rank)};
  for (size_t i = 0; i < side.rank; i++) {
    const size_t size = shape.dims[shape.rank - side.rank + i];
    side.dims[i] = chance_below(chance, 3) == 0 ? 1 : size;
  }
  return side;
}

static void broadcasts_like_the_index_says(fov_binary_function function) {
  chance chance = {(uint64_t)function + 100};
  for (size_t trial = 0; trial < 40; trial++) {
    const fov_shape shape = shape_random(trial % 5 + 1, 1000, &chance);
    const array left =
        array_random(trial % 2 == 0 ? shape : side_of(shape, &chance), 0.5, 4, &chance);
    const array right =
        array_random(trial % 4 == 0 ? shape : side_of(shape, &chance), 0.5, 4, &chance);
    CASE("trial %zu", trial);
    CHECK_CLOSE(COMPUTE(place, add_binary, &function, left, right), oracle(function, left, right),
                tolerance_of(function), 0);
  }
}

static const fov_shape broadcasts[][2] = {
    {{4, {2, 3, 5, 7}}, {1, {1}}},       {{4, {2, 3, 5, 7}}, {3, {3, 1, 1}}},
    {{4, {2, 3, 5, 7}}, {3, {1, 5, 7}}}, {{4, {2, 3, 5, 7}}, {1, {7}}},
    {{4, {2, 3, 5, 7}}, {2, {5, 1}}},    {{4, {2, 1, 5, 1}}, {4, {1, 3, 1, 7}}},
    {{1, {1}}, {2, {16, 17}}},           {{3, {3, 1, 1}}, {3, {3, 16, 17}}},
    {{5, {1, 1, 1, 1, 1}}, {1, {1}}},    {{1, {17}}, {3, {1, 1, 17}}}};

static void common_broadcasts(const fov_shape sides[2]) {
  static const fov_binary_function subtract = fov_binary_subtract;
  chance chance = {7};
  const array a = array_random(sides[0], -3, 3, &chance);
  const array b = array_random(sides[1], -3, 3, &chance);
  EACH_PLACE(place) {
    CHECK_CLOSE(COMPUTE(place, add_binary, &subtract, a, b), oracle(subtract, a, b), 0, 0);
  }
}

static void both_sides_the_same_value(fov_binary_function function) {
  chance chance = {3};
  const array input = array_random(SHAPE(3, 17), 0.5, 4, &chance);
  EACH_PLACE(place) {
    CHECK_CLOSE(COMPUTE(place, add_to_itself, &function, input), oracle(function, input, input),
                tolerance_of(function), 0);
  }
}

static array of(fov_binary_function function, array x, array y) {
  return COMPUTE(from_inputs, add_binary, &function, x, y);
}

static void signs_of_quotients(void) {
  const array x = ARRAY(SHAPE(4), 7, -7, 7, -7), y = ARRAY(SHAPE(4), 3, 3, -3, -3);
  CHECK_VALUES(of(fov_binary_modulo, x, y), 1, 2, -2, -1);
  CHECK_VALUES(of(fov_binary_modulo, x, ARRAY(SHAPE(4), INFINITY, INFINITY, -INFINITY, -INFINITY)),
               7, INFINITY, -INFINITY, -7);
  CHECK(isnan(of(fov_binary_modulo, ARRAY(SHAPE(1), INFINITY), ARRAY(SHAPE(1), 3)).values[0]));
  CHECK_VALUES(of(fov_binary_floor_divide, x, y), 2, -3, -3, 2);
  CHECK_VALUES(of(fov_binary_truncated_divide, x, y), 2, -2, -2, 2);
}

// Equal elements, both zeros, infinities and NaN, on either side, by rows and by constants.
static void truths(fov_binary_function function) {
  const float values[] = {0, -0.0f, 1, -1, 0.5f, INFINITY, -INFINITY, NAN, 3};
  const array column = array_of(SHAPE(9, 1), values), row = array_of(SHAPE(9), values);
  const array sides[][2] = {{column, row}, {row, column}, {row, row}};
  EACH_PLACE(place) for (size_t i = 0; i < COUNT(sides); i++) {
    const array found = compute(place, add_binary, &function, sides[i], 2);
    CHECK_CLOSE(found, oracle(function, sides[i][0], sides[i][1]), 0, 0);
    for (size_t j = 0; j < found.count; j++) CHECK(found.values[j] == 0 || found.values[j] == 1);
  }
}

static void a_compiled_file_holds_every_function(fov_binary_function function) {
  chance chance = {5};
  const run_options options = {fov_backend_float32, 1, from_inputs, true, 0};
  const array left = array_random(SHAPE(3, 17), 0.5, 4, &chance);
  const array right = array_random(SHAPE(17), 0.5, 4, &chance);
  CHECK_CLOSE(compute_with(options, add_binary, &function, ARRAYS(left, right)),
              oracle(function, left, right), tolerance_of(function), 0);
}

static void not_a_number(fov_binary_function function) {
  if (function == fov_binary_power || is_truth(function)) return;
  const bool chooses = function == fov_binary_maximum || function == fov_binary_minimum;
  const array nan = ARRAY(SHAPE(9), NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN);
  const array one = ARRAY(SHAPE(9), 1, 1, 1, 1, 1, 1, 1, 1, 1);
  CHECK_CLOSE(of(function, nan, one), chooses ? one : nan, 0, 0);
  CHECK_CLOSE(of(function, one, nan), nan, 0, 0);
}

static void refusals(void) {
  const fov_binary_function add = fov_binary_add, unknown = (fov_binary_function)19;
  CHECK_STATUS(shape_mismatch, add_binary, &add, SIZED(2, 3), SIZED(2, 4));
  CHECK_STATUS(shape_mismatch, add_binary, &add, SIZED(3), SIZED(3, 2));
  CHECK_STATUS(invalid_argument, add_binary, &unknown, SIZED(3), SIZED(3));
  CHECK_STATUS(overflow, add_binary, &add, SIZED(HUGE_SIZE, 1), SIZED(1, HUGE_SIZE));
}

int main(void) {
  fov_binary_function functions[19], truth_functions[9];
  for (size_t i = 0; i < 19; i++) functions[i] = (fov_binary_function)i;
  memcpy(truth_functions, functions + fov_binary_equal, sizeof truth_functions);
  EACH_PLACE(place) RUN_ALL(broadcasts_like_the_index_says, functions);
  RUN_ALL(common_broadcasts, broadcasts);
  RUN_ALL(both_sides_the_same_value, functions);
  RUN(signs_of_quotients);
  RUN_ALL(truths, truth_functions);
  RUN_ALL(a_compiled_file_holds_every_function, functions);
  RUN_ALL(not_a_number, functions);
  RUN(refusals);
  return native_test_end();
}

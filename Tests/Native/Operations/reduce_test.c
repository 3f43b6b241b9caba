// Fovea - tests of reductions.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(reduce)

static input_place place;

// One result over `count` elements in order, in double precision.
static double reduced(const fov_reduce *reduce, const double *x, size_t count) {
  double sum = 0, squares = 0, magnitudes = 0, product = 1, powers = 0;
  double most = -INFINITY, least = INFINITY, first = 0;
  for (size_t i = 0; i < count; i++) {
    sum += x[i];
    squares += x[i] * x[i];
    magnitudes += fabs(x[i]);
    product *= x[i];
    powers += exp(x[i]);
    if (x[i] > most) first = (double)i;
    most = fmax(most, x[i]);
    least = fmin(least, x[i]);
  }
  switch (reduce->function) {
    case fov_reduce_sum: return sum;
    case fov_reduce_mean: return sum / (double)count;
    case fov_reduce_product: return product;
    case fov_reduce_log_sum: return log(sum + reduce->epsilon);
    case fov_reduce_sum_square: return squares;
    case fov_reduce_l1: return magnitudes;
    case fov_reduce_l2: return sqrt(squares);
    case fov_reduce_maximum: return most;
    case fov_reduce_minimum: return least;
    case fov_reduce_argmax: return first;
    case fov_reduce_log_sum_exp: return log(powers);
  }
  return NAN;
}

static bool is_reduced(const fov_reduce *reduce, size_t axis) { return reduce->axes >> axis & 1; }

// Gathers the elements of each result, in order.
static array oracle(array input, const fov_reduce *reduce) {
  fov_shape kept = input.shape, shape = SCALAR;
  for (size_t i = 0; i < kept.rank; i++) {
    if (is_reduced(reduce, i)) kept.dims[i] = 1;
    if (reduce->keep_dimensions || !is_reduced(reduce, i)) shape.dims[shape.rank++] = kept.dims[i];
  }
  array result = array_make(kept);
  double *elements = native_test_allocate(input.count, sizeof(double));
  EACH_INDEX(result, position, index) {
    size_t count = 0;
    EACH_INDEX(input, source, at) {
      bool belongs = true;
      for (size_t i = 0; i < kept.rank; i++) belongs &= is_reduced(reduce, i) || at[i] == index[i];
      if (belongs) elements[count++] = input.values[source];
    }
    result.values[position] = (float)reduced(reduce, elements, count);
  }
  result.shape = shape;
  return result;
}

static void matches_double_precision(fov_reduce_function function) {
  chance chance = {(uint64_t)function + 50};
  for (size_t trial = 0; trial < 50; trial++) {
    size_t axes[] = {0, 1, 2, 3, 4};
    const size_t rank = trial % 5 + 1;
    const array input = array_random(shape_random(rank, 1500, &chance), 0.8f, 1.2f, &chance);
    fov_reduce reduce = {function, 0, chance_bool(&chance), 0.5f};
    const size_t count = function == fov_reduce_argmax ? 1 : chance_between(&chance, 1, rank);
    chance_shuffle(&chance, axes, rank);
    for (size_t i = 0; i < count; i++) reduce.axes |= 1u << axes[i];
    CASE("trial %zu, axes %u", trial, reduce.axes);
    CHECK_CLOSE(COMPUTE(place, add_reduce, &reduce, input), oracle(input, &reduce), 2e-7, 1e-7);
  }
}

static array over(array input, fov_reduce_function function, size_t axis) {
  return COMPUTE(from_inputs, add_reduce, &((fov_reduce){function, 1u << axis, false, 0}), input);
}

static void signs_and_ties(void) {
  const array input = ARRAY(SHAPE(2, 4), -3, 1, 1, -2, -5, -4, -4, -6);
  CHECK_VALUES(over(input, fov_reduce_argmax, 1), 1, 1);
  CHECK_VALUES(over(input, fov_reduce_argmax, 0), 0, 0, 0, 0);
  CHECK_VALUES(over(input, fov_reduce_maximum, 1), 1, -4);
  CHECK_VALUES(over(input, fov_reduce_minimum, 1), -3, -6);
  CHECK_VALUES(over(input, fov_reduce_l1, 1), 7, 19);
  CHECK_VALUES(over(input, fov_reduce_product, 1), 6, 480);
}

static void a_million_elements_add_up_exactly(void) {
  // In single precision the sum would stop growing where 0.1 falls below half a unit.
  const array input = array_make(SHAPE(1000, 1000));
  for (size_t i = 0; i < input.count; i++) input.values[i] = 0.1f;
  const fov_reduce reduce = {fov_reduce_sum, 3, false, 0};
  CHECK_CLOSE(COMPUTE(from_inputs, add_reduce, &reduce, input),
              ARRAY(SCALAR, (float)(1000000 * (double)0.1f)), 0, 0);
}

static void logarithms_of_large_sums(void) {
  const array input =
      ARRAY(SHAPE(5, 2), 1000, 1000, -INFINITY, -INFINITY, INFINITY, 0, NAN, 0, -1000, -1000);
  CHECK_VALUES(over(input, fov_reduce_log_sum_exp, 1), 1000 + logf(2), -INFINITY, INFINITY, NAN,
               -1000 + logf(2));
}

static void not_a_number(size_t axis) {
  static const fov_reduce_function others[] = {fov_reduce_sum,     fov_reduce_mean,
                                               fov_reduce_product, fov_reduce_l1,
                                               fov_reduce_l2,      fov_reduce_log_sum_exp};
  const array input = axis == 1 ? ARRAY(SHAPE(2, 3), NAN, 2, NAN, NAN, NAN, NAN)
                                : ARRAY(SHAPE(3, 2), NAN, NAN, 2, NAN, NAN, NAN);
  CHECK_VALUES(over(input, fov_reduce_maximum, axis), 2, -INFINITY);
  CHECK_VALUES(over(input, fov_reduce_minimum, axis), 2, INFINITY);
  CHECK_VALUES(over(input, fov_reduce_argmax, axis), 1, 0);
  for (size_t i = 0; i < COUNT(others); i++) CHECK_VALUES(over(input, others[i], axis), NAN, NAN);
}

#define EXPECT(status, function, axes, epsilon, ...)                                \
  CHECK_STATUS(status, add_reduce, (&(fov_reduce){function, axes, false, epsilon}), \
               SIZED(__VA_ARGS__))

static void refusals(void) {
  static const uint32_t masks[] = {0, 4, 7, UINT32_MAX, 1u << 31};
  EXPECT(ok, fov_reduce_sum, 3, 0, 2, 3);
  for (size_t i = 0; i < COUNT(masks); i++) {
    EXPECT(invalid_argument, fov_reduce_sum, masks[i], 0, 2, 3);
  }
  EXPECT(invalid_argument, fov_reduce_log_sum, 1, NAN, 2, 3);
  EXPECT(invalid_argument, (fov_reduce_function)11, 1, 0, 2, 3);
  EXPECT(invalid_argument, fov_reduce_argmax, 3, 0, 2, 3);
  EXPECT(ok, fov_reduce_argmax, 1, 0, 1 << 24);
  EXPECT(unsupported, fov_reduce_argmax, 1, 0, (1 << 24) + 1);
}

int main(void) {
  static const size_t axes[] = {0, 1};
  fov_reduce_function functions[11];
  for (size_t i = 0; i < COUNT(functions); i++) functions[i] = (fov_reduce_function)i;
  EACH_PLACE(place) RUN_ALL(matches_double_precision, functions);
  RUN(signs_and_ties);
  RUN(a_million_elements_add_up_exactly);
  RUN(logarithms_of_large_sums);
  RUN_ALL(not_a_number, axes);
  RUN(refusals);
  return native_test_end();
}

// Fovea - arrays for oracles: a shape, its elements, and an index for each.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

array array_make(fov_shape shape) {
  array result = {.shape = shape, .count = 1};
  for (size_t i = 0; i < shape.rank; i++) result.count *= shape.dims[i];
  result.values = native_test_allocate(result.count, sizeof(float));
  return result;
}

array array_of(fov_shape shape, const float *values) {
  array result = array_make(shape);
  memcpy(result.values, values, result.count * sizeof(float));
  return result;
}

array array_counting(fov_shape shape) {
  array result = array_make(shape);
  for (size_t i = 0; i < result.count; i++) result.values[i] = (float)i;
  return result;
}

array array_random(fov_shape shape, float low, float high, chance *chance) {
  array result = array_make(shape);
  for (size_t i = 0; i < result.count; i++) result.values[i] = chance_float(chance, low, high);
  return result;
}

fov_shape shape_random(size_t rank, size_t limit, chance *chance) {
  static const size_t sizes[] = {1, 2, 3, 5, 7, 16, 17};
  fov_shape shape = {.rank = rank};
  size_t room = limit;
  for (size_t i = 0; i < rank; i++) {
    size_t choices = COUNT(sizes);
    while (choices > 1 && sizes[choices - 1] > room) choices--;
    shape.dims[i] = sizes[chance_below(chance, choices)];
    room /= shape.dims[i];
  }
  chance_shuffle(chance, shape.dims, rank);
  return shape;
}

void index_of(fov_shape shape, size_t position, size_t *out_index) {
  for (size_t i = shape.rank; i > 0; i--) {
    out_index[i - 1] = position % shape.dims[i - 1];
    position /= shape.dims[i - 1];
  }
}

float *element(array array, const size_t *index) {
  size_t position = 0;
  for (size_t i = 0; i < array.shape.rank; i++) {
    CHECK(index[i] < array.shape.dims[i]);
    position = position * array.shape.dims[i] + index[i];
  }
  return &array.values[position];
}

float broadcast_element(array array, fov_shape result, const size_t *index) {
  size_t own[FOV_MAX_RANK];
  for (size_t i = 0; i < array.shape.rank; i++) {
    own[i] = array.shape.dims[i] == 1 ? 0 : index[result.rank - array.shape.rank + i];
  }
  return *element(array, own);
}

fov_shape broadcast_shape(fov_shape left, fov_shape right) {
  if (left.rank < right.rank) return broadcast_shape(right, left);
  for (size_t i = 0; i < right.rank; i++) {
    size_t *size = &left.dims[left.rank - right.rank + i];
    if (right.dims[i] > *size) *size = right.dims[i];
  }
  return left;
}

bool check_close(array found, array expected, double relative, double absolute, int line) {
  char what[200];
  if (!CHECK_EQUAL(found.shape.rank, expected.shape.rank)) return false;
  for (size_t i = 0; i < found.shape.rank; i++) {
    if (!CHECK_EQUAL(found.shape.dims[i], expected.shape.dims[i])) return false;
  }
  for (size_t i = 0; i < found.count; i++) {
    const double value = expected.values[i];
    if (native_test_is_near(found.values[i], value, absolute + relative * fabs(value))) continue;
    snprintf(what, sizeof what, "element %zu of %zu is %.9g, expected %.9g", i, found.count,
             found.values[i], value);
    return native_test_check(false, "checked at line", line, what);
  }
  return true;
}

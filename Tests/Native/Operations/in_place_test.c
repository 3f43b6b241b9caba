// Fovea - tests of which operations write their result over their input.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(unary)
ADD_FUNCTION(local_response_normalization)
ADD_FUNCTION(transpose)

static fov_status add_softmax(fov_graph *graph, const void *parameters, const fov_value *inputs,
                              fov_value *out, fov_diagnostic *why) {
  (void)parameters;
  return fov_graph_add_softmax(graph, 0, inputs[0], out, why);
}

static fov_status add_affine(fov_graph *graph, const void *parameters, const fov_value *inputs,
                             fov_value *out, fov_diagnostic *why) {
  (void)parameters;
  return fov_graph_add_channel_affine(graph, 4, NULL, NULL, inputs[0], out, why);
}

static fov_status add_sum(fov_graph *graph, const void *parameters, const fov_value *inputs,
                          fov_value *out, fov_diagnostic *why) {
  (void)parameters;
  return fov_graph_add_binary(graph, fov_binary_add, inputs[0], inputs[1], out, why);
}

#define IMAGE SIZED(4, 16, 17)

static void operations_of_one_element_write_over_their_input(void) {
  const fov_unary relu = {fov_unary_relu, 0, 0};
  CHECK(works_in_place(add_unary, &relu, ARRAYS(IMAGE)));
  CHECK(works_in_place(add_softmax, NULL, ARRAYS(IMAGE)));
  CHECK(works_in_place(add_affine, NULL, ARRAYS(IMAGE)));
}

static void binary_writes_over_a_left_side_of_its_own_shape(fov_shape right) {
  CHECK(works_in_place(add_sum, NULL, ARRAYS(IMAGE, {.shape = right})));
}

static void a_repeated_left_side_is_kept(void) {
  CHECK(!works_in_place(add_sum, NULL, ARRAYS(SIZED(4, 1, 1), IMAGE)));
}

static fov_status add_to_itself(fov_graph *graph, const void *parameters, const fov_value *inputs,
                                fov_value *out, fov_diagnostic *why) {
  fov_value alias;
  const fov_status status = fov_graph_add_reshape(graph, parameters, inputs[0], &alias, why);
  if (status != fov_status_ok) return status;
  return fov_graph_add_binary(graph, fov_binary_add, inputs[0], alias, out, why);
}

// The left side dies with the addition, and the right side is the same memory.
static void both_sides_in_one_memory(void) {
  const fov_shape flat = SHAPE(1, 4, 16, 17);
  array input = array_counting(IMAGE.shape), doubled = array_make(flat);
  for (size_t i = 0; i < doubled.count; i++) doubled.values[i] = 2 * input.values[i];
  CHECK_CLOSE(COMPUTE(from_results, add_to_itself, &flat, input), doubled, 0, 0);
}

static void operations_that_look_around_keep_their_input(void) {
  const fov_local_response_normalization normalization = {3, 1, 1, 1};
  CHECK(!works_in_place(add_local_response_normalization, &normalization, ARRAYS(IMAGE)));
  CHECK(!works_in_place(add_transpose, (const size_t[]){1, 0}, ARRAYS(SIZED(17, 17))));
}

int main(void) {
  static const fov_shape right_sides[] = {{3, {4, 16, 17}}, {1, {1}}, {3, {4, 1, 1}}, {1, {17}}};
  RUN(operations_of_one_element_write_over_their_input);
  RUN_ALL(binary_writes_over_a_left_side_of_its_own_shape, right_sides);
  RUN(a_repeated_left_side_is_kept);
  RUN(both_sides_in_one_memory);
  RUN(operations_that_look_around_keep_their_input);
  return native_test_end();
}

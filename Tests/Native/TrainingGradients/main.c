// Fovea - gradients of each operation that is trained, beside differences.
// SPDX-License-Identifier: Apache-2.0
#include "gradient_check.h"

typedef struct convolution_case {
  size_t inputs, outputs, kernel, stride, groups;
} convolution_case;

static const convolution_case convolutions[] = {
    {5, 7, 1, 1, 1}, {8, 9, 3, 1, 1},    {5, 6, 3, 2, 1},    {6, 9, 3, 1, 3},
    {9, 9, 3, 1, 9}, {17, 17, 5, 1, 17}, {10, 10, 3, 2, 10}, {12, 12, 5, 2, 12},
    {4, 4, 7, 1, 4}, {6, 6, 2, 1, 6},    {6, 8, 4, 2, 2},
};

static void convolution_has_gradient(convolution_case c) {
  fov_tape_value value;
  fov_tape *tape = gradient_check_begin(c.inputs, &value);
  const fov_unary leaky = {fov_unary_leaky_relu, 0.1f, 0};
  value = gradient_check_convolution(tape, value, c.outputs, c.kernel, c.stride, c.groups, &leaky);
  gradient_check_end(tape, value);
}

static const fov_unary functions[] = {
    {fov_unary_linear, 1.5f, 0.2f},
    {fov_unary_relu, 0, 0},
    {fov_unary_leaky_relu, 0.1f, 0},
    {fov_unary_clip, 0, 0.5f},
    {fov_unary_clamped_relu, 0.2f, 0.4f},
    {fov_unary_sigmoid, 0, 0},
    {fov_unary_hard_sigmoid, 0.2f, 0.5f},
    {fov_unary_tanh, 0, 0},
    {fov_unary_elu, 0.7f, 0},
    {fov_unary_softplus, 0, 0},
    {fov_unary_silu, 0, 0},
    {fov_unary_hard_silu, 1.0f / 6, -3},
};

static void function_has_gradient(fov_unary function) {
  fov_tape_value value;
  fov_tape *tape = gradient_check_begin(5, &value);
  CHECK_EQUAL(fov_tape_add_unary(tape, &function, value, &value, NULL), fov_status_ok);
  // Behind a convolution it becomes a part of it, where its result tells the derivative.
  value = gradient_check_convolution(tape, value, 6, 1, 1, 1, &function);
  gradient_check_end(tape, value);
}

static const fov_binary_function binaries[] = {fov_binary_add, fov_binary_subtract,
                                               fov_binary_multiply};

static void binary_has_gradient(fov_binary_function function) {
  fov_tape_value value, other, twice, pixel;
  fov_tape *tape = gradient_check_begin(5, &value);
  other = gradient_check_convolution(tape, value, 5, 1, 1, 1, NULL);
  CHECK_EQUAL(fov_tape_add_binary(tape, function, value, other, &twice, NULL), fov_status_ok);
  // The same value on both sides, and one pixel that all others meet.
  CHECK_EQUAL(fov_tape_add_binary(tape, fov_binary_multiply, twice, twice, &twice, NULL),
              fov_status_ok);
  const fov_pooling whole = {
      .function = fov_pooling_average, .kernel = {9, 11}, .stride = {1, 1}, .output = {1, 1}};
  CHECK_EQUAL(fov_tape_add_pooling(tape, &whole, other, &pixel, NULL), fov_status_ok);
  CHECK_EQUAL(fov_tape_add_binary(tape, function, twice, pixel, &value, NULL), fov_status_ok);
  gradient_check_end(tape, value);
}

static void affine_has_gradient(void) {
  fov_tape_value value;
  fov_tape *tape = gradient_check_begin(3, &value);
  const float scale[3] = {2, -1, 0.5f}, bias[3] = {0.1f, 0.2f, 0.3f};
  CHECK_EQUAL(fov_tape_add_affine(tape, scale, bias, value, &value, NULL), fov_status_ok);
  gradient_check_end(tape, value);
}

static const fov_pooling poolings[] = {
    {.function = fov_pooling_maximum, .kernel = {2, 2}, .stride = {2, 2}, .output = {5, 6}},
    {.function = fov_pooling_maximum,
     .kernel = {5, 5},
     .stride = {1, 1},
     .before = {2, 2},
     .output = {9, 11}},
    {.function = fov_pooling_average,
     .kernel = {3, 3},
     .stride = {2, 2},
     .before = {1, 0},
     .output = {5, 5}},
    {.function = fov_pooling_average,
     .kernel = {3, 3},
     .stride = {1, 1},
     .before = {1, 1},
     .output = {9, 11},
     .exclude_padding = true},
};

static void pooling_has_gradient(fov_pooling pooling) {
  fov_tape_value value;
  fov_tape *tape = gradient_check_begin(5, &value);
  CHECK_EQUAL(fov_tape_add_pooling(tape, &pooling, value, &value, NULL), fov_status_ok);
  gradient_check_end(tape, value);
}

static const fov_resize resizings[] = {
    {.filter = fov_resize_nearest, .output = {18, 22}, .step = {0.5, 0.5}},
    {.filter = fov_resize_bilinear,
     .output = {15, 13},
     .step = {0.6, 0.846},
     .offset = {-0.2, -0.08}},
};

static void resizing_has_gradient(fov_resize resize) {
  fov_tape_value value;
  fov_tape *tape = gradient_check_begin(5, &value);
  CHECK_EQUAL(fov_tape_add_resize(tape, &resize, value, &value, NULL), fov_status_ok);
  gradient_check_end(tape, value);
}

// A value with several readers: the first writes its gradient, the others add.
static void movements_have_gradients(void) {
  fov_tape_value value, parts[3];
  fov_tape *tape = gradient_check_begin(5, &value);
  parts[0] = value;
  parts[1] = gradient_check_convolution(tape, value, 6, 1, 1, 1, NULL);
  int32_t sources[9 * 11 * 4];
  // Every element from the other end; some are 0, and one is read twice.
  for (int32_t i = 0; i < 9 * 11 * 4; i++) sources[i] = i % 7 == 0 ? -1 : 9 * 11 * 5 - 1 - i;
  sources[1] = sources[2];
  const fov_tape_size size = {9, 11, 4, 0};
  CHECK_EQUAL(fov_tape_add_arrangement(tape, &size, sources, value, &parts[2], NULL),
              fov_status_ok);
  CHECK_EQUAL(fov_tape_add_concat(tape, parts, 3, &value, NULL), fov_status_ok);
  gradient_check_end(tape, value);
}

int main(void) {
  RUN_ALL(convolution_has_gradient, convolutions);
  RUN_ALL(function_has_gradient, functions);
  RUN_ALL(binary_has_gradient, binaries);
  RUN(affine_has_gradient);
  RUN_ALL(pooling_has_gradient, poolings);
  RUN_ALL(resizing_has_gradient, resizings);
  RUN(movements_have_gradients);
  gradient_check_losses();
  return native_test_end();
}

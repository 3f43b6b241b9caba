// Fovea - derivatives of a tape beside differences, in double precision.
// SPDX-License-Identifier: Apache-2.0
#include "gradient_check.h"

// Small: few elements cross the kink of a function in between.
#define STEP 1e-7
#define TOLERANCE 1e-6

double gradient_check_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*seed >> 33) / (double)(1u << 30) - 1;
}

static float *random_floats(size_t count, double scale, uint64_t seed) {
  float *values = native_test_allocate(count, sizeof *values);
  for (size_t i = 0; i < count; i++) values[i] = (float)(scale * gradient_check_random(&seed));
  return values;
}

fov_tape_value gradient_check_convolution(fov_tape *tape, fov_tape_value input, size_t outputs,
                                          size_t kernel, size_t stride, size_t groups,
                                          const fov_unary *activation) {
  const size_t inputs = fov_tape_size_of(tape, input).channels / groups;
  const fov_convolution convolution = {.output_channels = outputs,
                                       .groups = groups,
                                       .kernel = {kernel, kernel},
                                       .stride = {stride, stride},
                                       .dilation = {1, 1},
                                       .before = {kernel / 2, kernel / 2},
                                       .after = {kernel / 2, (kernel - 1) / 2}};
  const size_t count = outputs * inputs * kernel * kernel;
  fov_tape_value out = {0};
  CHECK_EQUAL(fov_tape_add_convolution(
                  tape, &convolution, random_floats(count, 1 / sqrt((double)(inputs * kernel)), 7),
                  random_floats(outputs, 0.3, 11), activation, input, &out, NULL),
              fov_status_ok);
  return out;
}

fov_tape *gradient_check_begin(size_t channels, fov_tape_value *out_value) {
  fov_tape *tape = NULL;
  CHECK_EQUAL(fov_tape_create(&tape), fov_status_ok);
  const fov_pixels pixels = {.scale = 1.0f / 128, .bias = {-1, -1, -1}};
  fov_tape_value picture = {0};
  CHECK_EQUAL(fov_tape_add_picture(tape, 9, 11, 3, &pixels, &picture, NULL), fov_status_ok);
  *out_value = gradient_check_convolution(tape, picture, channels, 3, 1, 1, NULL);
  return tape;
}

static double weighted_sum(fov_tape_run *run, const fov_real *parameters, const fov_real *factors,
                           const fov_tape_size *size) {
  fov_tape_forward(run, parameters);
  const fov_real *out = fov_tape_output(run, 0);
  double sum = 0;
  for (size_t i = 0; i < size->rows * size->columns; i++) {
    for (size_t c = 0; c < size->channels; c++) {
      sum += factors[i * size->stride + c] * out[i * size->stride + c];
    }
  }
  return sum;
}

static void compare(const fov_tape *tape, fov_tape_run *run) {
  const fov_tape_size size = fov_tape_output_size(tape, 0);
  const size_t elements = size.rows * size.columns * size.stride;
  const size_t count = fov_tape_parameter_count(tape);
  fov_real *factors = native_test_allocate(elements, sizeof *factors);
  fov_real *parameters = native_test_allocate(count, sizeof *parameters);
  fov_real *gradients = native_test_allocate(count, sizeof *gradients);
  uint64_t seed = 3;
  for (size_t i = 0; i < elements; i++) {
    factors[i] = i % size.stride < size.channels ? gradient_check_random(&seed) : 0;
  }
  for (size_t i = 0; i < count; i++) parameters[i] = fov_tape_initial_parameters(tape)[i];
  weighted_sum(run, parameters, factors, &size);
  for (size_t i = 0; i < elements; i++) fov_tape_output_gradient(run, 0)[i] = factors[i];
  fov_tape_backward(run, parameters, gradients);
  for (size_t i = 0; i < count; i++) {
    const fov_real kept = parameters[i];
    if (kept == 0) continue;  // a gap
    parameters[i] = kept + STEP;
    const double above = weighted_sum(run, parameters, factors, &size);
    parameters[i] = kept - STEP;
    const double below = weighted_sum(run, parameters, factors, &size);
    parameters[i] = kept;
    const double difference = (above - below) / (2 * STEP);
    CASE("parameter %zu", i);
    CHECK_NEAR(gradients[i], difference, TOLERANCE * fmax(1, fabs(difference)));
  }
}

void gradient_check_end(fov_tape *tape, fov_tape_value output) {
  CHECK_EQUAL(fov_tape_add_output(tape, output, NULL), fov_status_ok);
  CHECK_EQUAL(fov_tape_finish(tape, NULL), fov_status_ok);
  fov_tape_run *run = NULL;
  if (CHECK_EQUAL(fov_tape_run_create(tape, &run), fov_status_ok)) {
    uint64_t seed = 5;
    for (size_t i = 0; i < 9 * 11 * 3; i++) {
      fov_tape_picture(run)[i] = gradient_check_random(&seed);
    }
    compare(tape, run);
    fov_tape_run_destroy(run);
  }
  fov_tape_destroy(tape);
}

// Fovea - gradients of whole networks beside those of torch, which make_networks.py has written.
// SPDX-License-Identifier: Apache-2.0
//
//   training-networks FOLDER          of the files
#include <string.h>

#include "native_test.h"
#include "network_text.h"

// Shares of the largest element; torch computed in double precision. In single precision, elements
// near 0 fall on the other side of a kinked function here and there. In small maps one of them
// changes a gradient by more than any tolerance, so that only smooth networks are compared.
#if defined(FOV_TRAIN_DOUBLE)
#define OUTPUT_TOLERANCE 1e-6
#define GRADIENT_TOLERANCE 1e-6
#define COMPARES_KINKED true
#else
#define OUTPUT_TOLERANCE 1e-5
#define GRADIENT_TOLERANCE 2e-3
#define COMPARES_KINKED false
#endif

static const char *folder;

typedef struct networks_run {
  network_text text;
  fov_tape_run *run;
  fov_real *gradients;
  uint64_t weighing;
} networks_run;

static void set_picture(networks_run *run) {
  const size_t count = run->text.rows * run->text.columns * 3;
  uint8_t *bytes = native_test_allocate(count, 1);
  uint64_t numbers = 1;
  for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)(fabsf(network_number(&numbers)) * 255);
  fov_tape_set_picture(run->run, bytes);
}

// Numbers of the generator for all outputs in their order, and 0 behind the last channel.
static void set_output_gradients(networks_run *run) {
  uint64_t numbers = 3;
  for (size_t k = 0; k < run->text.output_count; k++) {
    const fov_tape_size size = fov_tape_output_size(run->text.tape, k);
    fov_real *gradient = fov_tape_output_gradient(run->run, k);
    for (size_t i = 0; i < size.rows * size.columns * size.stride; i++) {
      gradient[i] = i % size.stride < size.channels ? (fov_real)network_number(&numbers) : 0;
    }
  }
}

// The next line of the file, which describes `numbers`.
static void check_numbers(networks_run *run, const char *kind, size_t place, const float *numbers,
                          size_t count, double tolerance) {
  char word[32];
  size_t line_place, samples;
  double largest, product;
  CASE("%s %zu", kind, place);
  const int read = fscanf(run->text.file, "%31s %zu %lf %lf %zu", word, &line_place, &largest,
                          &product, &samples);
  CHECK_EQUAL(read, 5);
  CHECK(strcmp(word, kind) == 0);
  CHECK_EQUAL(line_place, place);
  double found = 0;
  for (size_t i = 0; i < count; i++) {
    found += (double)network_number(&run->weighing) * (double)numbers[i];
  }
  CHECK_NEAR(found, product, tolerance * largest * sqrt((double)count));
  for (size_t i = 0; i < samples; i++) {
    size_t index;
    double expected;
    CHECK_EQUAL(fscanf(run->text.file, "%zu %lf", &index, &expected), 2);
    CHECK(index < count);
    if (index < count) CHECK_NEAR((double)numbers[index], expected, tolerance * largest);
  }
}

static void check_output(networks_run *run, size_t k) {
  const fov_tape_size size = fov_tape_output_size(run->text.tape, k);
  const fov_real *output = fov_tape_output(run->run, k);
  const size_t count = size.rows * size.columns * size.channels;
  float *dense = native_test_allocate(count, sizeof *dense);
  for (size_t i = 0; i < count; i++) {
    dense[i] = (float)output[i / size.channels * size.stride + i % size.channels];
  }
  check_numbers(run, "output", k, dense, count, OUTPUT_TOLERANCE);
}

static void check_gradients(networks_run *run, size_t k) {
  const size_t taps = run->text.taps[k], channels = run->text.channels[k];
  float *weights = native_test_allocate(taps, sizeof *weights);
  float *bias = native_test_allocate(channels, sizeof *bias);
  fov_tape_read_weights(run->text.tape, run->gradients, k, weights, bias);
  check_numbers(run, "weights", k, weights, taps, GRADIENT_TOLERANCE);
  check_numbers(run, "bias", k, bias, channels, GRADIENT_TOLERANCE);
}

typedef struct network_file {
  const char *name;  // beside the source of this program
  bool is_smooth;
} network_file;

static void networks_are_as_torch_says(network_file file) {
  networks_run run = {.weighing = 4};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.txt", folder, file.name);
  CASE("%s", file.name);
  if (!CHECK(network_text_open(&run.text, path))) {
    network_text_close(&run.text);
    return;
  }
  CHECK_EQUAL(fov_tape_run_create(run.text.tape, &run.run), fov_status_ok);
  const fov_real *parameters = fov_tape_initial_parameters(run.text.tape);
  run.gradients =
      native_test_allocate(fov_tape_parameter_count(run.text.tape), sizeof *run.gradients);
  set_picture(&run);
  fov_tape_forward(run.run, parameters);
  for (size_t k = 0; k < run.text.output_count; k++) check_output(&run, k);
  set_output_gradients(&run);
  fov_tape_backward(run.run, parameters, run.gradients);
  CHECK_EQUAL(run.text.convolution_count, fov_tape_convolution_count(run.text.tape));
  const bool compares = file.is_smooth || COMPARES_KINKED;
  for (size_t k = 0; compares && k < run.text.convolution_count; k++) check_gradients(&run, k);
  fov_tape_run_destroy(run.run);
  network_text_close(&run.text);
}

int main(int count, char **arguments) {
  static const network_file files[] = {
      {"fast-detector", false}, {"efficient-backbone", false}, {"distance-detector", true}};
  folder = count > 1 ? arguments[1] : ".";
  RUN_ALL(networks_are_as_torch_says, files);
  return native_test_end();
}

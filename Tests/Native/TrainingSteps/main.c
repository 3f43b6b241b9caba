// Fovea - steps of training: they learn, give the same bytes again, and bear a lack of memory.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_train.h"
#include "native_test.h"
#include "refusing_memory.h"

#define SIDE 32
#define LABELS 2
#define BATCH 4

static float weight(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (float)(int64_t)(*seed >> 33) / (float)(1u << 30) - 1;
}

static fov_status add_convolution(fov_tape *tape, size_t inputs, size_t outputs, size_t kernel,
                                  size_t stride, size_t groups, const fov_unary *activation,
                                  fov_tape_value *value) {
  const fov_convolution convolution = {.output_channels = outputs,
                                       .groups = groups,
                                       .kernel = {kernel, kernel},
                                       .stride = {stride, stride},
                                       .dilation = {1, 1},
                                       .before = {kernel / 2, kernel / 2},
                                       .after = {kernel / 2, kernel / 2}};
  float weights[16 * 16 * 9], bias[32] = {0};
  uint64_t seed = kernel + outputs;
  const size_t taps = inputs / groups * kernel * kernel;
  for (size_t i = 0; i < outputs * taps; i++) {
    weights[i] = weight(&seed) / sqrtf((float)taps) * 1.5f;
  }
  return fov_tape_add_convolution(tape, &convolution, weights, bias, activation, *value, value,
                                  NULL);
}

// A picture, two convolutions, a pooling and a head of one anchor.
static fov_status build(fov_tape *tape) {
  const fov_pixels pixels = {.scale = 1.0f / 255};
  const fov_unary silu = {fov_unary_silu, 0, 0}, leaky = {fov_unary_leaky_relu, 0.1f, 0};
  const fov_pooling pooling = {
      .function = fov_pooling_maximum, .kernel = {2, 2}, .stride = {2, 2}, .output = {8, 8}};
  fov_tape_value value, other;
  fov_status status = fov_tape_add_picture(tape, SIDE, SIDE, 3, &pixels, &value, NULL);
  if (!status) status = add_convolution(tape, 3, 12, 3, 2, 1, &leaky, &value);
  other = value;
  if (!status) status = add_convolution(tape, 12, 12, 3, 1, 12, &silu, &value);
  if (!status) status = fov_tape_add_binary(tape, fov_binary_add, value, other, &value, NULL);
  if (!status) status = fov_tape_add_pooling(tape, &pooling, value, &value, NULL);
  if (!status) status = add_convolution(tape, 12, 5 + LABELS, 1, 1, 1, NULL, &value);
  if (!status) status = fov_tape_add_output(tape, value, NULL);
  return status ? status : fov_tape_finish(tape, NULL);
}

typedef struct training_run {
  fov_tape *tape;
  fov_trainer *trainer;
} training_run;

static fov_status begin(training_run *run, size_t threads) {
  *run = (training_run){0};
  fov_status status = fov_tape_create(&run->tape);
  if (!status) status = build(run->tape);
  if (status) return status;
  const fov_train_anchor_head head = {.output = 0,
                                      .anchors = 1,
                                      .widths = {0.3f},
                                      .heights = {0.3f},
                                      .is_squared = true,
                                      .spread = 2};
  fov_trainer_options options = {.loss = fov_train_loss_options_default(), .threads = threads};
  options.loss.anchor_heads = &head;
  options.loss.anchor_head_count = 1;
  options.loss.labels = LABELS;
  return fov_trainer_create(run->tape, &options, NULL, &run->trainer, NULL);
}

static void end(training_run *run) {
  fov_trainer_destroy(run->trainer);
  fov_tape_destroy(run->tape);
}

static fov_status step(training_run *run, double *out_loss) {
  static uint8_t bytes[BATCH][SIDE * SIDE * 3];
  fov_train_box boxes[BATCH];
  fov_train_picture pictures[BATCH];
  for (int i = 0; i < BATCH; i++) {
    const int x = 4 + 5 * i, y = 3 + 4 * i, label = i % LABELS;
    memset(bytes[i], 40, sizeof bytes[i]);
    for (int row = y; row < y + 10; row++) {
      for (int column = x; column < x + 10; column++) {
        bytes[i][(row * SIDE + column) * 3 + label] = 240;
      }
    }
    boxes[i] = (fov_train_box){
        (float)(x + 5) / SIDE, (float)(y + 5) / SIDE, 10.0f / SIDE, 10.0f / SIDE, label, 1};
    // The last picture has no box.
    pictures[i] = (fov_train_picture){bytes[i], &boxes[i], i < BATCH - 1};
  }
  const fov_train_rates rates = {0.01f, 0.01f, 10, 0.9f};
  fov_train_parts parts;
  const fov_status status = fov_trainer_step(run->trainer, pictures, BATCH, &rates, &parts);
  *out_loss = parts.box + parts.object + parts.label;
  return status;
}

static void steps_learn(void) {
  training_run run;
  CHECK_EQUAL(begin(&run, 1), fov_status_ok);
  double first = 0, last = 0;
  CHECK_EQUAL(step(&run, &first), fov_status_ok);
  refusing_memory_begin(0);
  for (int i = 0; i < 60; i++) CHECK_EQUAL(step(&run, &last), fov_status_ok);
  CHECK(last < first / 2);
  // Nothing is allocated once a trainer is there.
  CHECK_EQUAL(refusing_memory_requests(), 0);
  CHECK_EQUAL(fov_trainer_steps(run.trainer), 61);
  end(&run);
}

// The same bytes again, also after going on from copied arrays.
static void steps_repeat(size_t threads) {
  training_run whole, parts[2];
  double loss;
  CHECK_EQUAL(begin(&whole, threads), fov_status_ok);
  for (int i = 0; i < 8; i++) CHECK_EQUAL(step(&whole, &loss), fov_status_ok);
  const size_t bytes = fov_tape_parameter_count(whole.tape) * sizeof(fov_real);
  for (int k = 0; k < 2; k++) {
    CHECK_EQUAL(begin(&parts[k], threads), fov_status_ok);
    for (fov_trainer_array a = fov_trainer_array_parameters;
         k > 0 && a <= fov_trainer_array_average; a++) {
      memcpy(fov_trainer_numbers(parts[1].trainer, a), fov_trainer_numbers(parts[0].trainer, a),
             bytes);
    }
    if (k > 0) fov_trainer_set_steps(parts[1].trainer, fov_trainer_steps(parts[0].trainer));
    for (int i = 0; i < 4; i++) CHECK_EQUAL(step(&parts[k], &loss), fov_status_ok);
  }
  for (fov_trainer_array a = fov_trainer_array_parameters; a <= fov_trainer_array_average; a++) {
    CHECK_BYTES(fov_trainer_numbers(parts[1].trainer, a), fov_trainer_numbers(whole.trainer, a),
                bytes);
  }
  end(&whole);
  end(&parts[0]);
  end(&parts[1]);
}

// Numbers that are none change nothing.
static void steps_refuse_what_is_no_number(void) {
  training_run run;
  double loss;
  CHECK_EQUAL(begin(&run, 1), fov_status_ok);
  fov_real *parameters = fov_trainer_numbers(run.trainer, fov_trainer_array_parameters);
  parameters[0] = (fov_real)NAN;
  CHECK_EQUAL(step(&run, &loss), fov_status_invalid_output);
  CHECK_EQUAL(fov_trainer_steps(run.trainer), 0);
  end(&run);
}

// Each request for memory refused once: an error, and nothing is left.
static void refusals_leave_nothing(void) {
  training_run run;
  refusing_memory_begin(0);
  CHECK_EQUAL(begin(&run, 2), fov_status_ok);
  const size_t requests = refusing_memory_requests();
  end(&run);
  CHECK_EQUAL(refusing_memory_live(), 0);
  CHECK(requests > 40);
  for (size_t refused = 1; refused <= requests; refused++) {
    CASE("request %zu", refused);
    refusing_memory_begin(refused);
    CHECK_EQUAL(begin(&run, 2), fov_status_out_of_memory);
    end(&run);
    CHECK_EQUAL(refusing_memory_live(), 0);
  }
}

int main(void) {
  const size_t threads[] = {1, 3};
  RUN(steps_learn);
  RUN_ALL(steps_repeat, threads);
  RUN(steps_refuse_what_is_no_number);
  RUN(refusals_leave_nothing);
  return native_test_end();
}

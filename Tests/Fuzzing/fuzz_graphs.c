// Fovea - fuzzing graphs: any operations, parameters and shapes, on every backend.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "byte_list.h"
#include "fuzz_graph_reference.h"
#include "fuzz_model_run.h"
#include "fuzz_sets.h"
#include "fuzz_weight_oracle.h"
#include "tensor/fov_tensor.h"

// A graph is run by the reference with all its steps. Then
//
//   reference and blas, folded, and float32   are as near to that as fuzz_graph_bounds.c says
//   float32 with codes kept                   has the bits of float32 without
//   int8                                      has the same bits on every instruction set, unless
//                                             layers of it stay in float; its distance from the
//                                             reference is not looked at
//   rows of scores and boxes                  are zeros or as they were where a confidence floor is
//                                             set
//   any of them, again                        has the bits of its first run, and its inputs as they
//                                             were
//   float32 and int8, saved and loaded        have the bits of the model that was saved
//
// Graphs that are too large to be run are made into models all the same, or refused with a reason.

// MARK: Models

static void make_all(const fuzz_program *program, const fuzz_choices *choices) {
  for (int backend = fov_backend_reference; backend <= fov_backend_int8; backend++) {
    const fov_model_options options = fuzz_options((fov_backend)backend, choices);
    fov_model_destroy(fuzz_make_model(program, &options));
  }
}

// Runs twice.
static fuzz_session run(const fov_model *model, const fuzz_choices *choices) {
  fuzz_session session = fuzz_session_begin(model, choices->seed, choices->wild_inputs);
  fov_session_run(session.session);
  const uint64_t digest = fuzz_session_digest(session.session, model);
  fov_session_run(session.session);
  if (fuzz_session_digest(session.session, model) != digest) {
    fuzz_fail("%s: the second run differs from the first",
              fuzz_backend_name(fov_model_backend(model)));
  }
  fuzz_session_check_inputs(session.session, model, choices->seed, choices->wild_inputs);
  return session;
}

static uint64_t digest_of(const fov_model *model, const fuzz_choices *choices) {
  fuzz_session session = run(model, choices);
  const uint64_t digest = fuzz_session_digest(session.session, model);
  fuzz_session_end(&session);
  return digest;
}

// MARK: Comparing

static void compare(const fuzz_program *program, const fuzz_results *results,
                    const fov_model *model, fov_session *session) {
  for (size_t i = 0; i < program->output_count; i++) {
    const uint32_t value = program->outputs[i];
    const fuzz_bound bound = results->bounds[value];
    const void *data = NULL;
    size_t bytes = 0;
    if (!bound.is_compared) continue;
    if (fov_session_output(session, i, &data, &bytes) != fov_status_ok) fuzz_fail("no output");
    if (bytes != fov_shape_count(&program->steps[value].shape) * sizeof(float)) {
      fuzz_fail("output %zu has %zu bytes", i, bytes);
    }
    const float *found = data, *expected = results->outputs[i];
    for (size_t k = 0; k < bytes / sizeof(float); k++) {
      // Not-a-number fails too.
      if (fabs((double)found[k] - (double)expected[k]) <= 2 * bound.error) continue;
      fuzz_fail("%s: element %zu of step %u is %.9g, the reference has %.9g, they may differ by %g",
                fuzz_backend_name(fov_model_backend(model)), k, value, (double)found[k],
                (double)expected[k], 2 * bound.error);
    }
  }
}

static const float *output(fov_session *session, size_t index, size_t *out_count) {
  const void *data = NULL;
  size_t bytes = 0;
  if (fov_session_output(session, index, &data, &bytes) != fov_status_ok) fuzz_fail("no output");
  *out_count = bytes / sizeof(float);
  return data;
}

// With a floor, rows of scores and boxes are those without or zeros, and the former where a score
// reaches it.
static void check_floor(const fuzz_program *program, fov_session *session) {
  const float floor = 0.3f;
  size_t scores, boxes;
  const float *score = output(session, 0, &scores), *box = output(session, 1, &boxes);
  float *old_score = fuzz_copy(score, scores * sizeof(float));
  float *old_box = fuzz_copy(box, boxes * sizeof(float));
  fov_session_set_confidence_floor(session, floor);
  fov_session_run(session);
  const fov_shape *shape = &program->steps[program->outputs[0]].shape;
  const size_t classes = shape->dims[1];
  for (size_t row = 0; row < shape->dims[0] && boxes == 4 * shape->dims[0]; row++) {
    bool reaches = false, is_kept = true;
    for (size_t c = 0; c < classes; c++) {
      const size_t i = row * classes + c;
      reaches = reaches || old_score[i] >= floor;
      is_kept = is_kept && fuzz_floats_agree(score[i], old_score[i]);
      if (score[i] != 0 && !fuzz_floats_agree(score[i], old_score[i])) fuzz_fail("another score");
    }
    for (size_t i = 4 * row; i < 4 * row + 4; i++) {
      is_kept = is_kept && fuzz_floats_agree(box[i], old_box[i]);
      if (box[i] != 0 && !fuzz_floats_agree(box[i], old_box[i])) fuzz_fail("another box");
    }
    if (reaches && !is_kept) fuzz_fail("row %zu reaches the floor and is not kept", row);
  }
  fov_session_set_confidence_floor(session, 0);
  free(old_score);
  free(old_box);
}

// Once through a file.
static void check_saved(const fov_model *model, const fov_model_options *options,
                        const fuzz_choices *choices, uint64_t digest) {
  byte_list file = {0};
  fov_diagnostic diagnostic = {""};
  const fov_status saved = fov_model_save(model, "graph", 5, byte_list_append, &file, &diagnostic);
  if (saved == fov_status_ok) {
    uint8_t *copy = fuzz_copy(file.bytes, file.count);
    fov_model *loaded = NULL;
    const fov_status status = fov_model_load(copy, file.count, options, &loaded, &diagnostic);
    if (status != fov_status_ok) {
      fuzz_fail("%s, saved: %s, %s", fuzz_backend_name(options->backend), fov_status_name(status),
                diagnostic.message);
    }
    if (digest_of(loaded, choices) != digest) {
      fuzz_fail("%s: another result from a file", fuzz_backend_name(options->backend));
    }
    fov_model_destroy(loaded);
    free(copy);
  } else if (saved != fov_status_unsupported || diagnostic.message[0] == 0) {
    fuzz_fail("not saved: %s, %s", fov_status_name(saved), diagnostic.message);
  }
  free(file.bytes);
}

// Runs a model of floats and compares it; its digest.
static uint64_t check_floats(const fuzz_program *program, const fuzz_choices *choices,
                             const fuzz_results *results, const fov_model_options *options,
                             bool saves) {
  fov_model *model = fuzz_make_model(program, options);
  if (!fuzz_model_is_small(model, FUZZ_MOST_SESSION_BYTES, 2 * FUZZ_MOST_WORK)) {
    fov_model_destroy(model);
    return 0;
  }
  fuzz_session session = run(model, choices);
  compare(program, results, model, session.session);
  const uint64_t digest = fuzz_session_digest(session.session, model);
  if (program->has_heads) check_floor(program, session.session);
  fuzz_session_end(&session);
  if (saves) check_saved(model, options, choices, digest);
  fov_model_destroy(model);
  return digest;
}

static void check_float_backends(const fuzz_program *program, const fuzz_choices *choices,
                                 const fuzz_results *results) {
  fov_model_options options = fuzz_options(fov_backend_reference, choices);
  check_floats(program, choices, results, &options, false);
  options = fuzz_options(fov_backend_blas, choices);
  options.keep_all_nodes = (choices->variant & 2) != 0;
  check_floats(program, choices, results, &options, false);
  options = fuzz_options(fov_backend_float32, choices);
  const uint64_t plain = check_floats(program, choices, results, &options, choices->variant & 4);
  options.keeps_codes = true;
  if ((choices->variant & 8) &&
      check_floats(program, choices, results, &options, choices->variant & 4) != plain) {
    fuzz_fail("float32: codes that are kept give another result");
  }
}

// MARK: int8

// What a float model measures, and what nobody could have measured.
static fov_channel_summary *choose_ranges(fuzz_input *input, const fuzz_program *program,
                                          const fuzz_choices *choices, size_t *out_count) {
  fov_model_options options = fuzz_options(fov_backend_float32, choices);
  options.records_ranges = true;
  fov_model *model = fuzz_make_model(program, &options);
  *out_count = fov_model_range_count(model);
  fov_channel_summary *ranges = fuzz_allocate(*out_count * sizeof *ranges);
  fuzz_session session = run(model, choices);
  fov_session_ranges(session.session, ranges, *out_count);
  fuzz_session_end(&session);
  fov_model_destroy(model);
  for (size_t i = 0; i < 4 && choices->ranges >= 200 && *out_count > 0; i++) {
    fov_channel_summary *range = &ranges[fuzz_u32(input) % *out_count];
    range->low = fuzz_wild_float(input);
    range->high = fuzz_wild_float(input);
    range->mean = fuzz_wild_float(input);
    range->variance = fuzz_wild_float(input);
  }
  return ranges;
}

static uint64_t check_integers(const fuzz_program *program, const fuzz_choices *choices,
                               const fov_model_options *options, bool saves) {
  fov_model *model = fuzz_make_model(program, options);
  uint64_t digest = 0;
  if (model && fuzz_model_is_small(model, FUZZ_MOST_SESSION_BYTES, 2 * FUZZ_MOST_WORK)) {
    digest = digest_of(model, choices);
    if (saves) check_saved(model, options, choices, digest);
  }
  fov_model_destroy(model);
  return digest;
}

static void check_int8(fuzz_input *input, const fuzz_program *program,
                       const fuzz_choices *choices) {
  fov_model_options options = fuzz_options(fov_backend_int8, choices);
  fov_channel_summary *ranges = NULL;
  if (choices->ranges & 3) {
    ranges = choose_ranges(input, program, choices, &options.range_count);
    options.ranges = ranges;
    options.dynamic_ranges = (choices->ranges & 12) == 12;
    options.float_sums = (choices->ranges & 16) != 0;
  }
  const bool has_floats = (choices->variant & 48) == 48;
  const char *const float_layers[] = {"step 1", "step 3", "step 4"};
  const char *const int16_layers[] = {"step 0", "step 2", "step 5"};
  if (has_floats) {
    options.float_layers = float_layers;
    options.float_layer_count = 3;
  }
  if (choices->variant & 8) {
    options.int16_layers = int16_layers;
    options.int16_layer_count = 3;
  }
  options.instruction_set = fov_instruction_set_scalar;
  const uint64_t scalar = check_integers(program, choices, &options, choices->variant & 64);
  options.instruction_set = fuzz_set(fuzz_set_count() - 1 - choices->set % fuzz_set_count());
  options.uses_winograd = true;
  if (check_integers(program, choices, &options, false) != scalar && !has_floats) {
    fuzz_fail("int8: another result with %s", fov_instruction_set_name(options.instruction_set));
  }
  free(ranges);
}

// MARK: The target

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {data, size};
  const fuzz_choices choices = {
      .seed = fuzz_byte(&input),
      .wild_inputs = fuzz_byte(&input) >= 230,
      .variant = fuzz_byte(&input),
      .ranges = fuzz_byte(&input),
      .set = fuzz_byte(&input),
  };
  fuzz_program program;
  fuzz_results results = {0};
  if (fuzz_program_read(&input, &program)) {
    if (getenv("FUZZ_PRINT")) fuzz_program_print(&program);
    if (program.is_too_large) {
      make_all(&program, &choices);
    } else if (fuzz_run_reference(&program, &choices, &results)) {
      check_float_backends(&program, &choices, &results);
      check_int8(&input, &program, &choices);
    }
  }
  for (size_t i = 0; i < program.output_count; i++) free(results.outputs[i]);
  fuzz_program_release(&program);
  return 0;
}

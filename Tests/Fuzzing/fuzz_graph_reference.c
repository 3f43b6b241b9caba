// Fovea - models of a fuzzed graph, and what the reference makes of it.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_graph_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_model_run.h"
#include "fuzz_sets.h"
#include "fuzz_weight_oracle.h"
#include "tensor/fov_tensor.h"

// MARK: Models

fov_model_options fuzz_options(fov_backend backend, const fuzz_choices *choices) {
  fov_model_options options = fov_model_options_default();
  options.backend = backend;
  options.thread_count = 1 + choices->seed % 3;
  options.uses_winograd = (choices->variant & 1) == 0;
  options.instruction_set = choices->set & 1 ? fov_instruction_set_scalar : fuzz_watched_set();
  return options;
}

const char *fuzz_backend_name(fov_backend backend) {
  static const char *const names[] = {"reference", "blas", "float32", "int8"};
  return names[backend];
}

// Ranges that no run of the graph can have had are refused.
static bool may_refuse(const fuzz_program *program, const fov_model_options *options,
                       fov_status status) {
  return program->is_too_large || (options->ranges && status == fov_status_unsupported);
}

// NULL where the graph is refused with a reason, and there may be one.
fov_model *fuzz_make_model(const fuzz_program *program, const fov_model_options *options) {
  fov_model *model = NULL;
  fov_diagnostic diagnostic = {""};
  fov_graph *graph = fuzz_program_build(program);
  const fov_status status = fov_model_create(graph, options, &model, &diagnostic);
  if (status == fov_status_ok) {
    if (diagnostic.message[0] != 0) fuzz_fail("a reason without a failure");
    if (getenv("FUZZ_PRINT")) {
      fprintf(stderr, "%s, %s:\n", fuzz_backend_name(options->backend),
              fov_instruction_set_name(options->instruction_set));
      fuzz_model_print(model);
    }
    return model;
  }
  if (model) fuzz_fail("a model in spite of a failure");
  if (diagnostic.message[0] == 0 || !may_refuse(program, options, status)) {
    fuzz_fail("%s: %s, %s", fuzz_backend_name(options->backend), fov_status_name(status),
              diagnostic.message);
  }
  return NULL;
}

// MARK: The reference

static fuzz_extent extent_of(const float *elements, size_t count) {
  fuzz_extent extent = {.largest = 0, .least = INFINITY, .is_finite = true};
  for (size_t i = 0; i < count; i++) {
    const double magnitude = fabs((double)elements[i]);
    extent.is_finite = extent.is_finite && isfinite(magnitude);
    extent.largest = fmax(extent.largest, magnitude);
    extent.least = fmin(extent.least, magnitude);
  }
  return extent;
}

typedef struct watching {
  const fuzz_program *program;
  const fov_model *model;
  fuzz_results *results;
} watching;

static void watch(void *context, const fov_session *session, size_t node) {
  const watching *watching = context;
  fov_node_information information;
  if (fov_model_node(watching->model, node, &information) != fov_status_ok ||
      information.value >= watching->program->count) {
    fuzz_fail("node %zu is none", node);
  }
  const fov_shape *shape = &watching->program->steps[information.value].shape;
  const size_t count = fov_shape_count(shape);
  float *elements = fuzz_allocate(count * sizeof *elements);
  if (!fov_shape_equal(&information.output, shape) ||
      fov_session_read_node(session, node, elements, count) != fov_status_ok) {
    fuzz_fail("step %zu cannot be read", information.value);
  }
  watching->results->extents[information.value] = extent_of(elements, count);
  free(elements);
}

static fuzz_extent constant_extent(const fuzz_step *step) {
  const size_t count = fov_shape_count(&step->shape);
  const size_t outer = step->shape.rank > 0 ? step->shape.dims[0] : 1;
  const fuzz_weight_shape shape = {{1, outer, 1, count / outer}, 1};
  float *elements = fuzz_allocate(count * sizeof *elements);
  for (size_t i = 0; i < count; i++) {
    elements[i] = fuzz_weight_value(&step->weights, &shape, i);
  }
  const fuzz_extent extent = extent_of(elements, count);
  free(elements);
  return extent;
}

static void look_at_given(const fuzz_program *program, fov_session *session,
                          fuzz_results *results) {
  size_t inputs = 0;
  for (size_t i = 0; i < program->count; i++) {
    const fuzz_step *step = &program->steps[i];
    if (step->operation == fuzz_constant) results->extents[i] = constant_extent(step);
    if (step->operation != fuzz_input_value) continue;
    void *data = NULL;
    size_t bytes = 0;
    if (fov_session_input(session, inputs++, &data, &bytes) != fov_status_ok) {
      fuzz_fail("input %zu is none", inputs - 1);
    }
    results->extents[i] = step->type == fov_data_type_uint8
                              ? (fuzz_extent){.largest = 255, .is_finite = true}
                              : extent_of(data, bytes / sizeof(float));
  }
}

// Also whether it can be run at all.
bool fuzz_run_reference(const fuzz_program *program, const fuzz_choices *choices,
                        fuzz_results *results) {
  fov_model_options options = fuzz_options(fov_backend_reference, choices);
  options.keep_all_nodes = true;
  options.observes_nodes = true;
  fov_model *model = fuzz_make_model(program, &options);
  const bool runs = fuzz_model_is_small(model, FUZZ_MOST_SESSION_BYTES, FUZZ_MOST_WORK);
  if (runs) {
    fuzz_session session = fuzz_session_begin(model, choices->seed, choices->wild_inputs);
    watching watching = {program, model, results};
    look_at_given(program, session.session, results);
    if (fov_session_set_observer(session.session, watch, &watching) != fov_status_ok) {
      fuzz_fail("nobody may look");
    }
    fov_session_run(session.session);
    for (size_t i = 0; i < program->output_count; i++) {
      const void *data = NULL;
      size_t bytes = 0;
      if (fov_session_output(session.session, i, &data, &bytes) != fov_status_ok) {
        fuzz_fail("output %zu is none", i);
      }
      results->outputs[i] = fuzz_copy(data, bytes);
    }
    fuzz_session_end(&session);
  }
  fov_model_destroy(model);
  for (size_t i = 0; i < program->count && runs; i++) {
    results->bounds[i] = fuzz_bound_of(program, i, results->extents, results->bounds);
  }
  return runs;
}

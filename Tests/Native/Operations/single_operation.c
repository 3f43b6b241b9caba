// Fovea - one operation in a graph of its own, run in a session.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

#define MOST_INPUTS 4

// Adds inputs and the operation. Values of the inputs are those that the operation reads.
static fov_status add_all(fov_graph *graph, input_place place, add_operation add,
                          const void *parameters, const array *inputs, size_t count,
                          fov_value *out_value, fov_diagnostic *diagnostic) {
  static const size_t order[FOV_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const char *const names[MOST_INPUTS] = {"input 0", "input 1", "input 2", "input 3"};
  fov_value values[MOST_INPUTS];
  fov_status status = fov_status_ok;
  for (size_t i = 0; i < count && status == fov_status_ok; i++) {
    status = fov_graph_add_input(graph, names[i],
                                 inputs[i].bytes ? fov_data_type_uint8 : fov_data_type_float32,
                                 &inputs[i].shape, &values[i], diagnostic);
    if (status != fov_status_ok || place == from_inputs) continue;
    // A transposition that leaves every dimension where it is: it copies, bit for bit.
    status = fov_graph_add_transpose(graph, order, values[i], &values[i], diagnostic);
  }
  if (status != fov_status_ok) return status;
  return add(graph, parameters, values, out_value, diagnostic);
}

fov_status status_of(add_operation add, const void *parameters, const char *text,
                     const array *inputs, size_t count) {
  fov_graph *graph = NULL;
  fov_value value;
  fov_diagnostic diagnostic = {""};
  if (!CHECK_EQUAL(fov_graph_create(&graph), fov_status_ok)) exit(1);
  const fov_status status =
      add_all(graph, from_inputs, add, parameters, inputs, count, &value, &diagnostic);
  if (status != fov_status_ok) {
    CHECK(diagnostic.message[0] != 0);
    CASE("%s", diagnostic.message);
    CHECK(strstr(diagnostic.message, text) != NULL);
  }
  fov_graph_destroy(graph);
  return status;
}

static fov_model_options model_options(run_options options) {
  fov_model_options result = fov_model_options_default();
  result.backend = options.backend;
  result.thread_count = options.threads;
  result.instruction_set = options.set;
  // Packed backends always fold.
  result.keep_all_nodes =
      options.backend != fov_backend_float32 && options.backend != fov_backend_int8;
  return result;
}

// Ends the program where the operation cannot be added.
static fov_model *make_model(run_options options, add_operation add, const void *parameters,
                             const array *inputs, size_t count, fov_shape *out_shape) {
  fov_graph *graph = NULL;
  fov_model *model = NULL;
  fov_value value;
  fov_diagnostic diagnostic = {""};
  const fov_model_options all = model_options(options);
  if (CHECK_EQUAL(fov_graph_create(&graph), fov_status_ok) &&
      CHECK_EQUAL(
          add_all(graph, options.place, add, parameters, inputs, count, &value, &diagnostic),
          fov_status_ok) &&
      CHECK_EQUAL(fov_graph_mark_output(graph, value, "result", &diagnostic), fov_status_ok) &&
      CHECK_EQUAL(fov_graph_value_shape(graph, value, out_shape), fov_status_ok) &&
      CHECK_EQUAL(fov_model_create(graph, &all, &model, &diagnostic), fov_status_ok)) {
    return model;
  }
  fprintf(stderr, "%s\n", diagnostic.message);
  exit(1);
}

// MARK: Compiled files

typedef struct written_file {
  uint8_t *bytes;
  size_t count;
} written_file;

static bool append(void *context, const void *bytes, size_t count) {
  written_file *file = context;
  if (file->bytes) memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
  return true;
}

// Saves a model and loads what was written, which lives until the test ends.
static fov_model *reload(fov_model *model, run_options options) {
  written_file file = {0};
  fov_model *loaded = NULL;
  const fov_model_options all = model_options(options);
  CHECK_EQUAL(fov_model_save(model, "", 0, append, &file, NULL), fov_status_ok);
  uint8_t *bytes = native_test_allocate(file.count + 64, 1);
  file = (written_file){bytes + (64 - (uintptr_t)bytes % 64) % 64, 0};
  CHECK_EQUAL(fov_model_save(model, "", 0, append, &file, NULL), fov_status_ok);
  CHECK_EQUAL(fov_model_load(file.bytes, file.count, &all, &loaded, NULL), fov_status_ok);
  fov_model_destroy(model);
  return loaded;
}

// MARK: Runs

array compute_with(run_options options, add_operation add, const void *parameters,
                   const array *inputs, size_t count) {
  fov_shape shape = SCALAR;
  fov_model *model = make_model(options, add, parameters, inputs, count, &shape);
  if (options.is_compiled) model = reload(model, options);
  fov_pool *pool = NULL;
  fov_session *session = NULL;
  size_t bytes = 0;
  CHECK_EQUAL(fov_pool_create(options.threads, &pool), fov_status_ok);
  CHECK_EQUAL(fov_session_create(model, pool, &session), fov_status_ok);
  for (size_t i = 0; i < count; i++) {
    void *data = NULL;
    const array input = inputs[i];
    CHECK_EQUAL(fov_session_input(session, i, &data, &bytes), fov_status_ok);
    if (!CHECK_EQUAL(bytes, input.count * (input.bytes ? 1 : sizeof(float)))) exit(1);
    memcpy(data, input.bytes ? (const void *)input.bytes : input.values, bytes);
  }
  fov_session_run(session);
  const void *data = NULL;
  array result = array_make(shape);
  const size_t last = fov_model_output_count(model) - 1;
  CHECK_EQUAL(fov_session_output(session, last, &data, &bytes), fov_status_ok);
  if (CHECK_EQUAL(bytes, result.count * sizeof(float))) memcpy(result.values, data, bytes);
  fov_session_destroy(session);
  fov_pool_destroy(pool);
  fov_model_destroy(model);
  return result;
}

array compute(input_place place, add_operation add, const void *parameters, const array *inputs,
              size_t count) {
  const run_options options = {fov_backend_reference, 1, place, false, 0};
  return compute_with(options, add, parameters, inputs, count);
}

bool works_in_place(add_operation add, const void *parameters, const array *inputs, size_t count) {
  const run_options options = {fov_backend_reference, 1, from_results, false, 0};
  fov_shape shape;
  fov_model *model = make_model(options, add, parameters, inputs, count, &shape);
  fov_node_information first, last;
  CHECK_EQUAL(fov_model_node(model, 0, &first), fov_status_ok);
  CHECK_EQUAL(fov_model_node(model, fov_model_node_count(model) - 1, &last), fov_status_ok);
  fov_model_destroy(model);
  return first.arena_offset == last.arena_offset;
}

void check_everywhere(array expected, double relative, double absolute, add_operation add,
                      const void *parameters, const array *inputs, size_t count) {
  static const fov_backend backends[] = {fov_backend_reference, fov_backend_blas,
                                         fov_backend_float32, fov_backend_int8};
  for (size_t i = 0; i < COUNT(backends); i++) {
    const run_options others[] = {{backends[i], 2, from_inputs, false, 0},
                                  {backends[i], 1, from_results, false, 0},
                                  {backends[i], 1, from_inputs, true, 0}};
    const run_options plain = {backends[i], 1, from_inputs, false, 0};
    const array found = compute_with(plain, add, parameters, inputs, count);
    CASE("backend %d", (int)backends[i]);
    check_close(found, expected, relative, absolute, __LINE__);
    for (size_t j = 0; j < (i < 2 ? 2 : 3); j++) {
      const array other = compute_with(others[j], add, parameters, inputs, count);
      CASE("backend %d, way %zu", (int)backends[i], j);
      CHECK_BYTES(other.values, found.values, found.count * sizeof(float));
    }
  }
}

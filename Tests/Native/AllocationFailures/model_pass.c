// Fovea - everything that is done with one model, from its graph to the compiled file read back.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "model_pass.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_checksum.h"
#include "detector_description.h"
#include "failing_memory.h"

// The caller and two workers.
#define THREADS 3

// Of the largest result of a node: 3 planes of 416 x 416.
#define MOST_ELEMENTS (3 * 416 * 416)

// MARK: breaches

__attribute__((format(printf, 2, 3))) static void breach(model_pass *pass, const char *format,
                                                         ...) {
  if (pass->breach[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(pass->breach, sizeof pass->breach, format, arguments);
  va_end(arguments);
}

// A call failed. `diagnostic` is NULL where the call takes none.
static void note_failure(model_pass *pass, const char *call, fov_status status,
                         const fov_diagnostic *diagnostic) {
  const char *name = fov_status_name(status);
  const bool is_pool = strcmp(call, "fov_pool_create") == 0;
  if (status != fov_status_out_of_memory && !(is_pool && status == fov_status_thread_failure)) {
    breach(pass, "%s: %s: %s", call, name, diagnostic ? diagnostic->message : "");
  } else if (fault_refusals() == 0) {
    breach(pass, "%s: %s, though nothing was refused", call, name);
  } else if (diagnostic && !strstr(diagnostic->message, "memory")) {
    breach(pass, "%s: %s, with the words \"%s\"", call, name, diagnostic->message);
  }
}

// Whether a call that failed is made again: once, unless the failure itself was wrong.
static bool retry(model_pass *pass, const char *call, fov_status status,
                  const fov_diagnostic *diagnostic, const void *made, bool *io_again) {
  note_failure(pass, call, status, diagnostic);
  if (made) breach(pass, "%s: %s, and a result", call, fov_status_name(status));
  const bool again = *io_again && !pass->breach[0];
  *io_again = false;
  pass->status = again ? fov_status_ok : status;
  return again;
}

static fov_diagnostic *clear(fov_diagnostic *diagnostic) {
  if (diagnostic) diagnostic->message[0] = 0;
  return diagnostic;
}

// Makes a call of the core; leaves the function, with false, when it fails for good. `says`: the
// diagnostic that it is given, or NULL. `made`: what it makes.
#define CALL(pass, says, made, function, ...)                                     \
  do {                                                                            \
    bool call_again = (pass)->repeats;                                            \
    fov_status call_status;                                                       \
    while (clear(says), (call_status = function(__VA_ARGS__)) != fov_status_ok) { \
      if (!retry((pass), #function, call_status, (says), (made), &call_again)) {  \
        return false;                                                             \
      }                                                                           \
    }                                                                             \
  } while (0)

// MARK: what a pass holds

typedef struct holding {
  fov_graph *graph;
  fov_pool *pool;
  fov_model *models[2];  // as made, and of the file
  fov_session *sessions[2];
  fov_detector *detector;  // of the second session
  void *file;              // what the second model borrows
  fov_diagnostic diagnostic;
} holding;

static void release(holding *holding) {
  fov_detector_destroy(holding->detector);
  for (size_t i = 2; i-- > 0;) {
    fov_session_destroy(holding->sessions[i]);
    fov_model_destroy(holding->models[i]);
  }
  fov_pool_destroy(holding->pool);
  fov_graph_destroy(holding->graph);
  free(holding->file);
}

// MARK: graph and model

static bool repeats_layer(void *context, fov_status status, const fov_diagnostic *diagnostic) {
  model_pass *pass = context;
  bool again = pass->repeats;
  return retry(pass, "a layer", status, diagnostic, NULL, &again);
}

static bool make_graph(model_pass *pass, holding *holding) {
  CALL(pass, NULL, holding->graph, fov_graph_create, &holding->graph);
  watched_graph watched = {.graph = holding->graph, .repeats = repeats_layer, .context = pass};
  return pass->of->build(&watched) == fov_status_ok;
}

// The model takes the graph, so that a call that fails cannot be made again.
static bool make_model(model_pass *pass, holding *holding) {
  fov_graph *graph = holding->graph;
  fov_diagnostic *diagnostic = clear(&holding->diagnostic);
  holding->graph = NULL;
  const fov_status status =
      fov_model_create(graph, &pass->of->options, &holding->models[0], diagnostic);
  bool again = false;
  return status == fov_status_ok ||
         retry(pass, "fov_model_create", status, diagnostic, holding->models[0], &again);
}

// MARK: running

static void keep(model_pass *pass, const void *bytes, size_t count) {
  if (!byte_list_append(&pass->record, bytes, count)) breach(pass, "no memory for the test itself");
}

typedef struct observation {
  model_pass *pass;
  const fov_model *model;
} observation;

static void observe(void *context, const fov_session *session, size_t node) {
  static float elements[MOST_ELEMENTS];
  const observation *observation = context;
  fov_node_information information;
  size_t count = 1;
  if (fov_model_node(observation->model, node, &information) != fov_status_ok) return;
  for (size_t i = 0; i < information.output.rank; i++) count *= information.output.dims[i];
  if (count > MOST_ELEMENTS ||
      fov_session_read_node(session, node, elements, count) != fov_status_ok) {
    breach(observation->pass, "node %zu cannot be read", node);
    return;
  }
  const uint64_t digest = fov_checksum_of(elements, count * sizeof(float));
  keep(observation->pass, &digest, sizeof digest);
}

static void keep_outputs(model_pass *pass, const fov_model *model, fov_session *session) {
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    const void *data = NULL;
    size_t bytes = 0;
    if (fov_session_output(session, i, &data, &bytes) != fov_status_ok) {
      breach(pass, "output %zu cannot be read", i);
      return;
    }
    keep(pass, data, bytes);
  }
}

static void keep_ranges(model_pass *pass, const fov_model *model, const fov_session *session) {
  const size_t count = fov_model_range_count(model);
  fov_channel_summary *ranges = calloc(count, sizeof *ranges);
  if (!ranges) {
    breach(pass, "no memory for the test itself");
    return;
  }
  fov_session_ranges(session, ranges, count);
  keep(pass, ranges, count * sizeof *ranges);
  pass->range_count = count;
  free(ranges);
}

// A session of one of the two models, which allocates nothing when it runs.
static bool run(model_pass *pass, holding *holding, size_t index) {
  const fov_model *model = holding->models[index];
  fov_session **session = &holding->sessions[index];
  observation observation = {.pass = pass, .model = model};
  void *input = NULL;
  size_t bytes = 0;
  CALL(pass, NULL, *session, fov_session_create, model, holding->pool, session);
  const bool is_observed = pass->of->options.observes_nodes && index == 0;
  if (fov_session_input(*session, 0, &input, &bytes) != fov_status_ok ||
      (is_observed && fov_session_set_observer(*session, observe, &observation) != fov_status_ok)) {
    breach(pass, "no input, or no observer");
    return false;
  }
  memcpy(input, pass->of->image, bytes);
  const size_t points = fault_points();
  fov_session_run(*session);
  if (fault_points() != points) breach(pass, "a run asks for memory");
  keep_outputs(pass, model, *session);
  if (pass->of->options.records_ranges) keep_ranges(pass, model, *session);
  return true;
}

// MARK: the file

// From the beginning, as often as the call is made.
static fov_status save(const fov_model *model, byte_list *file, fov_diagnostic *diagnostic) {
  file->count = 0;
  return fov_model_save(model, detector_description, sizeof detector_description, byte_list_append,
                        file, diagnostic);
}

// Objects of the image, which nothing is allocated for.
static bool find_objects(model_pass *pass, holding *holding) {
  const fov_affine_map map = {.a = 1, .d = 1};
  const fov_detection *objects = NULL;
  size_t count = 0;
  fov_diagnostic *diagnostic = &holding->diagnostic;
  CALL(pass, diagnostic, holding->detector, fov_detector_create, holding->sessions[1],
       holding->file, pass->file.count, &holding->detector, diagnostic);
  const size_t points = fault_points();
  if (fov_detector_read(holding->detector, &map, &objects, &count, diagnostic) != fov_status_ok) {
    breach(pass, "no objects: %s", diagnostic->message);
  }
  if (fault_points() != points) breach(pass, "a detector asks for memory");
  for (size_t i = 0; i < count; i++) keep(pass, &objects[i].score, sizeof objects[i].score);
  return true;
}

static bool read_back(model_pass *pass, holding *holding) {
  byte_list *file = &pass->file;
  fov_diagnostic *diagnostic = &holding->diagnostic;
  CALL(pass, diagnostic, NULL, save, holding->models[0], file, diagnostic);
  keep(pass, file->bytes, file->count);
  if (posix_memalign(&holding->file, 64, file->count) != 0) {
    breach(pass, "no memory for the test itself");
    return false;
  }
  memcpy(holding->file, file->bytes, file->count);
  CALL(pass, diagnostic, holding->models[1], fov_model_load, holding->file, file->count,
       &pass->of->options, &holding->models[1], diagnostic);
  return run(pass, holding, 1) && (!pass->of->is_detector || find_objects(pass, holding));
}

// MARK: passes

static bool walk(model_pass *pass, holding *holding) {
  if (!make_graph(pass, holding) || !make_model(pass, holding)) return false;
  CALL(pass, NULL, holding->pool, fov_pool_create, THREADS, &holding->pool);
  return run(pass, holding, 0) && (!pass->of->is_compiled || read_back(pass, holding));
}

void model_pass_run(model_pass *pass) {
  holding holding = {0};
  pass->status = fov_status_ok;
  pass->breach[0] = 0;
  pass->record.count = 0;
  const bool is_done = walk(pass, &holding);
  if (is_done != (pass->status == fov_status_ok)) breach(pass, "a status went astray");
  release(&holding);
  if (fault_live() != 0) breach(pass, "%ld blocks, threads or locks are left", fault_live());
}

fov_channel_summary *model_pass_ranges(const model_case *of, size_t *out_count) {
  model_pass pass = {.of = of};
  fault_begin(fault_none, 0);
  model_pass_run(&pass);
  if (pass.breach[0]) fprintf(stderr, "%s: %s\n", of->name, pass.breach);
  const size_t bytes = pass.range_count * sizeof(fov_channel_summary);
  fov_channel_summary *ranges = pass.breach[0] || bytes == 0 ? NULL : malloc(bytes);
  if (ranges) memcpy(ranges, pass.record.bytes + pass.record.count - bytes, bytes);
  free(pass.record.bytes);
  free(pass.file.bytes);
  *out_count = pass.range_count;
  return ranges;
}

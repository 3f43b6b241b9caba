// Fovea - many sessions of the same models on many threads: every result is that of a thread alone.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fovea/core/fov_core.h"
#include "tiny_detector_graph.h"

// Tests/Native/CMakeLists.txt:
//
//   concurrent-sessions [THREADS [RUNS]]
//
// Each thread runs its own sessions of a float32 and of an int8 model in turn, over its own images;
// now and then it destroys them and makes them again. Some have a pool of their own, some share
// one, some have none.

#define DIVISOR 8
#define IMAGES_EACH 2
#define RUNS_OF_A_SESSION 20
#define MOST_THREADS 64
#define MODELS 2

static const char *const model_names[MODELS] = {"float32", "int8 with ranges"};

static void fail(const char *what) {
  fprintf(stderr, "concurrent-sessions: %s\n", what);
  exit(1);
}

// MARK: models

static fov_model *make_model(const fov_model_options *options) {
  watched_graph watched = {0};
  fov_model *model = NULL;
  if (fov_graph_create(&watched.graph) != fov_status_ok) fail("no graph");
  if (tiny_detector_build(&watched, DIVISOR) != fov_status_ok ||
      fov_model_create(watched.graph, options, &model, &watched.diagnostic) != fov_status_ok) {
    fail(watched.diagnostic.message);
  }
  return model;
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

// Work for several threads, whatever the machine has. Kernels of wider vectors are built without
// the thread sanitizer.
static fov_model_options options_of(fov_backend backend) {
  fov_model_options options = fov_model_options_default();
  options.backend = backend;
  options.thread_count = 3;
  if (IS_SANITIZED && fov_instruction_set_is_available(fov_instruction_set_avx2)) {
    options.instruction_set = fov_instruction_set_avx2;
  }
  return options;
}

static fov_session *make_session(const fov_model *model, fov_pool *pool) {
  fov_session *session = NULL;
  if (fov_session_create(model, pool, &session) != fov_status_ok) fail("no session");
  return session;
}

static void run(fov_session *session, const uint8_t *image) {
  void *input = NULL;
  size_t bytes = 0;
  if (fov_session_input(session, 0, &input, &bytes) != fov_status_ok ||
      bytes != TINY_DETECTOR_IMAGE_BYTES) {
    fail("no input");
  }
  memcpy(input, image, bytes);
  fov_session_run(session);
}

static fov_channel_summary *measure(const uint8_t *image, size_t *out_count) {
  fov_model_options options = options_of(fov_backend_float32);
  options.records_ranges = true;
  fov_model *model = make_model(&options);
  fov_session *session = make_session(model, NULL);
  run(session, image);
  *out_count = fov_model_range_count(model);
  fov_channel_summary *ranges = calloc(*out_count, sizeof *ranges);
  if (!ranges) fail("no memory");
  fov_session_ranges(session, ranges, *out_count);
  fov_session_destroy(session);
  fov_model_destroy(model);
  return ranges;
}

// MARK: results

typedef struct plan {
  size_t threads, runs;
  uint8_t *images;  // (threads * IMAGES_EACH,) of TINY_DETECTOR_IMAGE_BYTES
  fov_model *models[MODELS];
  uint8_t *expected[MODELS];  // (threads * IMAGES_EACH, result_bytes)
  size_t result_bytes;        // of all outputs of one run
  fov_pool *shared[2];
  pthread_barrier_t start;
  atomic_size_t compared, different;
} plan;

static const uint8_t *image(const plan *plan, size_t index) {
  return plan->images + index * TINY_DETECTOR_IMAGE_BYTES;
}

// All outputs one behind the other are those bytes, or become them.
typedef bool (*output_visitor)(void *at, const void *output, size_t bytes);

static bool take(void *at, const void *output, size_t bytes) {
  memcpy(at, output, bytes);
  return true;
}

static bool is_same(void *at, const void *output, size_t bytes) {
  return memcmp(at, output, bytes) == 0;
}

static bool visit_outputs(const plan *plan, size_t model, fov_session *session, size_t index,
                          output_visitor visit) {
  uint8_t *at = plan->expected[model] + index * plan->result_bytes;
  bool is_right = true;
  for (size_t i = 0; i < fov_model_output_count(plan->models[model]); i++) {
    const void *output = NULL;
    size_t bytes = 0;
    if (fov_session_output(session, i, &output, &bytes) != fov_status_ok) fail("no output");
    is_right &= visit(at, output, bytes);
    at += bytes;
  }
  return is_right;
}

static size_t bytes_of_outputs(const fov_model *model) {
  size_t sum = 0;
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    fov_port port;
    if (fov_model_output(model, i, &port) != fov_status_ok) fail("no output");
    size_t bytes = fov_data_type_bytes(port.type);
    for (size_t k = 0; k < port.shape.rank; k++) bytes *= port.shape.dims[k];
    sum += bytes;
  }
  return sum;
}

// One after another, without a pool, each in a session of its own.
static void compute_expected(plan *plan) {
  const size_t images = plan->threads * IMAGES_EACH;
  plan->result_bytes = bytes_of_outputs(plan->models[0]);
  for (size_t m = 0; m < MODELS; m++) {
    plan->expected[m] = malloc(images * plan->result_bytes);
    if (!plan->expected[m]) fail("no memory");
    for (size_t i = 0; i < images; i++) {
      fov_session *session = make_session(plan->models[m], NULL);
      run(session, image(plan, i));
      visit_outputs(plan, m, session, i, take);
      fov_session_destroy(session);
      const uint8_t *result = plan->expected[m] + i * plan->result_bytes;
      if (i > 0 && memcmp(result, result - plan->result_bytes, plan->result_bytes) == 0) {
        fail("two images with one result show nothing");
      }
    }
  }
}

// MARK: threads

typedef struct worker {
  plan *plan;
  size_t number;
  pthread_t handle;
} worker;

// Of each model one; every other thread's in memory of its own, which holds no numbers at first.
typedef struct sessions {
  fov_session *of[MODELS];
  void *memory[MODELS];
  fov_pool *own;
} sessions;

// Three threads in four share one of two pools; the others have none, or one of their own.
static fov_pool *choose_pool(const worker *worker, sessions *sessions) {
  if (worker->number % 4 != 3) return worker->plan->shared[worker->number % 2];
  if (worker->number % 8 == 3) return NULL;
  if (fov_pool_create(2, &sessions->own) != fov_status_ok) fail("no pool");
  return sessions->own;
}

static void begin(const worker *worker, sessions *sessions) {
  const plan *plan = worker->plan;
  *sessions = (struct sessions){0};
  fov_pool *pool = choose_pool(worker, sessions);
  for (size_t m = 0; m < MODELS; m++) {
    const size_t bytes = fov_model_memory(plan->models[m]).session_bytes;
    if (posix_memalign(&sessions->memory[m], 64, bytes) != 0) fail("no memory");
    memset(sessions->memory[m], 0xFF, bytes);
    if (worker->number % 2 == 0) {
      sessions->of[m] = make_session(plan->models[m], pool);
    } else if (fov_session_create_in(plan->models[m], pool, sessions->memory[m], bytes,
                                     &sessions->of[m]) != fov_status_ok) {
      fail("no session in memory of the caller");
    }
  }
}

static void end(sessions *sessions) {
  for (size_t m = 0; m < MODELS; m++) {
    fov_session_destroy(sessions->of[m]);
    free(sessions->memory[m]);
  }
  fov_pool_destroy(sessions->own);
}

static void compare(const worker *worker, sessions *sessions, size_t run_number) {
  plan *plan = worker->plan;
  const size_t index = worker->number * IMAGES_EACH + run_number % IMAGES_EACH;
  for (size_t m = 0; m < MODELS; m++) {
    run(sessions->of[m], image(plan, index));
    atomic_fetch_add(&plan->compared, 1);
    if (visit_outputs(plan, m, sessions->of[m], index, is_same)) continue;
    if (atomic_fetch_add(&plan->different, 1) < 10) {
      fprintf(stderr, "thread %zu, run %zu, %s: other bytes than alone\n", worker->number,
              run_number, model_names[m]);
    }
  }
}

static void *work(void *opaque) {
  const worker *worker = opaque;
  sessions sessions;
  pthread_barrier_wait(&worker->plan->start);
  begin(worker, &sessions);
  for (size_t i = 0; i < worker->plan->runs; i++) {
    // Not all at once.
    if ((i + worker->number) % RUNS_OF_A_SESSION == RUNS_OF_A_SESSION - 1) {
      end(&sessions);
      begin(worker, &sessions);
    }
    compare(worker, &sessions, i);
  }
  end(&sessions);
  return NULL;
}

static void run_threads(plan *plan) {
  worker workers[MOST_THREADS];
  if (pthread_barrier_init(&plan->start, NULL, (unsigned)plan->threads) != 0) fail("no barrier");
  for (size_t i = 0; i < plan->threads; i++) {
    workers[i] = (worker){.plan = plan, .number = i};
    if (pthread_create(&workers[i].handle, NULL, work, &workers[i]) != 0) fail("no thread");
  }
  for (size_t i = 0; i < plan->threads; i++) pthread_join(workers[i].handle, NULL);
  pthread_barrier_destroy(&plan->start);
}

// MARK: all of it

static void make_images(plan *plan) {
  const size_t images = plan->threads * IMAGES_EACH;
  plan->images = malloc(images * TINY_DETECTOR_IMAGE_BYTES);
  if (!plan->images) fail("no memory");
  for (size_t i = 0; i < images; i++) {
    tiny_detector_image((uint32_t)i, plan->images + i * TINY_DETECTOR_IMAGE_BYTES);
  }
}

static void make_models(plan *plan) {
  const fov_model_options float32 = options_of(fov_backend_float32);
  fov_model_options int8 = options_of(fov_backend_int8);
  fov_channel_summary *ranges = measure(plan->images, &int8.range_count);
  int8.ranges = ranges;
  plan->models[0] = make_model(&float32);
  plan->models[1] = make_model(&int8);
  free(ranges);
}

static void make_pools(plan *plan) {
  for (size_t i = 0; i < 2; i++) {
    if (fov_pool_create(3 - i, &plan->shared[i]) != fov_status_ok) fail("no pool");
  }
}

static void release(plan *plan) {
  for (size_t i = 0; i < 2; i++) fov_pool_destroy(plan->shared[i]);
  for (size_t m = 0; m < MODELS; m++) {
    fov_model_destroy(plan->models[m]);
    free(plan->expected[m]);
  }
  free(plan->images);
}

int main(int count, char **arguments) {
  plan plan = {.threads = count > 1 ? strtoul(arguments[1], NULL, 10) : 8,
               .runs = count > 2 ? strtoul(arguments[2], NULL, 10) : 200};
  if (plan.threads < 1 || plan.threads > MOST_THREADS) fail("1 to 64 threads");
  make_images(&plan);
  make_models(&plan);
  compute_expected(&plan);
  make_pools(&plan);
  run_threads(&plan);
  release(&plan);
  const size_t compared = atomic_load(&plan.compared), different = atomic_load(&plan.different);
  printf("%zu threads, %zu runs each of %d models: %zu results compared, %zu different\n",
         plan.threads, plan.runs, MODELS, compared, different);
  return compared == plan.threads * plan.runs * MODELS && different == 0 ? 0 : 1;
}

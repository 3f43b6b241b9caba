// Fovea - every request for memory or a thread refused once, in all that is done with a model.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_memory.h"
#include "full_graph.h"
#include "fovea/spi/fov_parallel.h"
#include "mixed_layers_graph.h"
#include "model_pass.h"
#include "tiny_detector_graph.h"

// With sanitizers, AllocationFailures.cmake:
//
//   allocation-failures [PART]
//
// runs what has PART in its name. Points are refused one at a time, from the first to the last:
// alone, together with all behind, and alone with the call then made again. Whatever a call
// survives must not change a byte of any result.

#define DIVISOR 8

static fov_status build_detector(watched_graph *watched) {
  return tiny_detector_build(watched, DIVISOR);
}

// MARK: one case

typedef enum trial {
  trial_single,
  trial_lasting,
  trial_repeated,
  trial_count,
} trial;

static const char *const trial_names[trial_count] = {"alone", "with all behind", "made again"};

typedef struct tally {
  size_t points, refused, survived;
} tally;

// Results of passes are those of one without a refusal, as far as they came.
static bool is_right(const model_pass *pass, const model_pass *expected) {
  const byte_list *record = &pass->record, *whole = &expected->record;
  const bool is_whole = pass->status == fov_status_ok;
  if (record->count > whole->count || (is_whole && record->count < whole->count)) return false;
  return record->count == 0 || memcmp(record->bytes, whole->bytes, record->count) == 0;
}

static bool try_point(model_pass *pass, const model_pass *expected, trial trial, size_t point,
                      tally *tally) {
  fault_begin(trial == trial_lasting ? fault_lasting : fault_single, point);
  pass->repeats = trial == trial_repeated;
  model_pass_run(pass);
  const char *breach = pass->breach;
  if (!breach[0] && !is_right(pass, expected)) breach = "other results than without a refusal";
  if (breach[0]) {
    fprintf(stderr, "%s: point %zu refused, %s: %s\n", pass->of->name, point, trial_names[trial],
            breach);
    return false;
  }
  if (fault_refusals() == 0) return false;
  *(pass->status == fov_status_ok ? &tally->survived : &tally->refused) += 1;
  return true;
}

// Up to the first point that no pass comes to.
static bool try_points(model_pass *pass, const model_pass *expected, trial trial, tally *tally) {
  size_t point = 1;
  while (try_point(pass, expected, trial, point, tally)) point++;
  if (pass->breach[0] || fault_refusals() > 0 || pass->status != fov_status_ok) return false;
  return point == tally->points + 1 || !fprintf(stderr, "%s: points vary\n", pass->of->name);
}

static void print_tally(const char *name, const tally *tallies, size_t trials) {
  printf("%s: %zu points", name, tallies[0].points);
  for (size_t i = 0; i < trials; i++) {
    printf("; %s %zu refused, %zu survived", trial_names[i], tallies[i].refused,
           tallies[i].survived);
  }
  printf("\n");
}

static bool check_case(const model_case *of, size_t trials) {
  model_pass expected = {.of = of}, pass = {.of = of};
  tally tallies[trial_count] = {0};
  fault_begin(fault_none, 0);
  model_pass_run(&expected);
  bool is_right = !expected.breach[0];
  if (!is_right) fprintf(stderr, "%s: %s\n", of->name, expected.breach);
  const size_t points = fault_points();
  for (size_t i = 0; i < trials && is_right; i++) {
    tallies[i].points = points;
    is_right = try_points(&pass, &expected, (trial)i, &tallies[i]);
  }
  if (is_right) print_tally(of->name, tallies, trials);
  free(expected.record.bytes);
  free(expected.file.bytes);
  free(pass.record.bytes);
  free(pass.file.bytes);
  return is_right;
}

// MARK: all cases

static uint8_t image[TINY_DETECTOR_IMAGE_BYTES];

typedef struct network {
  const char *name;
  fov_status (*build)(watched_graph *watched);
  const char *float_layers[2], *int16_layers[3];
  size_t float_layer_count, int16_layer_count;
  bool is_detector;
  bool is_small;  // tried with all options, and in all ways
  fov_channel_summary *ranges;
  size_t range_count;
} network;

// Kernels of wider vectors are built without sanitizers.
static fov_instruction_set instruction_set(void) {
  return fov_instruction_set_is_available(fov_instruction_set_avx2) ? fov_instruction_set_avx2
                                                                    : fov_instruction_set_automatic;
}

static fov_model_options options_of(fov_backend backend) {
  fov_model_options options = fov_model_options_default();
  options.instruction_set = instruction_set();
  options.backend = backend;
  options.thread_count = 3;
  return options;
}

static fov_model_options calibrated(const network *network) {
  fov_model_options options = options_of(fov_backend_int8);
  options.ranges = network->ranges;
  options.range_count = network->range_count;
  return options;
}

typedef struct check {
  const char *part;  // what names are to contain
  size_t checked;
  bool is_right;
} check;

static void add(check *check, const network *network, const char *kind, fov_model_options options) {
  char name[128];
  snprintf(name, sizeof name, "%s, %s", network->name, kind);
  if (!strstr(name, check->part)) return;
  const bool packs = options.backend == fov_backend_float32 || options.backend == fov_backend_int8;
  const model_case of = {.name = name,
                         .build = network->build,
                         .options = options,
                         .image = image,
                         .is_compiled = packs && !options.records_ranges,
                         .is_detector = network->is_detector};
  check->checked++;
  check->is_right &= check_case(&of, network->is_small ? trial_count : trial_repeated);
}

static void add_float(check *check, const network *network) {
  fov_model_options options = options_of(fov_backend_reference);
  add(check, network, "reference", options);
  options.keep_all_nodes = true;
  add(check, network, "reference, all nodes kept", options);
  add(check, network, "blas", options_of(fov_backend_blas));
  options = options_of(fov_backend_float32);
  add(check, network, "float32", options);
  options.keeps_codes = true;
  add(check, network, "float32, codes kept", options);
  options.keeps_codes = false;
  options.records_ranges = true;
  add(check, network, "float32, ranges measured", options);
}

static void add_int8(check *check, const network *network) {
  fov_model_options options = options_of(fov_backend_int8);
  add(check, network, "int8", options);
  options.records_ranges = true;
  if (network->is_small) add(check, network, "int8, ranges measured", options);
  add(check, network, "int8 with ranges", calibrated(network));
  options = calibrated(network);
  options.dynamic_ranges = true;
  if (network->is_small) add(check, network, "int8 with ranges, frames measured", options);
  options = calibrated(network);
  options.float_layers = network->float_layers;
  options.float_layer_count = network->float_layer_count;
  options.int16_layers = network->int16_layers;
  options.int16_layer_count = network->int16_layer_count;
  options.float_sums = true;
  options.observes_nodes = true;
  add(check, network, "int8 with ranges, some in float32, observed", options);
}

static void check_network(check *check, network *network) {
  fov_model_options options = options_of(fov_backend_float32);
  options.records_ranges = true;
  const model_case of = {
      .name = network->name, .build = network->build, .options = options, .image = image};
  network->ranges = model_pass_ranges(&of, &network->range_count);
  check->is_right &= network->ranges != NULL;
  if (network->ranges) {
    add_float(check, network);
    add_int8(check, network);
  }
  free(network->ranges);
}

// MARK: the pool

static void mark(void *context, size_t unit, size_t thread) {
  (void)thread;
  ((uint8_t *)context)[unit]++;
}

// A pool of one thread starts none, and may do without what threads need.
static bool is_expected(fov_status status, size_t threads, const fov_pool *pool) {
  if (status == fov_status_ok) {
    return pool && fov_pool_thread_count(pool) == threads &&
           (fault_refusals() == 0 || threads == 1);
  }
  return !pool && fault_refusals() > 0 &&
         (status == fov_status_out_of_memory || status == fov_status_thread_failure);
}

static bool try_pool(size_t threads) {
  uint8_t units[64] = {0};
  fov_pool *pool = (fov_pool *)(void *)units;  // none: a call that fails has to say so
  const fov_status status = fov_pool_create(threads, &pool);
  bool is_right = is_expected(status, threads, pool);
  if (!is_right) return false;
  fov_parallel_for(pool, 64, mark, units);
  fov_pool_destroy(pool);
  for (size_t i = 0; i < 64; i++) is_right &= units[i] == 1;
  return is_right && fault_live() == 0;
}

static void add_pools(check *check) {
  if (!strstr("pools", check->part)) return;
  check->checked++;
  size_t points = 0;
  for (size_t threads = 1; threads <= 5; threads++) {
    for (fault_kind kind = fault_single; kind <= fault_lasting; kind++) {
      size_t point = 0;
      do {
        fault_begin(kind, ++point);
        if (!try_pool(threads)) {
          fprintf(stderr, "pool of %zu threads: point %zu\n", threads, point);
          check->is_right = false;
        }
      } while (fault_refusals() > 0);
      points += point - 1;
    }
  }
  printf("pools of 1 to 5 threads: %zu refusals\n", points);
}

// MARK: all of it

static void add_full_graph(check *check) {
  if (!strstr("full graph", check->part)) return;
  check->checked++;
  const bool is_refused = full_graph_is_refused();
  if (is_refused) printf("full graph: refused in words\n");
  check->is_right &= is_refused;
}

int main(int count, char **arguments) {
  network detector = {.name = "detector",
                      .build = build_detector,
                      .float_layers = {"conv1", "conv13"},
                      .float_layer_count = 2,
                      .int16_layers = {"conv2", "conv3", "conv15"},
                      .int16_layer_count = 3,
                      .is_detector = true};
  network mixed = {.name = "mixed",
                   .build = mixed_layers_build,
                   .float_layers = {"stem", "filter"},
                   .float_layer_count = 2,
                   .is_small = true};
  check check = {.part = count > 1 ? arguments[1] : "", .is_right = true};
  tiny_detector_image(1, image);
  add_pools(&check);
  add_full_graph(&check);
  check_network(&check, &mixed);
  check_network(&check, &detector);
  if (check.checked == 0) fprintf(stderr, "nothing was checked\n");
  return check.is_right && check.checked > 0 ? 0 : 1;
}

// Fovea - compiled files, damaged in thousands of ways: loading refuses them or the model runs.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_checksum.h"
#include "byte_list.h"
#include "compiled_sections.h"
#include "detector_description.h"
#include "fovea/core/fov_core.h"
#include "mutation_graph.h"
#include "compiled/fov_compiled_layout.h"

// With sanitizers, Tests/Native/CMakeLists.txt:
//
//   compiled-mutations [ROUNDS [SEED [FILE.fovea ...]]]
//
// Without files the graph of mutation_graph.c is compiled in five ways. Every fourth round flips
// bytes and leaves the checksums alone; the others repair them, so that the checks behind them are
// met.

static uint64_t state;

static uint64_t random_below(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

// At a multiple of 64 and without a byte to spare, so that a sanitizer sees what reaches beyond.
static uint8_t *copy_exactly(const uint8_t *data, size_t count) {
  void *copy = NULL;
  if (posix_memalign(&copy, 64, count ? count : 1) != 0) return NULL;
  memcpy(copy, data, count);
  return copy;
}

// MARK: running

typedef struct outcome {
  fov_status status;
  uint64_t digest;  // of all outputs
} outcome;

// A file may describe work without end; this much is run.
#define MOST_BYTES ((size_t)64 << 20)
#define MOST_PRODUCTS ((uint64_t)1 << 27)

static bool is_small(const fov_model *model) {
  uint64_t products = 0;
  for (size_t n = 0; n < fov_model_node_count(model); n++) {
    fov_node_information node;
    if (fov_model_node(model, n, &node) != fov_status_ok) return false;
    if (node.multiply_accumulates > MOST_PRODUCTS) return false;
    products += node.multiply_accumulates;
  }
  return products <= MOST_PRODUCTS && fov_model_memory(model).session_bytes <= MOST_BYTES;
}

static uint64_t run(const fov_model *model) {
  fov_session *session = NULL;
  uint64_t digest = 0;
  if (fov_session_create(model, NULL, &session) != fov_status_ok) return 0;
  for (size_t i = 0; i < fov_model_input_count(model); i++) {
    void *data = NULL;
    size_t count = 0;
    if (fov_session_input(session, i, &data, &count) != fov_status_ok) continue;
    for (size_t k = 0; k < count; k++) ((uint8_t *)data)[k] = (uint8_t)(k * 31 % 63);
  }
  fov_session_run(session);
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    const void *data = NULL;
    size_t count = 0;
    if (fov_session_output(session, i, &data, &count) != fov_status_ok) continue;
    digest = digest * 31 + fov_checksum_of(data, count);
  }
  fov_session_destroy(session);
  return digest;
}

// The models made here are no detectors: this fails in one way or another, and must say why.
static void look_for_detector(fov_model *model, const uint8_t *data, size_t count) {
  fov_diagnostic diagnostic = {""};
  fov_session *session = NULL;
  fov_detector *detector = NULL;
  if (fov_session_create(model, NULL, &session) != fov_status_ok) return;
  const fov_status status = fov_detector_create(session, data, count, &detector, &diagnostic);
  if (status != fov_status_ok && diagnostic.message[0] == 0) {
    fprintf(stderr, "no message with %s\n", fov_status_name(status));
    exit(1);
  }
  fov_detector_destroy(detector);
  fov_session_destroy(session);
}

static outcome load_and_run(const uint8_t *data, size_t count) {
  const fov_model_options options = fov_model_options_default();
  fov_diagnostic diagnostic = {""};
  fov_model *model = NULL;
  outcome result = {.status = fov_model_load(data, count, &options, &model, &diagnostic)};
  if (result.status == fov_status_ok) {
    if (is_small(model)) {
      result.digest = run(model);
      look_for_detector(model, data, count);
    }
    fov_model_destroy(model);
  } else if (diagnostic.message[0] == 0) {
    fprintf(stderr, "no message with %s\n", fov_status_name(result.status));
    exit(1);
  }
  return result;
}

// MARK: mutations

// clang-format off
static const uint64_t interesting[] = {
    0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 255, 256, 4096, 65535, 65536, 0x7F800000, 0x7FC00000,
    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000,
    0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFC0, 0x3F800000, 0xBF800000, 0x00800000};
// clang-format on

static void mutate_at(uint8_t *data, size_t count, size_t at) {
  const size_t kind = random_below(4);
  if (kind == 0) {
    data[at] ^= (uint8_t)(1u << random_below(8));
  } else if (kind == 1) {
    data[at] = (uint8_t)random_below(256);
  } else {
    const uint64_t value = interesting[random_below(sizeof interesting / sizeof interesting[0])];
    const size_t size = kind == 2 ? 4 : 8;
    for (size_t i = 0; i < size && at + i < count; i++) data[at + i] = (uint8_t)(value >> (8 * i));
  }
}

// Most changes go to the header, the description and the graph, where there is something to check.
static size_t place(const uint8_t *data, size_t count) {
  const compiled_section words = compiled_section_read(data, 0);
  const compiled_section graph = compiled_section_read(data, 1);
  switch (random_below(8)) {
    case 0: return random_below(count);
    case 1: return random_below(FOV_COMPILED_HEADER_BYTES);
    case 2: return words.offset + random_below(words.bytes);
    default: return graph.offset + random_below(graph.bytes);
  }
}

typedef struct tally {
  size_t refused, ran;
} tally;

static void one_round(const byte_list *original, outcome expected, size_t round, tally *tally) {
  const bool repairs = round % 4 != 0;
  size_t count = original->count;
  uint8_t *data = copy_exactly(original->bytes, count);
  if (!data) exit(1);
  const size_t changes = 1 + random_below(3);
  for (size_t i = 0; i < changes; i++) mutate_at(data, count, place(original->bytes, count));
  if (repairs) compiled_repair(data, count);
  const bool changed = memcmp(data, original->bytes, count) != 0;
  const outcome result = load_and_run(data, count);
  if (changed && !repairs && result.status == fov_status_ok) {
    fprintf(stderr, "round %zu: damage went unnoticed\n", round);
    exit(1);
  }
  if (!changed && (result.status != expected.status || result.digest != expected.digest)) {
    fprintf(stderr, "round %zu: the same bytes behave differently\n", round);
    exit(1);
  }
  *(result.status == fov_status_ok ? &tally->ran : &tally->refused) += 1;
  free(data);
}

static void truncate_file(const byte_list *original) {
  const size_t step = original->count > 4096 ? original->count / 2048 : 1;
  for (size_t count = 0; count < original->count; count += step) {
    uint8_t *data = copy_exactly(original->bytes, count);
    if (!data || load_and_run(data, count).status != fov_status_invalid_file) {
      fprintf(stderr, "%zu of %zu bytes are accepted\n", count, original->count);
      exit(1);
    }
    free(data);
  }
}

static void mutate_file(const char *name, const byte_list *original, uint64_t digest,
                        size_t rounds) {
  tally tally = {0, 0};
  uint8_t *data = copy_exactly(original->bytes, original->count);
  const outcome expected = load_and_run(data, original->count);
  free(data);
  if (expected.status != fov_status_ok || (digest != 0 && expected.digest != digest)) {
    fprintf(stderr, "%s: %s, or other results than those of the model\n", name,
            fov_status_name(expected.status));
    exit(1);
  }
  truncate_file(original);
  for (size_t round = 0; round < rounds; round++) one_round(original, expected, round, &tally);
  printf("%s: %zu bytes, %zu rounds, %zu refused, %zu accepted\n", name, original->count, rounds,
         tally.refused, tally.ran);
}

// MARK: files

static void compile_and_mutate(mutation_kind kind, const char *name, size_t rounds) {
  fov_model *model = mutation_model(kind);
  fov_diagnostic diagnostic = {""};
  byte_list file = {0};
  if (!model || fov_model_save(model, detector_description, sizeof detector_description,
                               byte_list_append, &file, &diagnostic) != fov_status_ok) {
    fprintf(stderr, "%s: %s\n", name, diagnostic.message);
    exit(1);
  }
  const uint64_t digest = run(model);
  fov_model_destroy(model);
  mutate_file(name, &file, digest, rounds);
  free(file.bytes);
}

int main(int count, char **arguments) {
  const size_t rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 2000;
  state = count > 2 ? strtoul(arguments[2], NULL, 10) | 1 : 1;
  for (int i = 3; i < count; i++) {
    byte_list file = {0};
    if (!byte_list_read(arguments[i], &file)) return fprintf(stderr, "%s?\n", arguments[i]), 1;
    mutate_file(arguments[i], &file, 0, rounds);
    free(file.bytes);
  }
  if (count > 3) return 0;
  compile_and_mutate(mutation_float, "float", rounds);
  compile_and_mutate(mutation_float_table, "float, tables", rounds);
  compile_and_mutate(mutation_float_linear, "float, linear", rounds);
  compile_and_mutate(mutation_int8, "int8, measured", rounds);
  compile_and_mutate(mutation_int8_calibrated, "int8, calibrated", rounds);
  return 0;
}

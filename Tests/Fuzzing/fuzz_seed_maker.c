// Fovea - writes the files that fuzzing begins with.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_graph_program.h"
#include "fuzz_input.h"
#include "fuzz_seed_models.h"

//   fuzz_seed_maker FOLDER
//
// FOLDER has a folder for each target. Compiled files are those of small models: every backend that
// can be saved, with and without ranges, weights in every form; and those of random graphs. The
// other targets read numbers off their bytes: they begin with random ones.

static FILE *create(const char *folder, const char *target, size_t number) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/seed-%03zu", folder, target, number);
  FILE *file = fopen(path, "wb");
  if (!file) fuzz_fail("%s cannot be written", path);
  return file;
}

static void write_noise(const char *folder, const char *target, size_t count, size_t longest) {
  fuzz_noise noise = {11};
  for (size_t i = 0; i < count; i++) {
    FILE *file = create(folder, target, i);
    const size_t bytes = 16 + fuzz_noise_bits(&noise) % longest;
    for (size_t k = 0; k < bytes; k++) fputc((int)(fuzz_noise_bits(&noise) >> 24), file);
    fclose(file);
  }
}

// MARK: Compiled files

static const char *folder;
static size_t file_count;

static bool append(void *context, const void *bytes, size_t count) {
  return fwrite(bytes, 1, count, context) == count;
}

static void save(fuzz_seed seed) {
  fov_diagnostic diagnostic = {""};
  fov_model *model = fuzz_seed_model(&seed);
  FILE *file = create(folder, "fuzz_compiled_file", file_count++);
  if (fov_model_save(model, "seed", 4, append, file, &diagnostic) != fov_status_ok) {
    fuzz_fail("not saved: %s", diagnostic.message);
  }
  fclose(file);
  fov_model_destroy(model);
}

// Both as codes and expanded, in a layer that is packed and in one that stays planar.
static void save_form(fov_weight_encoding encoding, uint32_t bits, bool per_channel) {
  fuzz_seed seed = {.backend = fov_backend_float32,
                    .encoding = encoding,
                    .bits = bits,
                    .per_channel = per_channel};
  save(seed);
  seed.keeps_codes = true;
  save(seed);
  seed.graph = fuzz_seed_planes;
  save(seed);
  seed.has_parts = bits > 0;
  if (seed.has_parts) save(seed);
  seed.graph = fuzz_seed_one_convolution;
  if (seed.has_parts) save(seed);
}

static void save_models(void) {
  save_form(fov_weight_encoding_float32, 0, false);
  save_form(fov_weight_encoding_float16, 0, false);
  for (uint32_t bits = 1; bits <= 8; bits++) {
    save_form(fov_weight_encoding_lookup_table, bits, false);
    save_form(fov_weight_encoding_linear, bits, bits % 2);
  }
  for (int graph = fuzz_seed_one_convolution; graph <= fuzz_seed_detection; graph++) {
    fuzz_seed seed = {.graph = (fuzz_seed_graph)graph, .backend = fov_backend_float32};
    save(seed);
    seed.backend = fov_backend_int8;
    for (int ranges = fuzz_seed_without_ranges; ranges <= fuzz_seed_with_int16_layer; ranges++) {
      seed.ranges = (fuzz_seed_ranges)ranges;
      save(seed);
    }
  }
}

// MARK: Random graphs

#define RANDOM_GRAPHS 300
#define LONGEST_FILE 6144

typedef struct bytes {
  uint8_t data[LONGEST_FILE];
  size_t count;
} bytes;

static bool append_some(void *context, const void *data, size_t count) {
  bytes *into = context;
  if (count > LONGEST_FILE - into->count) return false;
  memcpy(into->data + into->count, data, count);
  into->count += count;
  return true;
}

// Files that would be long, and graphs that no file can hold, are left out.
static void save_program(const fuzz_program *program, fov_backend backend) {
  fov_model_options options = fov_model_options_default();
  fov_model *model = NULL;
  bytes file = {.count = 0};
  options.backend = backend;
  options.keeps_codes = program->count % 2;
  if (fov_model_create(fuzz_program_build(program), &options, &model, NULL) != fov_status_ok)
    return;
  if (fov_model_save(model, "seed", 4, append_some, &file, NULL) == fov_status_ok) {
    FILE *to = create(folder, "fuzz_compiled_file", file_count++);
    fwrite(file.data, 1, file.count, to);
    fclose(to);
  }
  fov_model_destroy(model);
}

static void save_random_graphs(void) {
  fuzz_noise noise = {23};
  for (size_t i = 0; i < RANDOM_GRAPHS; i++) {
    uint8_t data[200];
    for (size_t k = 0; k < sizeof data; k++) data[k] = (uint8_t)(fuzz_noise_bits(&noise) >> 24);
    fuzz_input input = {data, 40 + fuzz_noise_bits(&noise) % 160};
    fuzz_program program;
    if (fuzz_program_read(&input, &program) && !program.is_too_large) {
      save_program(&program, i % 2 ? fov_backend_float32 : fov_backend_int8);
    }
    fuzz_program_release(&program);
  }
}

// MARK: Detectors

// Pixels and choices of noise, and a description that is right: labels of four classes, or none.
static void save_detector(size_t number, uint8_t labels) {
  static const uint8_t begin[] = {0, 0, 0, 0, 0x82, 0xA6, 0x1D};
  static const double thresholds[] = {0.25, 0.45, 0.5, 0.5};
  static const char texts[] = "confidence\0coordinates\0a\0bb\0ccc\0dddd";
  const size_t text_bytes = labels > 0 ? sizeof texts : sizeof "confidence\0coordinates";
  const uint8_t length = (uint8_t)(4 + 4 + sizeof thresholds + 4 + text_bytes);
  const uint8_t version[] = {1, 0, 0, 0}, count[] = {labels, 0, 0, 0}, agnostic[] = {0, 0, 0, 0};
  fuzz_noise noise = {number + 1};
  FILE *file = create(folder, "fuzz_detectors", number);
  for (size_t i = 0; i < 48 + 8; i++) fputc((int)(fuzz_noise_bits(&noise) >> 24), file);
  fwrite(begin, 1, sizeof begin, file);
  fputc(length, file);
  fwrite(version, 1, sizeof version, file);
  fwrite(count, 1, sizeof count, file);
  fwrite(thresholds, 1, sizeof thresholds, file);
  fwrite(agnostic, 1, sizeof agnostic, file);
  fwrite(texts, 1, text_bytes, file);
  fclose(file);
}

int main(int count, char **arguments) {
  if (count != 2) return fprintf(stderr, "usage: fuzz_seed_maker FOLDER\n"), 2;
  folder = arguments[1];
  save_models();
  save_random_graphs();
  for (size_t i = 0; i < 20; i++) save_detector(i, i % 2 ? 4 : 0);
  write_noise(folder, "fuzz_graphs", 200, 300);
  write_noise(folder, "fuzz_image_sampling", 100, 100);
  write_noise(folder, "fuzz_weight_forms", 100, 200);
  return 0;
}

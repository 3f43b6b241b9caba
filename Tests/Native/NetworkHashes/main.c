// Fovea - one number for all that an int8 network computes, to compare processors and compilers.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_checksum.h"
#include "byte_list.h"
#include "fovea/core/fov_core.h"
#include "tiny_detector_graph.h"

// Scripts/checks/architectures:
//
//   network-hashes make FOLDER      compiles int8 detectors into FOLDER
//   network-hashes FILE.fovea ...   runs compiled files by every set of instructions that the
//                                   processor has, and prints a hash of their outputs
//
// Ranges come from a float32 run, which may round otherwise on another processor. Hence one
// processor makes the files, and all run them.

static void fail(const char *what, const char *why) {
  fprintf(stderr, "network-hashes: %s: %s\n", what, why);
  exit(1);
}

// MARK: running

// Any bytes for integers; from 0 to 255 / 256 for floats, which every processor divides alike.
static void fill(const fov_port *port, void *data, size_t bytes) {
  const size_t size = fov_data_type_bytes(port->type);
  for (size_t i = 0; i < bytes / size; i++) {
    const uint8_t value = (uint8_t)(i * 31 + (i >> 8) * 17 + (i >> 16));
    if (port->type == fov_data_type_float32) {
      ((float *)data)[i] = (float)value * 0x1p-8f;
    } else {
      memset((uint8_t *)data + i * size, value, size);
    }
  }
}

static fov_session *run(const char *name, const fov_model *model, const uint8_t *image) {
  fov_session *session = NULL;
  if (fov_session_create(model, NULL, &session) != fov_status_ok) fail(name, "no session");
  for (size_t i = 0; i < fov_model_input_count(model); i++) {
    void *data = NULL;
    size_t bytes = 0;
    fov_port port;
    if (fov_model_input(model, i, &port) != fov_status_ok ||
        fov_session_input(session, i, &data, &bytes) != fov_status_ok) {
      fail(name, "no input");
    }
    if (image != NULL) {
      memcpy(data, image, bytes);
    } else {
      fill(&port, data, bytes);
    }
  }
  fov_session_run(session);
  return session;
}

typedef struct file_bytes {
  void *bytes;  // at a multiple of 64
  size_t count;
} file_bytes;

static file_bytes read_file(const char *path) {
  byte_list file = {0};
  if (!byte_list_read(path, &file)) fail(path, "cannot be read");
  void *bytes = aligned_alloc(64, (file.count + 63) / 64 * 64);
  if (!bytes) fail(path, "no memory");
  memcpy(bytes, file.bytes, file.count);
  free(file.bytes);
  return (file_bytes){bytes, file.count};
}

#define LONGEST_LINE 1024

// One word for each output: its name and a hash of its bytes.
static void hash_outputs(const char *path, file_bytes file, fov_instruction_set set,
                         char *out_line) {
  fov_model_options options = fov_model_options_default();
  options.instruction_set = set;
  fov_diagnostic diagnostic = {""};
  fov_model *model = NULL;
  if (fov_model_load(file.bytes, file.count, &options, &model, &diagnostic) != fov_status_ok) {
    fail(path, diagnostic.message);
  }
  fov_session *session = run(path, model, NULL);
  size_t used = 0;
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    const void *data = NULL;
    size_t size = 0;
    fov_port port;
    if (fov_model_output(model, i, &port) != fov_status_ok ||
        fov_session_output(session, i, &data, &size) != fov_status_ok) {
      fail(path, "no output");
    }
    const unsigned long long hash = fov_checksum_of(data, size);
    used += (size_t)snprintf(out_line + used, LONGEST_LINE - used, " %s %016llx", port.name, hash);
    if (used >= LONGEST_LINE) fail(path, "too many outputs");
  }
  fov_session_destroy(session);
  fov_model_destroy(model);
}

static void print_hash(const char *path) {
  const file_bytes file = read_file(path);
  char expected[LONGEST_LINE] = "", line[LONGEST_LINE] = "";
  hash_outputs(path, file, fov_instruction_set_scalar, expected);
  for (int i = 0; i < FOV_INSTRUCTION_SET_COUNT; i++) {
    const fov_instruction_set set = (fov_instruction_set)i;
    if (set == fov_instruction_set_scalar || !fov_instruction_set_is_available(set)) continue;
    hash_outputs(path, file, set, line);
    if (strcmp(line, expected) == 0) continue;
    fprintf(stderr, "%s:%s, by %s:%s\n", path, expected, fov_instruction_set_name(set), line);
    exit(1);
  }
  const char *slash = strrchr(path, '/');
  printf("%s%s\n", slash ? slash + 1 : path, expected);
  free(file.bytes);
}

// MARK: making files

#define DIVISOR 8

static uint8_t image[TINY_DETECTOR_IMAGE_BYTES];

static fov_model *make_model(const char *name, const fov_model_options *options) {
  watched_graph watched = {0};
  fov_model *model = NULL;
  if (fov_graph_create(&watched.graph) != fov_status_ok) fail(name, "no graph");
  if (tiny_detector_build(&watched, DIVISOR) != fov_status_ok ||
      fov_model_create(watched.graph, options, &model, &watched.diagnostic) != fov_status_ok) {
    fail(name, watched.diagnostic.message);
  }
  return model;
}

static bool write_bytes(void *context, const void *bytes, size_t count) {
  return fwrite(bytes, 1, count, context) == count;
}

static void make_file(const char *folder, const char *name, const fov_model_options *options) {
  char path[4096];
  fov_diagnostic diagnostic = {""};
  snprintf(path, sizeof path, "%s/%s.fovea", folder, name);
  fov_model *model = make_model(name, options);
  FILE *stream = fopen(path, "wb");
  if (!stream) fail(path, "cannot be made");
  if (fov_model_save(model, NULL, 0, write_bytes, stream, &diagnostic) != fov_status_ok ||
      fclose(stream) != 0) {
    fail(path, diagnostic.message);
  }
  fov_model_destroy(model);
}

static void make_files(const char *folder) {
  tiny_detector_image(1, image);
  fov_model_options options = fov_model_options_default();
  options.backend = fov_backend_float32;
  options.records_ranges = true;
  fov_model *model = make_model("ranges", &options);
  fov_session *session = run("ranges", model, image);
  const size_t count = fov_model_range_count(model);
  fov_channel_summary *ranges = calloc(count, sizeof *ranges);
  if (!ranges) fail("ranges", "no memory");
  fov_session_ranges(session, ranges, count);
  fov_session_destroy(session);
  fov_model_destroy(model);

  options = fov_model_options_default();
  options.backend = fov_backend_int8;
  make_file(folder, "detector-dynamic", &options);
  options.ranges = ranges;
  options.range_count = count;
  make_file(folder, "detector-calibrated", &options);
  static const char *const int16_layers[] = {"conv2", "conv3", "conv15"};
  options.int16_layers = int16_layers;
  options.int16_layer_count = sizeof int16_layers / sizeof *int16_layers;
  make_file(folder, "detector-int16", &options);
  free(ranges);
}

int main(int count, char **arguments) {
  if (count == 3 && strcmp(arguments[1], "make") == 0) {
    make_files(arguments[2]);
    return 0;
  }
  for (int i = 1; i < count; i++) print_hash(arguments[i]);
  return 0;
}

// Fovea - fuzzing compiled files: any bytes, most of them with right checksums.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"
#include "compiled/fov_compiled_layout.h"
#include "compiled_sections.h"
#include "fuzz_input.h"
#include "fuzz_model_run.h"
#include "fuzz_sets.h"

// A file is refused with a reason, or the model runs as often as it is asked to. Its results are
// read, not compared: a file may have weights for channels that are not there, which multiply
// memory that nobody has written. The mutator takes a file apart into its three sections, changes
// one, and puts them together again as a writer would, so that what is behind the checksums is met.

// What a file may ask for and is still run.
#define MOST_SESSION_BYTES ((size_t)1 << 20)
#define MOST_PRODUCTS ((uint64_t)1 << 21)

// MARK: The mutator

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

// clang-format off
static const uint64_t interesting[] = {
    0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 255, 256, 4096, 65535, 65536, 0x7F800000, 0x7FC00000,
    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000,
    0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFC0, 0x3F800000, 0xBF800000, 0x00800000};
// clang-format on

static uint32_t get_u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

// Where four bytes are a small number, as sizes, indices and enumerators are; anywhere if none is
// found.
static size_t find_small(fuzz_noise *noise, const uint8_t *data, size_t count) {
  size_t at = 0;
  for (int tries = 0; tries < 16; tries++) {
    at = fuzz_noise_bits(noise) % (count - 3);
    const uint32_t value = get_u32(data + at);
    if (value < 4096 && (value > 0 || tries > 12) && (at == 0 || data[at - 1] == 0)) break;
  }
  return at;
}

// A number becomes another of its kind: a little more or less, a small one, or that of another
// field.
static void change_small(fuzz_noise *noise, uint8_t *data, size_t count) {
  uint8_t *at = data + find_small(noise, data, count);
  const uint32_t kind = fuzz_noise_bits(noise);
  uint32_t value = get_u32(at);
  if (kind >> 30 == 0) value = kind % 16;
  else if (kind >> 30 == 1) value = get_u32(data + find_small(noise, data, count));
  else value += kind % 9 - 4;
  memcpy(at, &value, sizeof value);
}

// Four or eight bytes become a number at which things go wrong.
static void change_field(fuzz_noise *noise, uint8_t *data, size_t count) {
  const uint32_t kind = fuzz_noise_bits(noise) >> 8;
  const uint64_t value = interesting[kind % (sizeof interesting / sizeof interesting[0])];
  const size_t bytes = kind & 0x1000 && count >= 8 ? 8 : 4;
  const size_t at = kind & 0x2000 ? find_small(noise, data, count) : fuzz_noise_bits(noise) % count;
  memcpy(data + at, &value, fov_size_min(bytes, count - at));
}

static void change_bits(fuzz_noise *noise, uint8_t *data, size_t count) {
  data[fuzz_noise_bits(noise) % count] ^= (uint8_t)(1u << (fuzz_noise_bits(noise) >> 29));
}

typedef struct parts {
  uint8_t *data[FOV_COMPILED_SECTIONS];
  size_t count[FOV_COMPILED_SECTIONS];
} parts;

static bool take_apart(const uint8_t *data, size_t size, size_t room, parts *out) {
  if (size < FOV_COMPILED_HEADER_BYTES) return false;
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    const compiled_section section = compiled_section_read(data, i);
    if (section.offset > size || section.bytes > size - section.offset) return false;
  }
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    const compiled_section section = compiled_section_read(data, i);
    out->data[i] = memset(fuzz_allocate(room), 0, room);
    out->count[i] = section.bytes;
    memcpy(out->data[i], data + section.offset, section.bytes);
  }
  return true;
}

// The size of the file, 0 if it does not fit.
static size_t put_together(const parts *parts, uint8_t *data, size_t room) {
  size_t end = FOV_COMPILED_HEADER_BYTES;
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    const size_t offset = fov_size_parts(end, 64) * 64;
    if (offset + parts->count[i] > room) return 0;
    memset(data + end, 0, offset - end);
    memcpy(data + offset, parts->data[i], parts->count[i]);
    compiled_section_write(data, i, (compiled_section){offset, parts->count[i]});
    end = offset + parts->count[i];
  }
  compiled_size_write(data, end);
  compiled_repair(data, end);
  return end;
}

// Most changes go to the graph, and most of them leave its length alone.
static void change_part(fuzz_noise *noise, parts *parts, size_t room) {
  const uint32_t kind = fuzz_noise_bits(noise) >> 4;
  const size_t i = kind % 32 == 0 ? 0 : kind % 32 < 5 ? 2 : 1;
  const size_t changes = (kind >> 8) % 4 == 0 ? 2 : 1;
  for (size_t k = 0; k < changes; k++) {
    const uint32_t way = fuzz_noise_bits(noise) >> 28;
    if (way == 0 || parts->count[i] < 4) {
      parts->count[i] = LLVMFuzzerMutate(parts->data[i], parts->count[i], room);
    } else if (way < 4) {
      change_field(noise, parts->data[i], parts->count[i]);
    } else if (way < 8) {
      change_bits(noise, parts->data[i], parts->count[i]);
    } else {
      change_small(noise, parts->data[i], parts->count[i]);
    }
  }
  if (i == 2) parts->count[2] = fov_size_min(fov_size_parts(parts->count[2], 64) * 64, room);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  fuzz_noise noise = {seed};
  parts parts = {{0}, {0}};
  const size_t room = fov_size_max(size, max_size);
  fuzz_noise_bits(&noise);
  const bool is_raw = fuzz_noise_bits(&noise) >> 28 == 0;
  if (is_raw || !take_apart(data, size, room, &parts)) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (seed & 1) compiled_repair(data, size);
    return size;
  }
  change_part(&noise, &parts, room);
  const size_t together = put_together(&parts, data, max_size);
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) free(parts.data[i]);
  // What has grown too long is cut off.
  return together > 0 ? together : fov_size_min(size, max_size);
}

// MARK: The target

static void check_ports(const fov_model *model) {
  fov_port port;
  for (size_t i = 0; i < fov_model_input_count(model); i++) {
    if (fov_model_input(model, i, &port) != fov_status_ok || !port.name) fuzz_fail("no input");
  }
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    if (fov_model_output(model, i, &port) != fov_status_ok || !port.name) fuzz_fail("no output");
  }
}

static void run(const fov_model *model, uint64_t seed) {
  const bool is_wild = seed % 4 == 3;
  fuzz_session session = fuzz_session_begin(model, seed, is_wild);
  fov_session_run(session.session);
  fov_session_set_confidence_floor(session.session, 0.3f);
  fov_session_run(session.session);
  (void)fuzz_session_digest(session.session, model);
  fuzz_session_check_inputs(session.session, model, seed, is_wild);
  fuzz_session_end(&session);
}

// Whether it was loaded.
static bool load_and_run(const uint8_t *data, size_t size, fov_instruction_set set, uint64_t seed) {
  fov_model_options options = fov_model_options_default();
  fov_diagnostic diagnostic = {""};
  fov_model *model = NULL;
  options.thread_count = 1 + seed % 2;
  options.instruction_set = set;
  const fov_status status = fov_model_load(data, size, &options, &model, &diagnostic);
  if (status != fov_status_ok) {
    if (model || diagnostic.message[0] == 0) fuzz_fail("%s, no reason", fov_status_name(status));
    return false;
  }
  check_ports(model);
  if (getenv("FUZZ_PRINT")) fuzz_model_print(model);
  if (fuzz_model_is_small(model, MOST_SESSION_BYTES, MOST_PRODUCTS)) run(model, seed);
  fov_model_destroy(model);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const void *description = NULL;
  size_t description_bytes = 0;
  uint8_t *copy = fuzz_copy(data, size);
  // What decides about a run follows from the bytes.
  uint64_t seed = size;
  for (size_t i = 0; i < size; i++) seed = seed * 31 + data[i];
  const bool is_loaded = load_and_run(copy, size, fuzz_watched_set(), seed);
  if (seed % 8 < 3) load_and_run(copy, size, fov_instruction_set_scalar, seed);
  if (fov_compiled_description(copy, size, &description, &description_bytes, NULL) ==
      fov_status_ok) {
    free(fuzz_copy(description, description_bytes));
  }
  if (memcmp(copy, data, size) != 0) fuzz_fail("the file has been written to");
  free(copy);
  // Few of those that are refused are worth to be changed further: they would only be refused
  // again.
  return is_loaded || seed % 16 == 0 ? 0 : -1;
}

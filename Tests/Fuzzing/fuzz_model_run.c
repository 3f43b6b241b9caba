// Fovea - running a fuzzed model: within limits, on what a seed says.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_model_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "tensor/fov_tensor.h"

bool fuzz_model_is_small(const fov_model *model, size_t session_bytes, uint64_t products) {
  if (fov_model_memory(model).session_bytes > session_bytes) return false;
  uint64_t sum = 0;
  for (size_t n = 0; n < fov_model_node_count(model); n++) {
    fov_node_information node;
    if (fov_model_node(model, n, &node) != fov_status_ok) fuzz_fail("node %zu is none", n);
    if (node.multiply_accumulates > products) return false;
    sum += node.multiply_accumulates;
  }
  return sum <= products;
}

// MARK: In words

void fuzz_model_print(const fov_model *model) {
  for (size_t n = 0; n < fov_model_node_count(model); n++) {
    fov_node_information node;
    char text[FOV_SHAPE_TEXT];
    if (fov_model_node(model, n, &node) != fov_status_ok) continue;
    fprintf(stderr, "  node %zu: %s \"%s\"%s%s, %s, type %d%s, value %zu\n", n, node.operation,
            node.label, node.activation[0] ? " with " : "", node.activation,
            fov_shape_describe(&node.output, text), (int)node.output_type,
            node.channels_last ? ", channels last" : "", node.value);
  }
}

// MARK: Inputs

static void fill(uint8_t *data, size_t count, fov_data_type type, uint64_t seed, bool is_wild) {
  static const float wild[] = {NAN,   INFINITY, -INFINITY, 3e38f,     -3e38f, 1e-45f,
                               1e30f, -1e20f,   1e9f,      -65536.0f, -0.0f,  255.5f};
  fuzz_noise noise = {seed};
  if (type != fov_data_type_float32) {
    for (size_t i = 0; i < count; i++) data[i] = (uint8_t)(fuzz_noise_bits(&noise) >> 24);
    return;
  }
  for (size_t i = 0; i < count / sizeof(float); i++) {
    const uint32_t chance = fuzz_noise_bits(&noise) >> 20;
    const float tame = fuzz_noise_float(&noise);
    const float value = is_wild && chance % 8 == 0 ? wild[chance / 8 % 12] : tame;
    memcpy(data + i * sizeof value, &value, sizeof value);
  }
}

static void for_inputs(fov_session *session, const fov_model *model, uint64_t seed, bool is_wild,
                       bool checks) {
  for (size_t i = 0; i < fov_model_input_count(model); i++) {
    fov_port port;
    void *data = NULL;
    size_t bytes = 0;
    if (fov_model_input(model, i, &port) != fov_status_ok ||
        fov_session_input(session, i, &data, &bytes) != fov_status_ok) {
      fuzz_fail("input %zu is none", i);
    }
    if (!data) continue;
    if (!checks) {
      fill(data, bytes, port.type, seed + i, is_wild);
      continue;
    }
    uint8_t *expected = fuzz_allocate(bytes);
    fill(expected, bytes, port.type, seed + i, is_wild);
    if (memcmp(expected, data, bytes) != 0) fuzz_fail("a run has changed input %zu", i);
    free(expected);
  }
}

void fuzz_session_write(fov_session *session, const fov_model *model, uint64_t seed, bool is_wild) {
  for_inputs(session, model, seed, is_wild, false);
}

void fuzz_session_check_inputs(fov_session *session, const fov_model *model, uint64_t seed,
                               bool is_wild) {
  for_inputs(session, model, seed, is_wild, true);
}

fuzz_session fuzz_session_begin(const fov_model *model, uint64_t seed, bool is_wild) {
  const size_t bytes = fov_model_memory(model).session_bytes;
  fuzz_session session = {NULL, fuzz_allocate(bytes)};
  // Nobody says that a session's memory is zero.
  memset(session.memory, 0xFF, bytes);
  if (fov_session_create_in(model, NULL, session.memory, bytes, &session.session) !=
      fov_status_ok) {
    fuzz_fail("no session in %zu bytes", bytes);
  }
  fuzz_session_write(session.session, model, seed, is_wild);
  return session;
}

void fuzz_session_end(fuzz_session *session) {
  fov_session_destroy(session->session);
  free(session->memory);
}

// MARK: Outputs

uint64_t fuzz_session_digest(fov_session *session, const fov_model *model) {
  uint64_t digest = 0;
  for (size_t i = 0; i < fov_model_output_count(model); i++) {
    const void *data = NULL;
    size_t bytes = 0;
    if (fov_session_output(session, i, &data, &bytes) != fov_status_ok) {
      fuzz_fail("output %zu is none", i);
    }
    if (!data) fuzz_fail("output %zu has no memory", i);
    for (size_t k = 0; k < bytes / sizeof(float); k++) {
      uint32_t bits;
      memcpy(&bits, (const uint8_t *)data + k * sizeof bits, sizeof bits);
      if ((bits & 0x7FFFFFFF) > 0x7F800000) bits = 0x7FC00000;
      digest = (digest ^ bits) * 0x100000001B3;
    }
  }
  return digest;
}

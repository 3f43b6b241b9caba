// Fovea - running a fuzzed model: within limits, on what a seed says.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_MODEL_RUN_H
#define FUZZ_MODEL_RUN_H

#include "fovea/core/fov_core.h"

// Whether a session fits into so many bytes and a run takes at most so many products.
bool fuzz_model_is_small(const fov_model *model, size_t session_bytes, uint64_t products);

// Its nodes in words, on standard error; targets do so when FUZZ_PRINT is in the environment.
void fuzz_model_print(const fov_model *model);

// A session in memory of exactly its size, its inputs written: bytes of any value, floats of
// magnitudes up to 1, or with is_wild some of any. The caller destroys the session and frees the
// memory.
typedef struct fuzz_session {
  fov_session *session;
  void *memory;
} fuzz_session;

fuzz_session fuzz_session_begin(const fov_model *model, uint64_t seed, bool is_wild);
void fuzz_session_end(fuzz_session *session);

// Writes the inputs of fuzz_session_begin again, or checks that they are as they were.
void fuzz_session_write(fov_session *session, const fov_model *model, uint64_t seed, bool is_wild);
void fuzz_session_check_inputs(fov_session *session, const fov_model *model, uint64_t seed,
                               bool is_wild);

// Reads every byte of every output, so that a sanitizer looks at them; a digest of their numbers,
// in which all not-a-numbers are one.
uint64_t fuzz_session_digest(fov_session *session, const fov_model *model);

#endif

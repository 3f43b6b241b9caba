// Fovea - readers on systems without Linux's means: none starts.
// SPDX-License-Identifier: Apache-2.0
#include "fov_reader.h"

#if !defined(__linux__)

void fov_reader_serve(const fov_reader_kind *kind) { (void)kind; }

fov_reader_status fov_reader_start(const fov_reader_kind *kind, fov_reader **out_reader) {
  (void)kind;
  *out_reader = 0;
  return fov_reader_status_cannot_start;
}

fov_reader_status fov_reader_ask(fov_reader *reader, const fov_reader_question *question,
                                 int milliseconds, const uint8_t **out_answer, size_t *out_bytes) {
  (void)reader, (void)question, (void)milliseconds;
  *out_answer = 0;
  *out_bytes = 0;
  return fov_reader_status_gone;
}

void fov_reader_forget(fov_reader *reader) { (void)reader; }

void fov_reader_stop(fov_reader *reader) { (void)reader; }

int fov_reader_process(const fov_reader *reader) {
  (void)reader;
  return 0;
}

#endif

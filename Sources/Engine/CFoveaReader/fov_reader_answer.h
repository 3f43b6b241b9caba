// Fovea - an answer of a reader, while it is written.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_READER_ANSWER_H
#define FOV_READER_ANSWER_H

#include "fov_reader.h"

// What a process that waits may hold of a long question or answer.
enum { fov_reader_kept_bytes = 1 << 20 };

// The longest answer to a question that says `stated`.
size_t fov_answer_bytes_max(size_t stated);

struct fov_reader_answer {
  uint8_t *bytes;  // owned
  size_t count, capacity;
  size_t bytes_max;
  bool failed;
};

#endif

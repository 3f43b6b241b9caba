// Fovea - an answer of a reader, while it is written.
// SPDX-License-Identifier: Apache-2.0
#include "fov_reader_answer.h"

#include <stdlib.h>
#include <string.h>

size_t fov_answer_bytes_max(size_t stated) {
  return stated == 0 ? FOV_READER_ANSWER_BYTES_MAX : stated;
}

uint8_t *fov_reader_extend(fov_reader_answer *answer, size_t count) {
  if (answer->failed || count > answer->bytes_max - answer->count) {
    answer->failed = true;
    return NULL;
  }
  const size_t needed = answer->count + count;
  if (needed > answer->capacity) {
    // What is appended bit by bit grows by doubling.
    const size_t capacity = count <= fov_reader_kept_bytes ? 2 * needed : needed;
    uint8_t *larger = realloc(answer->bytes, capacity);
    if (larger == NULL) {
      answer->failed = true;
      return NULL;
    }
    answer->bytes = larger;
    answer->capacity = capacity;
  }
  answer->count = needed;
  return answer->bytes + needed - count;
}

void fov_reader_append(fov_reader_answer *answer, const void *bytes, size_t count) {
  if (count == 0) return;
  uint8_t *place = fov_reader_extend(answer, count);
  if (place != NULL) memcpy(place, bytes, count);
}

// Fovea - the core's door to the heap while it is fuzzed: no byte to spare, and never very much.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"

// Stands in for CSources/base/fov_alloc.c, which rounds sizes up to whole cache lines: a sanitizer
// would not see what reaches a few bytes too far. What is larger than this is refused, as on a
// machine that has no more; nothing that is fuzzed needs as much.
#define MOST_BYTES ((size_t)64 << 20)

void *fov_allocate(size_t bytes) {
  void *memory = NULL;
  if (bytes > MOST_BYTES) return NULL;
  if (posix_memalign(&memory, FOV_ALIGNMENT, bytes ? bytes : 1) != 0) return NULL;
  memset(memory, 0, bytes);
  return memory;
}

void fov_release(void *memory) { free(memory); }

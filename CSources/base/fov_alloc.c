// Fovea - aligned, zeroed memory.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"

void *fov_allocate(size_t bytes) {
  size_t rounded;
  if (!fov_size_align(bytes ? bytes : 1, &rounded)) return NULL;
  void *memory = aligned_alloc(FOV_ALIGNMENT, rounded);
  if (memory) memset(memory, 0, rounded);
  return memory;
}

void fov_release(void *memory) { free(memory); }

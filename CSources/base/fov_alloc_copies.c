// Fovea - memory for arrays and copies, from fov_alloc.c, which tests replace.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"

#include <string.h>

#include "base/fov_size.h"

void *fov_allocate_array(size_t count, size_t size) {
  size_t bytes;
  return fov_size_multiply(count, size, &bytes) ? fov_allocate(bytes) : NULL;
}

void *fov_allocate_copy(const void *source, size_t bytes) {
  void *memory = fov_allocate(bytes);
  if (memory && bytes) memcpy(memory, source, bytes);
  return memory;
}

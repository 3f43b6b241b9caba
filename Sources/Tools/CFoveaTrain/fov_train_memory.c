// Fovea - memory of training.
// SPDX-License-Identifier: Apache-2.0
#include "fov_train_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

void *fov_train_allocate(size_t count, size_t bytes) {
  if (bytes > 0 && count > (SIZE_MAX - ALIGNMENT) / bytes) return NULL;
  const size_t size = (count * bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, size);
  if (memory) memset(memory, 0, size);
  return memory;
}

void *fov_train_copy(const void *elements, size_t count, size_t bytes) {
  void *memory = fov_train_allocate(count, bytes);
  if (memory && count > 0) memcpy(memory, elements, count * bytes);
  return memory;
}

void *fov_train_grow(void *elements, size_t *capacity, size_t needed, size_t bytes) {
  if (needed <= *capacity) return elements;
  const size_t larger = needed < 8 ? 8 : needed * 2;
  void *memory = fov_train_allocate(larger, bytes);
  if (!memory) return NULL;
  if (*capacity > 0) memcpy(memory, elements, *capacity * bytes);
  free(elements);
  *capacity = larger;
  return memory;
}

void fov_train_release(void *memory) { free(memory); }

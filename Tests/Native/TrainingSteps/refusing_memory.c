// Fovea - memory of training that is refused at a chosen request.
// SPDX-License-Identifier: Apache-2.0
#include "refusing_memory.h"

#include <stdlib.h>
#include <string.h>

#include "fov_train_memory.h"

static size_t refused_request, requests, live;

void refusing_memory_begin(size_t refused) {
  refused_request = refused;
  requests = 0;
}

size_t refusing_memory_requests(void) { return requests; }
size_t refusing_memory_live(void) { return live; }

void *fov_train_allocate(size_t count, size_t bytes) {
  if (++requests == refused_request) return NULL;
  const size_t size = (count * bytes + 64) / 64 * 64;
  void *memory = aligned_alloc(64, size);
  if (!memory) return NULL;
  memset(memory, 0, size);
  live++;
  return memory;
}

void *fov_train_copy(const void *elements, size_t count, size_t bytes) {
  void *memory = fov_train_allocate(count, bytes);
  if (memory && count > 0) memcpy(memory, elements, count * bytes);
  return memory;
}

void *fov_train_grow(void *elements, size_t *capacity, size_t needed, size_t bytes) {
  if (needed <= *capacity) return elements;
  void *memory = fov_train_allocate(needed * 2, bytes);
  if (!memory) return NULL;
  if (*capacity > 0) memcpy(memory, elements, *capacity * bytes);
  fov_train_release(elements);
  *capacity = needed * 2;
  return memory;
}

void fov_train_release(void *memory) {
  if (memory) live--;
  free(memory);
}

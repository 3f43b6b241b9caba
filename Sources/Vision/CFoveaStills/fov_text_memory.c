// Fovea - the memory for looking for text.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_memory.h"

#include <stdlib.h>

void *fov_text_new(size_t bytes) { return malloc(bytes); }

void *fov_text_zeroed(size_t count, size_t bytes) { return calloc(count, bytes); }

void *fov_text_resized(void *memory, size_t bytes) { return realloc(memory, bytes); }

void fov_text_delete(void *memory) { free(memory); }

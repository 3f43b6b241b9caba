// Fovea - the memory for looking for text.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_MEMORY_H
#define FOV_TEXT_MEMORY_H

#include <stddef.h>

// As malloc, calloc, realloc and free.
void *fov_text_new(size_t bytes);
void *fov_text_zeroed(size_t count, size_t bytes);
void *fov_text_resized(void *memory, size_t bytes);
void fov_text_delete(void *memory);

#endif

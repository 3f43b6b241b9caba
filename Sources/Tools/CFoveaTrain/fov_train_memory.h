// Fovea - memory of training: all of it is allocated here.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_MEMORY_H
#define FOV_TRAIN_MEMORY_H

#include <stddef.h>

#define FOV_TRAIN_HIDDEN __attribute__((visibility("hidden")))

// Zeroed memory for count elements, aligned to 64 bytes; NULL when there is none. No elements give
// a valid pointer.
FOV_TRAIN_HIDDEN void *fov_train_allocate(size_t count, size_t bytes);

// A copy of count elements; NULL when there is no memory.
FOV_TRAIN_HIDDEN void *fov_train_copy(const void *elements, size_t count, size_t bytes);

// Room for `needed` elements in an array of *capacity; NULL when there is no memory: the array is
// then as it was.
FOV_TRAIN_HIDDEN void *fov_train_grow(void *elements, size_t *capacity, size_t needed,
                                      size_t bytes);

// NULL is allowed.
FOV_TRAIN_HIDDEN void fov_train_release(void *memory);

#endif

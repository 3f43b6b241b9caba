// Fovea - memory of the heap: all of the core allocates here.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ALLOC_H
#define FOV_ALLOC_H

#include <stddef.h>

#include "base/fov_error.h"

// Memory aligned to FOV_ALIGNMENT, zeroed. NULL when there is none; 0 bytes give a valid pointer.
FOV_INTERNAL void *fov_allocate(size_t bytes);

// The same for count elements of size bytes; NULL also when the product overflows.
FOV_INTERNAL void *fov_allocate_array(size_t count, size_t size);

// A copy of bytes; NULL when there is no memory.
FOV_INTERNAL void *fov_allocate_copy(const void *source, size_t bytes);

// NULL is allowed.
FOV_INTERNAL void fov_release(void *memory);

#endif

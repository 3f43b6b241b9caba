// Fovea - arrays that grow.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GROW_H
#define FOV_GROW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fov_error.h"

// Makes room for one more element of an array that fov_release frees. false without memory; then
// nothing has changed.
FOV_INTERNAL bool fov_grow(void **elements, size_t count, size_t *capacity, size_t element_bytes);

// A copy of a string that fov_release frees; NULL without memory.
FOV_INTERNAL char *fov_copy_text(const char *text);

#endif

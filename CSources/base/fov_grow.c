// Fovea - doubling arrays.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_grow.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"

bool fov_grow(void **elements, size_t count, size_t *capacity, size_t element_bytes) {
  if (count < *capacity) return true;
  size_t doubled;
  if (!fov_size_multiply(*capacity, 2, &doubled)) return false;
  doubled = fov_size_max(doubled, 8);
  void *larger = fov_allocate_array(doubled, element_bytes);
  if (!larger) return false;
  if (count) memcpy(larger, *elements, count * element_bytes);
  fov_release(*elements);
  *elements = larger;
  *capacity = doubled;
  return true;
}

char *fov_copy_text(const char *text) { return fov_allocate_copy(text, strlen(text) + 1); }

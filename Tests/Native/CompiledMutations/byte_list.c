// Fovea - bytes that become more.
// SPDX-License-Identifier: Apache-2.0
#include "byte_list.h"

#include <stdlib.h>
#include <string.h>

bool byte_list_append(void *context, const void *bytes, size_t count) {
  byte_list *list = context;
  if (count > list->capacity - list->count) {
    const size_t capacity = 2 * (list->count + count);
    uint8_t *larger = realloc(list->bytes, capacity);
    if (!larger) return false;
    list->bytes = larger;
    list->capacity = capacity;
  }
  if (count) memcpy(list->bytes + list->count, bytes, count);
  list->count += count;
  return true;
}

// Fovea - bytes that become more.
// SPDX-License-Identifier: Apache-2.0
#include "byte_list.h"

#include <stdio.h>
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

bool byte_list_read(const char *path, byte_list *list) {
  FILE *file = fopen(path, "rb");
  uint8_t buffer[32768];
  size_t count;
  if (!file) return false;
  bool is_read = true;
  while (is_read && (count = fread(buffer, 1, sizeof buffer, file)) > 0) {
    is_read = byte_list_append(list, buffer, count);
  }
  is_read = is_read && !ferror(file);
  fclose(file);
  return is_read;
}

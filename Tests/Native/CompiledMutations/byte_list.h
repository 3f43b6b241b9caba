// Fovea - bytes that become more: what fov_model_save writes into.
// SPDX-License-Identifier: Apache-2.0
#ifndef BYTE_LIST_H
#define BYTE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whoever made it frees `bytes`.
typedef struct byte_list {
  uint8_t *bytes;
  size_t count, capacity;
} byte_list;

// A fov_compiled_write whose context is a list. false without memory; then the list is as it was.
bool byte_list_append(void *list, const void *bytes, size_t count);

// Appends a whole file. false where it cannot be read, or without memory.
bool byte_list_read(const char *path, byte_list *list);

#endif

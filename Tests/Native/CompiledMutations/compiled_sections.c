// Fovea - the sections of a compiled file's bytes, and their checksums.
// SPDX-License-Identifier: Apache-2.0
#include "compiled_sections.h"

#include "base/fov_checksum.h"
#include "compiled/fov_compiled_layout.h"

static void put_u64(uint8_t *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_u64(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

#define SECTION(index) (32 + 32 * (index))

compiled_section compiled_section_read(const uint8_t *file, size_t index) {
  const uint8_t *entry = file + SECTION(index);
  return (compiled_section){.offset = get_u64(entry + 8), .bytes = get_u64(entry + 16)};
}

void compiled_section_write(uint8_t *file, size_t index, compiled_section section) {
  put_u64(file + SECTION(index) + 8, section.offset);
  put_u64(file + SECTION(index) + 16, section.bytes);
}

void compiled_size_write(uint8_t *file, uint64_t bytes) { put_u64(file + 16, bytes); }

void compiled_repair(uint8_t *file, size_t count) {
  if (count < FOV_COMPILED_HEADER_BYTES) return;
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    const compiled_section section = compiled_section_read(file, i);
    if (section.offset > count || section.bytes > count - section.offset) continue;
    put_u64(file + SECTION(i) + 24, fov_checksum_of(file + section.offset, section.bytes));
  }
  put_u64(file + 24, 0);
  put_u64(file + 24, fov_checksum_of(file, FOV_COMPILED_HEADER_BYTES));
}

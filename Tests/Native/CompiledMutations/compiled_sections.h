// Fovea - the sections of a compiled file's bytes, and their checksums.
// SPDX-License-Identifier: Apache-2.0
#ifndef COMPILED_SECTIONS_H
#define COMPILED_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

// What the header says of a section; nobody has checked it.
typedef struct compiled_section {
  uint64_t offset, bytes;
} compiled_section;

// Section 0 (description), 1 (graph) or 2 (weights) of a file with a whole header.
compiled_section compiled_section_read(const uint8_t *file, size_t index);
void compiled_section_write(uint8_t *file, size_t index, compiled_section section);

// The size of the file that the header claims.
void compiled_size_write(uint8_t *file, uint64_t bytes);

// Makes every checksum right again.
void compiled_repair(uint8_t *file, size_t count);

#endif

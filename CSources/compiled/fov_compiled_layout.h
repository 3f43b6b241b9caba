// Fovea - header and sections of a compiled file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_COMPILED_LAYOUT_H
#define FOV_COMPILED_LAYOUT_H

#include "base/fov_archive.h"
#include "base/fov_error.h"

// fov_compiled.h draws the file.
#define FOV_COMPILED_MAGIC "FOVEA\r\n\x1a"
#define FOV_COMPILED_MAGIC_BYTES 8
#define FOV_COMPILED_HEADER_BYTES 128
#define FOV_COMPILED_SECTIONS 3

typedef enum fov_section_kind {
  fov_section_description = 1,
  fov_section_graph = 2,
  fov_section_weights = 3,
} fov_section_kind;

typedef struct fov_section {
  uint32_t kind;
  size_t offset, bytes;
  uint64_t checksum;
} fov_section;

typedef struct fov_compiled_header {
  uint32_t version, section_count;
  size_t file_bytes;
  uint64_t checksum;                            // of the header itself, where this field is 0
  fov_section sections[FOV_COMPILED_SECTIONS];  // kind k at k - 1
} fov_compiled_header;

// The fields behind the magic.
FOV_INTERNAL void fov_compiled_archive_header(fov_archive *archive, fov_compiled_header *header);

// Where the section behind `end` begins; false when that overflows.
FOV_INTERNAL bool fov_compiled_next_section(size_t end, size_t *out_offset);

// Reads the header of a file of `count` bytes and checks all that it says, but no section's
// checksum.
FOV_INTERNAL fov_status fov_compiled_read_header(const void *bytes, size_t count,
                                                 fov_compiled_header *out_header,
                                                 fov_diagnostic *diagnostic);

// Checks the bytes of one section against its checksum.
FOV_INTERNAL fov_status fov_compiled_check_section(const void *bytes, const fov_section *section,
                                                   fov_diagnostic *diagnostic);

#endif

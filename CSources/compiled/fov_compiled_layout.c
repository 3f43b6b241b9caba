// Fovea - header and sections of a compiled file.
// SPDX-License-Identifier: Apache-2.0
#include "compiled/fov_compiled_layout.h"

#include <string.h>

#include "base/fov_checksum.h"
#include "base/fov_size.h"
#include "fovea/core/fov_compiled.h"

#define CHECKSUM_OFFSET 24

bool fov_compiled_is_one(const void *bytes, size_t count) {
  return count >= FOV_COMPILED_MAGIC_BYTES &&
         memcmp(bytes, FOV_COMPILED_MAGIC, FOV_COMPILED_MAGIC_BYTES) == 0;
}

static void archive_section(fov_archive *archive, fov_section *section) {
  uint32_t nothing = 0;
  fov_archive_u32(archive, &section->kind);
  fov_archive_choice(archive, &nothing, 0);
  fov_archive_size(archive, &section->offset);
  fov_archive_size(archive, &section->bytes);
  fov_archive_u64(archive, &section->checksum);
}

void fov_compiled_archive_header(fov_archive *archive, fov_compiled_header *header) {
  fov_archive_u32(archive, &header->version);
  fov_archive_u32(archive, &header->section_count);
  fov_archive_size(archive, &header->file_bytes);
  fov_archive_u64(archive, &header->checksum);
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    archive_section(archive, &header->sections[i]);
  }
}

bool fov_compiled_next_section(size_t end, size_t *out_offset) {
  return fov_size_align(end, out_offset);
}

// MARK: checks

static fov_status damaged(fov_diagnostic *diagnostic, const char *what) {
  return fov_fail(diagnostic, fov_status_invalid_file,
                  "%s; the file is damaged: copy it or compile the model again", what);
}

// The checksum counts its own field as zeros.
static uint64_t header_checksum(const uint8_t *bytes) {
  uint8_t copy[FOV_COMPILED_HEADER_BYTES];
  memcpy(copy, bytes, sizeof copy);
  memset(copy + CHECKSUM_OFFSET, 0, sizeof(uint64_t));
  return fov_checksum_of(copy, sizeof copy);
}

static bool is_zero(const uint8_t *bytes, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

// Sections in order, one behind the other, and nothing but zeros between them.
static fov_status check_sections(const fov_compiled_header *header, const uint8_t *bytes,
                                 fov_diagnostic *diagnostic) {
  size_t end = FOV_COMPILED_HEADER_BYTES;
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    const fov_section *section = &header->sections[i];
    size_t offset;
    if (section->kind != i + 1 || !fov_compiled_next_section(end, &offset) ||
        section->offset != offset || offset > header->file_bytes ||
        section->bytes > header->file_bytes - offset) {
      return damaged(diagnostic, "a section is not where it belongs");
    }
    if (!is_zero(bytes, end, offset)) {
      return damaged(diagnostic, "there are bytes between the sections");
    }
    end = offset + section->bytes;
  }
  return end == header->file_bytes ? fov_status_ok
                                   : damaged(diagnostic, "there are bytes behind the sections");
}

fov_status fov_compiled_read_header(const void *bytes, size_t count,
                                    fov_compiled_header *out_header, fov_diagnostic *diagnostic) {
  if (!fov_compiled_is_one(bytes, count)) {
    return fov_fail(diagnostic, fov_status_invalid_file, "the bytes are no compiled model");
  }
  if (count < FOV_COMPILED_HEADER_BYTES) return damaged(diagnostic, "the header is cut off");
  fov_archive archive =
      fov_archive_reader((const uint8_t *)bytes + FOV_COMPILED_MAGIC_BYTES,
                         FOV_COMPILED_HEADER_BYTES - FOV_COMPILED_MAGIC_BYTES, NULL, 0, NULL);
  fov_compiled_header header = {0};
  fov_compiled_archive_header(&archive, &header);
  if (header.version != FOV_COMPILED_VERSION) {
    return fov_fail(diagnostic, fov_status_invalid_file,
                    "a compiled model of version %u; this library reads version %d: compile the "
                    "original again",
                    header.version, FOV_COMPILED_VERSION);
  }
  if (archive.status != fov_status_ok || header.section_count != FOV_COMPILED_SECTIONS ||
      header.checksum != header_checksum(bytes)) {
    return damaged(diagnostic, "the header does not match its checksum");
  }
  if (header.file_bytes != count) {
    return fov_fail(diagnostic, fov_status_invalid_file,
                    "%zu bytes of a compiled model of %zu; the file is damaged: copy it or compile "
                    "the model again",
                    count, header.file_bytes);
  }
  FOV_FORWARD(check_sections(&header, bytes, diagnostic));
  *out_header = header;
  return fov_status_ok;
}

fov_status fov_compiled_check_section(const void *bytes, const fov_section *section,
                                      fov_diagnostic *diagnostic) {
  const uint8_t *from = (const uint8_t *)bytes + section->offset;
  if (fov_checksum_of(from, section->bytes) == section->checksum) return fov_status_ok;
  return damaged(diagnostic, "a section does not match its checksum");
}

fov_status fov_compiled_description(const void *bytes, size_t count, const void **out_description,
                                    size_t *out_description_bytes, fov_diagnostic *diagnostic) {
  fov_compiled_header header;
  *out_description = NULL;
  *out_description_bytes = 0;
  FOV_FORWARD(fov_compiled_read_header(bytes, count, &header, diagnostic));
  const fov_section *section = &header.sections[fov_section_description - 1];
  FOV_FORWARD(fov_compiled_check_section(bytes, section, diagnostic));
  *out_description = (const uint8_t *)bytes + section->offset;
  *out_description_bytes = section->bytes;
  return fov_status_ok;
}

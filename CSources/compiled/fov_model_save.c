// Fovea - writing a finished model to a compiled file.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_checksum.h"
#include "base/fov_size.h"
#include "compiled/fov_compiled_layout.h"
#include "compiled/fov_graph_archive.h"
#include "fovea/core/fov_compiled.h"
#include "session/fov_model_types.h"

typedef struct saving {
  const fov_archive *archive;  // of the graph, with the weights it names
  const void *description;
  size_t description_bytes;
  fov_compiled_write write;
  void *context;
} saving;

static const uint8_t zeros[FOV_ALIGNMENT];

// MARK: the header

// Arrays with the zeros that fill them up to a multiple of 64.
static uint64_t weights_checksum(const fov_archive *archive) {
  fov_checksum checksum;
  fov_checksum_begin(&checksum);
  for (size_t i = 0; i < archive->block_count; i++) {
    const fov_archive_block *block = &archive->list[i];
    const size_t rest = block->bytes % FOV_ALIGNMENT;
    fov_checksum_add(&checksum, block->data, block->bytes);
    if (rest > 0) checksum.count += FOV_ALIGNMENT - rest;
  }
  return fov_checksum_finish(&checksum);
}

static bool lay_out(const saving *saving, fov_compiled_header *header) {
  const fov_archive *archive = saving->archive;
  size_t end = FOV_COMPILED_HEADER_BYTES;
  fov_section *sections = header->sections;
  sections[0].bytes = saving->description_bytes;
  sections[1].bytes = archive->position;
  if (!fov_size_align(archive->block_position, &sections[2].bytes)) return false;
  for (uint32_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    sections[i].kind = i + 1;
    if (!fov_compiled_next_section(end, &sections[i].offset) ||
        !fov_size_add(sections[i].offset, sections[i].bytes, &end)) {
      return false;
    }
  }
  header->file_bytes = end;
  sections[0].checksum = fov_checksum_of(saving->description, saving->description_bytes);
  sections[1].checksum = fov_checksum_of(archive->fields, archive->position);
  sections[2].checksum = weights_checksum(archive);
  return true;
}

static fov_status make_header(const fov_compiled_header *header,
                              uint8_t out_bytes[FOV_COMPILED_HEADER_BYTES]) {
  fov_archive archive = fov_archive_writer(NULL);
  fov_compiled_header copy = *header;
  fov_compiled_archive_header(&archive, &copy);
  const fov_status status = archive.status;
  if (status == fov_status_ok) {
    memcpy(out_bytes, FOV_COMPILED_MAGIC, FOV_COMPILED_MAGIC_BYTES);
    memcpy(out_bytes + FOV_COMPILED_MAGIC_BYTES, archive.fields, archive.position);
  }
  fov_archive_release(&archive);
  return status;
}

// MARK: writing

static bool put(const saving *saving, const void *bytes, size_t count) {
  return count == 0 || saving->write(saving->context, bytes, count);
}

// Bytes, and zeros up to the next multiple of 64.
static bool put_padded(const saving *saving, const void *bytes, size_t count) {
  const size_t rest = count % FOV_ALIGNMENT;
  return put(saving, bytes, count) && (rest == 0 || put(saving, zeros, FOV_ALIGNMENT - rest));
}

static bool put_all(const saving *saving, const uint8_t *header) {
  const fov_archive *archive = saving->archive;
  bool done = put(saving, header, FOV_COMPILED_HEADER_BYTES) &&
              put_padded(saving, saving->description, saving->description_bytes) &&
              put_padded(saving, archive->fields, archive->position);
  for (size_t i = 0; done && i < archive->block_count; i++) {
    done = put_padded(saving, archive->list[i].data, archive->list[i].bytes);
  }
  return done;
}

static fov_status save(const saving *saving, fov_diagnostic *diagnostic) {
  fov_compiled_header header = {.version = FOV_COMPILED_VERSION,
                                .section_count = FOV_COMPILED_SECTIONS};
  uint8_t bytes[FOV_COMPILED_HEADER_BYTES];
  if (!lay_out(saving, &header)) {
    return fov_fail(diagnostic, fov_status_overflow, "the size of a compiled model overflows");
  }
  fov_status status = make_header(&header, bytes);
  if (status == fov_status_ok) {
    header.checksum = fov_checksum_of(bytes, sizeof bytes);
    status = make_header(&header, bytes);
  }
  if (status != fov_status_ok) return fov_fail(diagnostic, status, "no memory for a header");
  if (put_all(saving, bytes)) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_write_failure, "the compiled model could not be written");
}

// The backend, then the graph.
static fov_status write_fields(const fov_model *model, fov_archive *archive) {
  uint32_t backend = (uint32_t)model->options.backend;
  fov_archive_u32(archive, &backend);
  FOV_FORWARD(archive->status);
  return fov_graph_write(model->graph, archive);
}

fov_status fov_model_save(const fov_model *model, const void *description, size_t description_bytes,
                          fov_compiled_write write, void *context, fov_diagnostic *diagnostic) {
  const fov_backend backend = model->options.backend;
  if (backend != fov_backend_float32 && backend != fov_backend_int8) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "models of the backends float32 and int8 are compiled, others are not");
  }
  if (model->options.records_ranges) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "a model that measures ranges is for calibration, not for compiling");
  }
  fov_archive archive = fov_archive_writer(diagnostic);
  fov_status status = write_fields(model, &archive);
  if (status == fov_status_ok) {
    const saving saving = {
        .archive = &archive,
        .description = description ? description : zeros,
        .description_bytes = description ? description_bytes : 0,
        .write = write,
        .context = context,
    };
    status = save(&saving, diagnostic);
  }
  fov_archive_release(&archive);
  return status;
}

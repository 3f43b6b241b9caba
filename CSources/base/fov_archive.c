// Fovea - fields that are written to a file and read back by the same function.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_archive.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_grow.h"
#include "base/fov_size.h"

fov_archive fov_archive_writer(fov_diagnostic *diagnostic) {
  return (fov_archive){.writes = true, .diagnostic = diagnostic};
}

fov_archive fov_archive_reader(const uint8_t *fields, size_t field_bytes, const uint8_t *blocks,
                               size_t block_bytes, fov_diagnostic *diagnostic) {
  return (fov_archive){
      .diagnostic = diagnostic,
      .fields = (uint8_t *)fields,  // read only: `writes` is false
      .field_bytes = field_bytes,
      .blocks = blocks,
      .block_bytes = block_bytes,
  };
}

void fov_archive_release(fov_archive *archive) {
  if (!archive->writes) return;
  fov_release(archive->fields);
  fov_release(archive->list);
}

void fov_archive_fail(fov_archive *archive, fov_status status, const char *message) {
  if (archive->status != fov_status_ok) return;
  archive->status = fov_fail(archive->diagnostic, status, "%s", message);
}

static void fail_at_end(fov_archive *archive) {
  fov_archive_fail(archive, fov_status_invalid_file, "a part of the file ends too early");
}

static void fail_without_memory(fov_archive *archive) {
  fov_archive_fail(archive, fov_status_out_of_memory, "no memory for a compiled model");
}

void fov_archive_end(fov_archive *archive) {
  if (!fov_archive_reads(archive)) return;
  size_t blocks;
  if (archive->position != archive->field_bytes ||
      !fov_size_align(archive->block_position, &blocks) || blocks != archive->block_bytes) {
    fov_archive_fail(archive, fov_status_invalid_file,
                     "a part of the file has bytes behind its end");
  }
}

// MARK: numbers

// Room for `count` more bytes, doubled as often as it takes.
static bool make_room(fov_archive *archive, size_t count) {
  size_t needed;
  if (!fov_size_add(archive->position, count, &needed)) return false;
  if (needed <= archive->field_bytes) return true;
  const size_t bytes = fov_size_max(fov_size_max(needed, 4096), archive->field_bytes * 2);
  uint8_t *larger = fov_allocate(bytes);
  if (!larger) return false;
  if (archive->position > 0) memcpy(larger, archive->fields, archive->position);
  fov_release(archive->fields);
  archive->fields = larger;
  archive->field_bytes = bytes;
  return true;
}

// The place of the next `count` bytes, which are passed over; NULL after a failure.
static uint8_t *take(fov_archive *archive, size_t count) {
  if (archive->status != fov_status_ok) return NULL;
  if (archive->writes) {
    if (!make_room(archive, count)) {
      fail_without_memory(archive);
      return NULL;
    }
  } else if (archive->field_bytes - archive->position < count) {
    fail_at_end(archive);
    return NULL;
  }
  uint8_t *at = archive->fields + archive->position;
  archive->position += count;
  return at;
}

// The lowest `count` bytes of a number, least significant first.
static void number(fov_archive *archive, uint64_t *value, size_t count) {
  uint8_t *at = take(archive, count);
  if (archive->writes) {
    for (size_t i = 0; at && i < count; i++) at[i] = (uint8_t)(*value >> (8 * i));
    return;
  }
  *value = 0;
  for (size_t i = 0; at && i < count; i++) *value |= (uint64_t)at[i] << (8 * i);
}

void fov_archive_u32(fov_archive *archive, uint32_t *value) {
  uint64_t bits = *value;
  number(archive, &bits, 4);
  *value = (uint32_t)bits;
}

void fov_archive_i32(fov_archive *archive, int32_t *value) {
  uint32_t bits;
  memcpy(&bits, value, sizeof bits);
  fov_archive_u32(archive, &bits);
  memcpy(value, &bits, sizeof bits);
}

void fov_archive_u64(fov_archive *archive, uint64_t *value) { number(archive, value, 8); }

void fov_archive_i64(fov_archive *archive, int64_t *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  number(archive, &bits, 8);
  memcpy(value, &bits, sizeof bits);
}

void fov_archive_size(fov_archive *archive, size_t *value) {
  uint64_t bits = *value;
  number(archive, &bits, 8);
  if (bits > SIZE_MAX) {
    fov_archive_fail(archive, fov_status_overflow, "a size in the file does not fit this machine");
    bits = 0;
  }
  *value = (size_t)bits;
}

void fov_archive_sizes(fov_archive *archive, size_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) fov_archive_size(archive, &values[i]);
}

void fov_archive_f32(fov_archive *archive, float *value) {
  uint32_t bits;
  memcpy(&bits, value, sizeof bits);
  fov_archive_u32(archive, &bits);
  memcpy(value, &bits, sizeof bits);
}

void fov_archive_f64(fov_archive *archive, double *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  number(archive, &bits, 8);
  memcpy(value, &bits, sizeof bits);
}

void fov_archive_choice(fov_archive *archive, uint32_t *value, uint32_t greatest) {
  fov_archive_u32(archive, value);
  if (*value <= greatest) return;
  fov_archive_fail(archive, fov_status_invalid_file, "a number in the file is outside its range");
  *value = 0;
}

void fov_archive_bool(fov_archive *archive, bool *value) {
  uint32_t bits = *value;
  fov_archive_choice(archive, &bits, 1);
  *value = bits != 0;
}

void fov_archive_shape(fov_archive *archive, fov_shape *shape) {
  uint32_t rank = (uint32_t)shape->rank;
  fov_archive_choice(archive, &rank, FOV_MAX_RANK);
  shape->rank = rank;
  fov_archive_sizes(archive, shape->dims, rank);
}

void fov_archive_text(fov_archive *archive, char **text) {
  uint32_t count = archive->writes ? (uint32_t)fov_size_min(strlen(*text), UINT32_MAX) : 0;
  fov_archive_choice(archive, &count, FOV_ARCHIVE_TEXT);
  uint8_t *at = take(archive, count);
  if (archive->writes) {
    if (at) memcpy(at, *text, count);
    return;
  }
  *text = NULL;
  if (!at) return;
  if (memchr(at, 0, count)) {
    fov_archive_fail(archive, fov_status_invalid_file, "a name in the file has a zero byte");
    return;
  }
  *text = fov_allocate((size_t)count + 1);
  if (!*text) {
    fail_without_memory(archive);
    return;
  }
  memcpy(*text, at, count);
}

// MARK: blocks

static bool begin_block(fov_archive *archive, size_t bytes) {
  size_t begin, end;
  if (!fov_size_align(archive->block_position, &begin) || !fov_size_add(begin, bytes, &end)) {
    fov_archive_fail(archive, fov_status_overflow, "the size of an array overflows");
    return false;
  }
  if (!archive->writes && end > archive->block_bytes) {
    fail_at_end(archive);
    return false;
  }
  archive->block_position = end;
  return true;
}

static void append_block(fov_archive *archive, const void *data, size_t bytes) {
  if (!fov_grow((void **)&archive->list, archive->block_count, &archive->block_capacity,
                sizeof *archive->list)) {
    fail_without_memory(archive);
    return;
  }
  archive->list[archive->block_count++] = (fov_archive_block){.data = data, .bytes = bytes};
}

void fov_archive_block_in_place(fov_archive *archive, const void **data, size_t count,
                                size_t element_bytes) {
  size_t bytes;
  const bool fits = fov_size_multiply(count, element_bytes, &bytes);
  if (!archive->writes) *data = NULL;
  if (!fits) fov_archive_fail(archive, fov_status_overflow, "the size of an array overflows");
  if (archive->status != fov_status_ok || !begin_block(archive, bytes)) return;
  if (archive->writes) {
    append_block(archive, *data, bytes);
  } else {
    *data = archive->blocks + (archive->block_position - bytes);
  }
}

void fov_archive_block_owned(fov_archive *archive, void **data, size_t count, size_t element_bytes,
                             size_t spare) {
  const void *place = archive->writes ? *data : NULL;
  fov_archive_block_in_place(archive, &place, count, element_bytes);
  if (archive->writes) return;
  *data = NULL;
  if (!fov_archive_reads(archive)) return;
  const size_t bytes = count * element_bytes;
  size_t room;
  *data = fov_size_add(bytes, spare, &room) ? fov_allocate(room) : NULL;
  if (!*data) {
    fail_without_memory(archive);
    return;
  }
  if (bytes > 0) memcpy(*data, place, bytes);
}

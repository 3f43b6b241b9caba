// Fovea - fields that are written to a file and read back by the same function.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ARCHIVE_H
#define FOV_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

// One function names the fields of a structure, for writing and for reading:
//
//   fov_archive_size(archive, &pooling->kernel[0]);
//   fov_archive_f32(archive, &resize->step);
//
// A writing archive appends the fields, a reading one sets them, so that both agree on the format.
// An archive has two parts:
//
//   fields   little-endian numbers and texts, one after the other, without gaps
//   blocks   arrays at multiples of 64, in the order in which they are named. Where they begin is
//            not stored, so that they cannot overlap, and none can be left out
//
// A reading archive does not trust its bytes. It fails on a field past the end, on a number outside
// its range and on a text that holds a zero byte. The first failure stays in `status`, which the
// caller checks at the end. After it every field reads as zero and every array as NULL, and nothing
// is allocated. An array is allocated only if the archive holds as many bytes.
typedef struct fov_archive {
  bool writes;
  fov_status status;
  fov_diagnostic *diagnostic;

  // reading: borrowed. writing: owned, freed by fov_archive_release.
  uint8_t *fields;
  size_t position;     // of the next field
  size_t field_bytes;  // reading: all there are. writing: the room there is.

  const uint8_t *blocks;           // reading: borrowed
  size_t block_position;           // of the next block
  size_t block_bytes;              // reading: all there are
  struct fov_archive_block *list;  // writing: owned; the arrays in it are borrowed
  size_t block_count, block_capacity;
} fov_archive;

typedef struct fov_archive_block {
  const void *data;
  size_t bytes;
} fov_archive_block;

FOV_INTERNAL fov_archive fov_archive_writer(fov_diagnostic *diagnostic);

// Borrows both parts; `blocks` is at a multiple of 64.
FOV_INTERNAL fov_archive fov_archive_reader(const uint8_t *fields, size_t field_bytes,
                                            const uint8_t *blocks, size_t block_bytes,
                                            fov_diagnostic *diagnostic);
FOV_INTERNAL void fov_archive_release(fov_archive *archive);

// Whether nothing has failed yet, and the bytes are being read.
static inline bool fov_archive_reads(const fov_archive *archive) {
  return !archive->writes && archive->status == fov_status_ok;
}

// Makes the archive fail, unless it has: "... in the file".
FOV_INTERNAL void fov_archive_fail(fov_archive *archive, fov_status status, const char *message);

// Fails unless a reading archive has been read to the end of both parts.
FOV_INTERNAL void fov_archive_end(fov_archive *archive);

// MARK: fields

FOV_INTERNAL void fov_archive_u32(fov_archive *archive, uint32_t *value);
FOV_INTERNAL void fov_archive_i32(fov_archive *archive, int32_t *value);
FOV_INTERNAL void fov_archive_u64(fov_archive *archive, uint64_t *value);
FOV_INTERNAL void fov_archive_i64(fov_archive *archive, int64_t *value);
FOV_INTERNAL void fov_archive_size(fov_archive *archive, size_t *value);  // 8 bytes
FOV_INTERNAL void fov_archive_f32(fov_archive *archive, float *value);
FOV_INTERNAL void fov_archive_f64(fov_archive *archive, double *value);
FOV_INTERNAL void fov_archive_bool(fov_archive *archive, bool *value);  // 0 or 1
FOV_INTERNAL void fov_archive_sizes(fov_archive *archive, size_t *values, size_t count);

// At most `greatest`.
FOV_INTERNAL void fov_archive_choice(fov_archive *archive, uint32_t *value, uint32_t greatest);

// A field of an enumeration whose cases are 0 ... greatest.
#define FOV_ARCHIVE_ENUM(archive, field, greatest)                    \
  do {                                                                \
    uint32_t fov_choice = (uint32_t)(field);                          \
    fov_archive_choice((archive), &fov_choice, (uint32_t)(greatest)); \
    (field) = fov_choice;                                             \
  } while (0)

// Fails on a rank above FOV_MAX_RANK. The caller checks the sizes.
FOV_INTERNAL void fov_archive_shape(fov_archive *archive, fov_shape *shape);

// A text of at most FOV_ARCHIVE_TEXT bytes. Reading: *text is allocated.
#define FOV_ARCHIVE_TEXT 65536
FOV_INTERNAL void fov_archive_text(fov_archive *archive, char **text);

// For operations without parameters.
static inline void fov_archive_nothing(fov_archive *archive, void *parameters) {
  (void)archive;
  (void)parameters;
}

// MARK: blocks

// An array that stays where it is: writing borrows it, reading points into the blocks.
FOV_INTERNAL void fov_archive_block_in_place(fov_archive *archive, const void **data, size_t count,
                                             size_t element_bytes);

// An array of 4-byte elements or of bytes that its owner frees: reading copies it. `spare` bytes of
// zeros are allocated behind it.
FOV_INTERNAL void fov_archive_block_owned(fov_archive *archive, void **data, size_t count,
                                          size_t element_bytes, size_t spare);

#endif

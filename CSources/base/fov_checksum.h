// Fovea - a checksum that finds damaged bytes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHECKSUM_H
#define FOV_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// Eight lanes of 64 bits take the words of a block of 64 bytes, one each:
//
//   lane = rotate((lane ^ word) * K, 29)
//
// For a given lane this is one to one in the word, and for a given word one to one in the lane, so
// that a change within one word always changes the result; any other goes unnoticed once in 2^64.
// Lanes do not wait for one another, which makes it as fast as memory. It protects against damage,
// not against somebody who wants to deceive.
//
//   checksum = begin();  checksum = add(checksum, bytes, count) ...;  finish(&checksum)
//
// Every part but the last is a multiple of 64 bytes; the last is filled up with zeros. The number
// of bytes counts too.
#define FOV_CHECKSUM_BLOCK 64

typedef struct fov_checksum {
  uint64_t lanes[FOV_CHECKSUM_BLOCK / 8];
  uint64_t count;
} fov_checksum;

FOV_INTERNAL void fov_checksum_begin(fov_checksum *checksum);
FOV_INTERNAL void fov_checksum_add(fov_checksum *checksum, const void *bytes, size_t count);
FOV_INTERNAL uint64_t fov_checksum_finish(const fov_checksum *checksum);

// Of one run of bytes.
FOV_INTERNAL uint64_t fov_checksum_of(const void *bytes, size_t count);

#endif

// Fovea - a checksum that finds damaged bytes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHECKSUM_H
#define FOV_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// A block of 64 bytes is eight numbers of 64 bits. Each of them is mixed into a sum of its own:
//
//   sum = rotate((sum ^ number) * K, 29)
//
// For a given sum the step is one to one in the number, and for a given number one to one in the
// sum. So a change within one number always changes the result. Other changes go unnoticed once in
// 2^64. The eight sums do not depend on one another, so that the speed is that of memory. The
// checksum finds damage. It does not protect against a deliberate change.
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

// Fovea - size arithmetic that notices overflow.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SIZE_H
#define FOV_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sizes that come from a file go through these; false means that the result does not fit.
static inline bool fov_size_add(size_t a, size_t b, size_t *out_sum) {
  return !__builtin_add_overflow(a, b, out_sum);
}

static inline bool fov_size_multiply(size_t a, size_t b, size_t *out_product) {
  return !__builtin_mul_overflow(a, b, out_product);
}

static inline size_t fov_size_min(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t fov_size_max(size_t a, size_t b) { return a > b ? a : b; }

// The number of parts of at most `part` that cover `whole`. part > 0.
static inline size_t fov_size_parts(size_t whole, size_t part) {
  return whole / part + (whole % part != 0);
}

// Two distances in memory change places.
static inline void fov_distances_swap(ptrdiff_t *a, ptrdiff_t *b) {
  const ptrdiff_t kept = *a;
  *a = *b;
  *b = kept;
}

// Everything in an arena starts at a multiple of this: a cache line, and the widest vector.
#define FOV_ALIGNMENT 64

// false when the rounded size does not fit.
static inline bool fov_size_align(size_t size, size_t *out_aligned) {
  if (!fov_size_add(size, FOV_ALIGNMENT - 1, &size)) return false;
  *out_aligned = size & ~(size_t)(FOV_ALIGNMENT - 1);
  return true;
}

// Puts count elements of `size` bytes behind `end`, the aligned end of a block of memory that is
// being laid out, and moves it. false when the block does not fit.
static inline bool fov_size_reserve(size_t *end, size_t count, size_t size, size_t *out_offset) {
  size_t bytes;
  if (!fov_size_multiply(count, size, &bytes) || !fov_size_align(bytes, &bytes)) return false;
  *out_offset = *end;
  return fov_size_add(*end, bytes, end);
}

#endif

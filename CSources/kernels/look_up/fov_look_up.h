// Fovea - codes through a table: any function of one 8-bit code.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOOK_UP_H
#define FOV_LOOK_UP_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// results[p * result_pixel + c] = table[codes[p * pixel + c]]
//
// The activation of an 8-bit convolution is such a table. It is computed where the codes were just
// written, while they are in the first cache.
//
//   AVX-512 VBMI   a table is four registers, and two permutations find 64 codes
//   AVX2           a table is 16 parts of 16 codes, each found by a shuffle (fov_look_up_avx2.c)
//   AArch64        a table is four times four registers, and four look-ups find 16 codes
typedef struct fov_look_up {
  const uint8_t *codes;           // of the first pixel
  uint8_t *results;               // the codes, or nothing of them
  ptrdiff_t pixel, result_pixel;  // bytes
  size_t pixels, channels;
  const uint8_t *table;  // (256,)
} fov_look_up;

typedef void (*fov_look_up_kernel)(const fov_look_up *job);

FOV_INTERNAL void fov_look_up_scalar(const fov_look_up *job);
#if defined(__x86_64__)
FOV_INTERNAL void fov_look_up_avx2(const fov_look_up *job);
FOV_INTERNAL void fov_look_up_avx512_vbmi(const fov_look_up *job);
#elif defined(__aarch64__)
FOV_INTERNAL void fov_look_up_neon(const fov_look_up *job);
#endif

// The same job as few long runs: pixels without gaps are one.
static inline fov_look_up fov_look_up_in_long_runs(const fov_look_up *job) {
  fov_look_up runs = *job;
  const ptrdiff_t channels = (ptrdiff_t)runs.channels;
  if (runs.pixel != channels || runs.result_pixel != channels) return runs;
  runs.channels *= runs.pixels;
  runs.pixels = 1;
  return runs;
}

// Less than a vector.
static inline void fov_look_up_rest(const uint8_t *table, const uint8_t *codes, uint8_t *results,
                                    size_t count) {
  for (size_t i = 0; i < count; i++) results[i] = table[codes[i]];
}

#endif

// Fovea - codes through a table on AArch64: 16 at a time.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/look_up/fov_look_up.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include "kernels/fov_inlining.h"

// A look-up gives 0, or leaves what was there, where the index is 64 or more.
INLINE uint8x16_t found(const uint8x16x4_t quarters[4], uint8x16_t codes) {
  uint8x16_t bytes = vqtbl4q_u8(quarters[0], codes);
  UNROLLED for (int i = 1; i < 4; i++) {
    bytes = vqtbx4q_u8(bytes, quarters[i], vsubq_u8(codes, vdupq_n_u8((uint8_t)(64 * i))));
  }
  return bytes;
}

void fov_look_up_neon(const fov_look_up *job) {
  const fov_look_up runs = fov_look_up_in_long_runs(job);
  uint8x16x4_t quarters[4];
  UNROLLED for (int i = 0; i < 16; i++) quarters[i / 4].val[i % 4] = vld1q_u8(runs.table + 16 * i);
  for (size_t p = 0; p < runs.pixels; p++) {
    const uint8_t *codes = runs.codes + (ptrdiff_t)p * runs.pixel;
    uint8_t *results = runs.results + (ptrdiff_t)p * runs.result_pixel;
    size_t c = 0;
    for (; c + 16 <= runs.channels; c += 16) {
      vst1q_u8(results + c, found(quarters, vld1q_u8(codes + c)));
    }
    fov_look_up_rest(runs.table, codes + c, results + c, runs.channels - c);
  }
}

#else
typedef int fov_look_up_neon_is_empty;
#endif

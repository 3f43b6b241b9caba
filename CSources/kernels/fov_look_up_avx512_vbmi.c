// Fovea - codes through a table with AVX-512 VBMI: 64 at a time by permutations.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_look_up.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/fov_inlining.h"

#define FOV_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi"
#include "kernels/fov_target_begin.h"

// A permutation takes seven bits of a code; the eighth tells which half of the table it belongs to.
INLINE __m512i found(const __m512i table[4], __m512i codes) {
  const __m512i lower = _mm512_permutex2var_epi8(table[0], codes, table[1]);
  const __m512i upper = _mm512_permutex2var_epi8(table[2], codes, table[3]);
  return _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), lower, upper);
}

void fov_look_up_avx512_vbmi(const fov_look_up *job) {
  const fov_look_up runs = fov_look_up_in_long_runs(job);
  __m512i table[4];
  UNROLLED for (int i = 0; i < 4; i++) table[i] = _mm512_loadu_si512(runs.table + 64 * i);
  const size_t rest = runs.channels % 64;
  const __mmask64 there = ((__mmask64)1 << rest) - 1;
  for (size_t p = 0; p < runs.pixels; p++) {
    const uint8_t *codes = runs.codes + (ptrdiff_t)p * runs.pixel;
    uint8_t *results = runs.results + (ptrdiff_t)p * runs.result_pixel;
    size_t c = 0;
    for (; c + 64 <= runs.channels; c += 64) {
      _mm512_storeu_si512(results + c, found(table, _mm512_loadu_si512(codes + c)));
    }
    if (rest == 0) continue;
    const __m512i last = _mm512_maskz_loadu_epi8(there, codes + c);
    _mm512_mask_storeu_epi8(results + c, there, found(table, last));
  }
}

#include "kernels/fov_target_end.h"

#else
typedef int fov_look_up_avx512_vbmi_is_empty;
#endif

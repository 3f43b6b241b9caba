// Fovea - codes through a table with AVX-512 VBMI: 64 at a time by permutations.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/look_up/fov_look_up.h"

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

// Less than 64 codes. A store of 16 or 32 bytes is faster than one with a mask.
INLINE void look_up_rest(const __m512i table[4], const uint8_t *codes, uint8_t *results,
                         size_t count) {
  if (count >= 32) {
    const __m256i these = _mm256_loadu_si256((const __m256i *)codes);
    const __m512i bytes = found(table, _mm512_castsi256_si512(these));
    _mm256_storeu_si256((__m256i *)results, _mm512_castsi512_si256(bytes));
    codes += 32;
    results += 32;
    count -= 32;
  }
  if (count >= 16) {
    const __m128i these = _mm_loadu_si128((const __m128i *)codes);
    const __m512i bytes = found(table, _mm512_castsi128_si512(these));
    _mm_storeu_si128((__m128i *)results, _mm512_castsi512_si128(bytes));
    codes += 16;
    results += 16;
    count -= 16;
  }
  if (count == 0) return;
  const __mmask64 there = ((__mmask64)1 << count) - 1;
  const __m512i last = _mm512_maskz_loadu_epi8(there, codes);
  _mm512_mask_storeu_epi8(results, there, found(table, last));
}

void fov_look_up_avx512_vbmi(const fov_look_up *job) {
  const fov_look_up runs = fov_look_up_in_long_runs(job);
  __m512i table[4];
  UNROLLED for (int i = 0; i < 4; i++) table[i] = _mm512_loadu_si512(runs.table + 64 * i);
  for (size_t p = 0; p < runs.pixels; p++) {
    const uint8_t *codes = runs.codes + (ptrdiff_t)p * runs.pixel;
    uint8_t *results = runs.results + (ptrdiff_t)p * runs.result_pixel;
    size_t c = 0;
    for (; c + 64 <= runs.channels; c += 64) {
      _mm512_storeu_si512(results + c, found(table, _mm512_loadu_si512(codes + c)));
    }
    look_up_rest(table, codes + c, results + c, runs.channels - c);
  }
}

#include "kernels/fov_target_end.h"

#else
typedef int fov_look_up_avx512_vbmi_is_empty;
#endif

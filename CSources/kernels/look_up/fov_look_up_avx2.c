// Fovea - codes through a table with AVX2: 32 at a time by shuffles of 16 bytes.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/look_up/fov_look_up.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/fov_inlining.h"

#define FOV_TARGET "avx2"
#include "kernels/fov_target_begin.h"

#define PARTS 8  // of half a table, 16 codes each

// A shuffle finds a byte by four bits, and gives 0 where the index is negative. Codes of the half
// 0 ... 127 go through its parts one after another, each time 16 less. Part i thus sees codes from
// 16 * i on at 0 or above; what lies in later parts gives a byte, too. Part i therefore holds its
// bytes XOR those of part i - 1. So the XOR of all shuffles is the byte of the code's own part.
// Saturation keeps codes of the other half negative. That half is done in the same way, with the
// highest bit of the code inverted.
typedef struct table_parts {
  __m128i half[2][PARTS];
} table_parts;

INLINE table_parts parts_of(const uint8_t *table) {
  table_parts parts;
  UNROLLED for (int h = 0; h < 2; h++) {
    __m128i before = _mm_setzero_si128();
    UNROLLED for (int i = 0; i < PARTS; i++) {
      const __m128i bytes = _mm_loadu_si128((const __m128i *)(table + 16 * (PARTS * h + i)));
      parts.half[h][i] = _mm_xor_si128(bytes, before);
      before = bytes;
    }
  }
  return parts;
}

INLINE __m256i found(const table_parts *parts, __m256i codes) {
  const __m256i step = _mm256_set1_epi8(16);
  __m256i lower = codes, upper = _mm256_xor_si256(codes, _mm256_set1_epi8(-128));
  __m256i bytes = _mm256_setzero_si256();
  UNROLLED for (int i = 0; i < PARTS; i++) {
    const __m256i first = _mm256_broadcastsi128_si256(parts->half[0][i]);
    const __m256i second = _mm256_broadcastsi128_si256(parts->half[1][i]);
    bytes = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(first, lower));
    bytes = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(second, upper));
    lower = _mm256_subs_epi8(lower, step);
    upper = _mm256_subs_epi8(upper, step);
  }
  return bytes;
}

INLINE void look_up_run(const table_parts *parts, const uint8_t *table, const uint8_t *codes,
                        uint8_t *results, size_t count) {
  for (; count >= 32; codes += 32, results += 32, count -= 32) {
    const __m256i these = _mm256_loadu_si256((const __m256i *)codes);
    _mm256_storeu_si256((__m256i *)results, found(parts, these));
  }
  if (count >= 16) {
    const __m128i these = _mm_loadu_si128((const __m128i *)codes);
    const __m256i bytes = found(parts, _mm256_castsi128_si256(these));
    _mm_storeu_si128((__m128i *)results, _mm256_castsi256_si128(bytes));
    codes += 16;
    results += 16;
    count -= 16;
  }
  fov_look_up_rest(table, codes, results, count);
}

void fov_look_up_avx2(const fov_look_up *job) {
  const fov_look_up runs = fov_look_up_in_long_runs(job);
  const table_parts parts = parts_of(runs.table);
  for (size_t p = 0; p < runs.pixels; p++) {
    look_up_run(&parts, runs.table, runs.codes + (ptrdiff_t)p * runs.pixel,
                runs.results + (ptrdiff_t)p * runs.result_pixel, runs.channels);
  }
}

#include "kernels/fov_target_end.h"

#else
typedef int fov_look_up_avx2_is_empty;
#endif

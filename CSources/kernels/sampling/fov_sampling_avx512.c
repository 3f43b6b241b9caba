// Fovea - sampling images with AVX-512 F, BW, VL and DQ.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/sampling/fov_sampling_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define FOV_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx2"
#include "kernels/fov_target_begin.h"

#include "kernels/sampling/fov_sampling_avx.h"

// MARK: Eight doubles

typedef __m512d eight_doubles;

INLINE eight_doubles eight_of(double x) { return _mm512_set1_pd(x); }
INLINE eight_doubles eight_load(const double *p) { return _mm512_loadu_pd(p); }
INLINE void eight_store(double *p, eight_doubles v) { _mm512_storeu_pd(p, v); }
INLINE eight_doubles eight_from_bytes(const uint8_t *p) {
  return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
INLINE void eight_to_bytes(uint8_t *p, eight_doubles v) {
  _mm_storel_epi64((__m128i *)p, _mm256_cvtepi32_epi8(_mm512_cvttpd_epi32(v)));
}
INLINE eight_doubles eight_multiply(eight_doubles a, eight_doubles b) {
  return _mm512_mul_pd(a, b);
}
INLINE eight_doubles eight_add(eight_doubles a, eight_doubles b) { return _mm512_add_pd(a, b); }
INLINE eight_doubles eight_subtract(eight_doubles a, eight_doubles b) {
  return _mm512_sub_pd(a, b);
}

// MARK: Floats

#define BILINEAR_HAS_FLOATS 1
#define FLOATS 16

typedef __m512 some_floats;

INLINE some_floats floats_of(float x) { return _mm512_set1_ps(x); }
INLINE some_floats floats_load(const float *p) { return _mm512_loadu_ps(p); }
INLINE some_floats floats_from_bytes(const uint8_t *p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
INLINE some_floats floats_mix(some_floats a, some_floats b, some_floats w) {
  return _mm512_fmadd_ps(_mm512_sub_ps(b, a), w, a);
}
// The fraction of v + 1/2 is as far from 1/2 as v is from the integer floor(v + 1/2).
INLINE bool floats_settle(uint8_t *p, some_floats v, float distance) {
  const __m512i whole = _mm512_cvttps_epi32(_mm512_add_ps(v, _mm512_set1_ps(0.5f)));
  _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8(whole));
  const __m512 offset = _mm512_abs_ps(_mm512_sub_ps(v, _mm512_cvtepi32_ps(whole)));
  return _mm512_cmp_ps_mask(offset, _mm512_set1_ps(distance), _CMP_GE_OQ) == 0;
}

// MARK: Area

#define AREA_RUN 64

// Bytes of two rows are interleaved, so that one instruction multiplies and adds both. Interleaving
// works within 128 bits: sums[0] has samples 0-3, 16-19, 32-35 and 48-51, sums[1] 4-7, 20-23, ...
INLINE void area_run(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t offset,
                     int16_t *out) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i sums[4];
  UNROLLED for (int i = 0; i < 4; i++) sums[i] = _mm512_set1_epi32(1 << 7);
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 2) {
    const __m512i pair = _mm512_set1_epi32(weight_pair(weights + k));
    const __m512i a = _mm512_loadu_si512(rows[k] + offset);
    const __m512i b = _mm512_loadu_si512(rows[k + 1] + offset);
    const __m512i low = _mm512_unpacklo_epi8(a, b), high = _mm512_unpackhi_epi8(a, b);
    const __m512i int16[4] = {_mm512_unpacklo_epi8(low, zero), _mm512_unpackhi_epi8(low, zero),
                              _mm512_unpacklo_epi8(high, zero), _mm512_unpackhi_epi8(high, zero)};
    UNROLLED for (int i = 0; i < 4; i++) {
      sums[i] = _mm512_add_epi32(sums[i], _mm512_madd_epi16(int16[i], pair));
    }
  }
  UNROLLED for (int i = 0; i < 4; i++) sums[i] = _mm512_srai_epi32(sums[i], 8);
  // low: 16-bit integers 0-7, 16-23, 32-39, 48-55; high: 8-15, 24-31, ...
  const __m512i low = _mm512_packs_epi32(sums[0], sums[1]);
  const __m512i high = _mm512_packs_epi32(sums[2], sums[3]);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi64(low, first, high));
  _mm512_storeu_si512(out + 32, _mm512_permutex2var_epi64(low, second, high));
}

// MARK: Colors

#define COLOR_WORDS 32

typedef __m512i color_words;

INLINE color_words words_of(int x) { return _mm512_set1_epi16((short)x); }
INLINE color_words pairs_of(int x) { return _mm512_set1_epi32(x); }
INLINE color_words words_from_bytes(const uint8_t *p) {
  return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p));
}
INLINE void words_to_bytes(uint8_t *p, color_words v) {
  const __m512i positive = _mm512_max_epi16(v, _mm512_setzero_si512());
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtusepi16_epi8(positive));
}
INLINE color_words words_add(color_words a, color_words b) { return _mm512_add_epi16(a, b); }
INLINE color_words words_subtract(color_words a, color_words b) { return _mm512_sub_epi16(a, b); }
INLINE color_words words_multiply(color_words a, color_words b) { return _mm512_mullo_epi16(a, b); }
INLINE color_words words_zip_low(color_words a, color_words b) {
  return _mm512_unpacklo_epi16(a, b);
}
INLINE color_words words_zip_high(color_words a, color_words b) {
  return _mm512_unpackhi_epi16(a, b);
}
INLINE color_words pairs_dot(color_words a, color_words b) { return _mm512_madd_epi16(a, b); }
INLINE color_words sums_add(color_words a, color_words b) { return _mm512_add_epi32(a, b); }
INLINE color_words sums_to_words(color_words low, color_words high) {
  return _mm512_packs_epi32(_mm512_srai_epi32(low, 16), _mm512_srai_epi32(high, 16));
}

#include "kernels/sampling/fov_sampling_color_words.h"

#include "kernels/sampling/fov_sampling_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL const fov_sampling_kernels fov_sampling_kernels_avx512 = SAMPLING_KERNEL_TABLE;
#endif

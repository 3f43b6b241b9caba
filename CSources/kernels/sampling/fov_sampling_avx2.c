// Fovea - sampling images with AVX2.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/sampling/fov_sampling_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Without FMA, since products and sums are rounded separately.
#define FOV_TARGET "avx2"
#include "kernels/fov_target_begin.h"

#include "kernels/sampling/fov_sampling_avx.h"

// MARK: Eight doubles

typedef struct eight_doubles {
  __m256d low, high;
} eight_doubles;

INLINE eight_doubles eight_of(double x) {
  return (eight_doubles){_mm256_set1_pd(x), _mm256_set1_pd(x)};
}
INLINE eight_doubles eight_load(const double *p) {
  return (eight_doubles){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}
INLINE void eight_store(double *p, eight_doubles v) {
  _mm256_storeu_pd(p, v.low);
  _mm256_storeu_pd(p + 4, v.high);
}
INLINE eight_doubles eight_from_bytes(const uint8_t *p) {
  const __m256i v = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
  return (eight_doubles){_mm256_cvtepi32_pd(_mm256_castsi256_si128(v)),
                         _mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1))};
}
INLINE void eight_to_bytes(uint8_t *p, eight_doubles v) {
  const __m128i int16 = _mm_packs_epi32(_mm256_cvttpd_epi32(v.low), _mm256_cvttpd_epi32(v.high));
  _mm_storel_epi64((__m128i *)p, _mm_packus_epi16(int16, int16));
}
INLINE eight_doubles eight_multiply(eight_doubles a, eight_doubles b) {
  return (eight_doubles){_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}
INLINE eight_doubles eight_add(eight_doubles a, eight_doubles b) {
  return (eight_doubles){_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}
INLINE eight_doubles eight_subtract(eight_doubles a, eight_doubles b) {
  return (eight_doubles){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}

// MARK: Floats

#define BILINEAR_HAS_FLOATS 1
#define FLOATS 16

typedef struct some_floats {
  __m256 low, high;
} some_floats;

INLINE some_floats floats_of(float x) {
  return (some_floats){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}
INLINE some_floats floats_load(const float *p) {
  return (some_floats){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
}
INLINE __m256 floats_from_eight(const uint8_t *p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
INLINE some_floats floats_from_bytes(const uint8_t *p) {
  return (some_floats){floats_from_eight(p), floats_from_eight(p + 8)};
}
INLINE __m256 mix_eight(__m256 a, __m256 b, __m256 w) {
  return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), w));
}
INLINE some_floats floats_mix(some_floats a, some_floats b, some_floats w) {
  return (some_floats){mix_eight(a.low, b.low, w.low), mix_eight(a.high, b.high, w.high)};
}
// All bits set where v is `distance` or more away from `whole`.
INLINE __m256 unsettled_eight(__m256 v, __m256i whole, float distance) {
  const __m256 offset = _mm256_sub_ps(v, _mm256_cvtepi32_ps(whole));
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), offset);
  return _mm256_cmp_ps(magnitude, _mm256_set1_ps(distance), _CMP_GE_OQ);
}
// The fraction of v + 1/2 is as far from 1/2 as v is from the integer floor(v + 1/2).
INLINE bool floats_settle(uint8_t *p, some_floats v, float distance) {
  const __m256 half = _mm256_set1_ps(0.5f);
  const __m256i low = _mm256_cvttps_epi32(_mm256_add_ps(v.low, half));
  const __m256i high = _mm256_cvttps_epi32(_mm256_add_ps(v.high, half));
  const __m256i int16 = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
  const __m128i bytes =
      _mm_packus_epi16(_mm256_castsi256_si128(int16), _mm256_extracti128_si256(int16, 1));
  _mm_storeu_si128((__m128i *)p, bytes);
  const __m256 unsettled =
      _mm256_or_ps(unsettled_eight(v.low, low, distance), unsettled_eight(v.high, high, distance));
  return _mm256_testz_ps(unsettled, unsettled) != 0;
}

// MARK: Area

#define AREA_RUN 32

// Bytes of two rows are interleaved, so that one instruction multiplies and adds both. Interleaving
// works within 128 bits: sums[0] has samples 0-3 and 16-19, sums[1] 4-7 and 20-23, ...
INLINE void area_run(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t offset,
                     int16_t *out) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i sums[4];
  UNROLLED for (int i = 0; i < 4; i++) sums[i] = _mm256_set1_epi32(1 << 7);
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 2) {
    const __m256i pair = _mm256_set1_epi32(weight_pair(weights + k));
    const __m256i a = _mm256_loadu_si256((const __m256i *)(rows[k] + offset));
    const __m256i b = _mm256_loadu_si256((const __m256i *)(rows[k + 1] + offset));
    const __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
    const __m256i int16[4] = {_mm256_unpacklo_epi8(low, zero), _mm256_unpackhi_epi8(low, zero),
                              _mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)};
    UNROLLED for (int i = 0; i < 4; i++) {
      sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(int16[i], pair));
    }
  }
  UNROLLED for (int i = 0; i < 4; i++) sums[i] = _mm256_srai_epi32(sums[i], 8);
  const __m256i low = _mm256_packs_epi32(sums[0], sums[1]);
  const __m256i high = _mm256_packs_epi32(sums[2], sums[3]);
  _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_storeu_si256((__m256i *)(out + 16), _mm256_permute2x128_si256(low, high, 0x31));
}

// MARK: Colors

#define COLOR_WORDS 16

typedef __m256i color_words;

INLINE color_words words_of(int x) { return _mm256_set1_epi16((short)x); }
INLINE color_words pairs_of(int x) { return _mm256_set1_epi32(x); }
INLINE color_words words_from_bytes(const uint8_t *p) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p));
}
INLINE void words_to_bytes(uint8_t *p, color_words v) {
  const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  _mm_storeu_si128((__m128i *)p, bytes);
}
INLINE color_words words_add(color_words a, color_words b) { return _mm256_add_epi16(a, b); }
INLINE color_words words_subtract(color_words a, color_words b) { return _mm256_sub_epi16(a, b); }
INLINE color_words words_multiply(color_words a, color_words b) { return _mm256_mullo_epi16(a, b); }
INLINE color_words words_zip_low(color_words a, color_words b) {
  return _mm256_unpacklo_epi16(a, b);
}
INLINE color_words words_zip_high(color_words a, color_words b) {
  return _mm256_unpackhi_epi16(a, b);
}
INLINE color_words pairs_dot(color_words a, color_words b) { return _mm256_madd_epi16(a, b); }
INLINE color_words sums_add(color_words a, color_words b) { return _mm256_add_epi32(a, b); }
INLINE color_words sums_to_words(color_words low, color_words high) {
  return _mm256_packs_epi32(_mm256_srai_epi32(low, 16), _mm256_srai_epi32(high, 16));
}

#include "kernels/sampling/fov_sampling_color_words.h"

#include "kernels/sampling/fov_sampling_body.h"

#include "kernels/fov_target_end.h"

FOV_INTERNAL const fov_sampling_kernels fov_sampling_kernels_avx2 = SAMPLING_KERNEL_TABLE;
#endif

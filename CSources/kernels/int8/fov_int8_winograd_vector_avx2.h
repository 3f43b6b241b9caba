// Fovea - 16-bit integers in 256-bit vectors, for Winograd convolutions of codes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_WINOGRAD_VECTOR_AVX2_H
#define FOV_INT8_WINOGRAD_VECTOR_AVX2_H

#include "kernels/int8/fov_int8_vector_avx2.h"

// Included after fov_target_begin.h. fov_winograd_body.h explains the names. A step takes a pair of
// channels. Registers hold the taps of a panel in two vectors, 12 sums and two products.
#define ELEMENT_LANES 16
#define TAP_VECTORS 2
#define STEP_CHANNELS 2
#define TAPS_TOGETHER 4
#define WINOGRAD_PANELS 1
#define WINOGRAD_TILES 6
#define WINOGRAD_DEPTH 128
#define KEEP_STEP_ORDER() ((void)0)

typedef __m256i vector_elements;

// Inputs behind the last channel are multiplied by taps of zero.
INLINE vector_elements elements_load(const uint8_t *codes, size_t lanes) {
  (void)lanes;
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)codes));
}
INLINE vector_elements elements_again(const int16_t *p) {
  return _mm256_load_si256((const __m256i *)p);
}
INLINE void elements_store(int16_t *p, vector_elements a) { _mm256_store_si256((__m256i *)p, a); }
INLINE vector_elements elements_zero(void) { return _mm256_setzero_si256(); }
INLINE vector_elements elements_add(vector_elements a, vector_elements b) {
  return _mm256_add_epi16(a, b);
}
INLINE vector_elements elements_subtract(vector_elements a, vector_elements b) {
  return _mm256_sub_epi16(a, b);
}
INLINE vector_elements elements_add_shifted(vector_elements a, vector_elements b, int shift) {
  return _mm256_add_epi16(a, _mm256_slli_epi16(b, shift));
}
INLINE vector_elements elements_subtract_shifted(vector_elements a, vector_elements b, int shift) {
  return _mm256_sub_epi16(a, _mm256_slli_epi16(b, shift));
}
INLINE vector_elements elements_times_4(vector_elements a) { return _mm256_slli_epi16(a, 2); }
INLINE vector_elements elements_times_6(vector_elements a) {
  return _mm256_mullo_epi16(a, _mm256_set1_epi16(6));
}

INLINE vector_sums sums_load(const int32_t *p) { return _mm256_load_si256((const __m256i *)p); }
INLINE void sums_store(int32_t *p, vector_sums s) { _mm256_store_si256((__m256i *)p, s); }
INLINE vector_sums sums_zero(void) { return _mm256_setzero_si256(); }
INLINE vector_sums sums_add(vector_sums a, vector_sums b) { return _mm256_add_epi32(a, b); }
INLINE vector_sums sums_subtract(vector_sums a, vector_sums b) { return _mm256_sub_epi32(a, b); }
INLINE vector_sums sums_add_shifted(vector_sums a, vector_sums b, int shift) {
  return _mm256_add_epi32(a, _mm256_slli_epi32(b, shift));
}
INLINE vector_sums sums_shifted_subtract(vector_sums a, int shift, vector_sums b) {
  return _mm256_sub_epi32(_mm256_slli_epi32(a, shift), b);
}
INLINE vector_sums sums_times(vector_sums a, int32_t factor) {
  return _mm256_mullo_epi32(a, _mm256_set1_epi32(factor));
}
INLINE vector_sums sums_halve(vector_sums a, int times) { return _mm256_srai_epi32(a, times); }

// One tap of a group of four channels for VECTOR_LANES outputs, as 16-bit integers: channels 0-1,
// and 2-3.
INLINE void taps_load(const int8_t *tap, size_t channel, int vector, bool there,
                      vector_elements out[2]) {
  (void)there;
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
  const int8_t *panel = tap + channel * FOV_PANEL + 32 * vector;
  const __m256i bytes = _mm256_loadu_si256((const __m256i *)panel);
  const __m256i sorted = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(bytes, order), 0xD8);
  out[0] = _mm256_cvtepi8_epi16(_mm256_castsi256_si128(sorted));
  out[1] = _mm256_cvtepi8_epi16(_mm256_extracti128_si256(sorted, 1));
}

// A pair is loaded when it is multiplied, since a broadcast from memory costs no more than a load.
typedef const int16_t *step_inputs;
INLINE step_inputs step_inputs_load(const int16_t *p) { return p; }

INLINE void step_multiply_add(vector_sums *sums, const vector_elements *taps, step_inputs inputs,
                              int step) {
  int32_t pair;
  memcpy(&pair, inputs + 2 * step, sizeof pair);
  const vector_elements both = _mm256_set1_epi32(pair);
  UNROLLED for (int v = 0; v < TAP_VECTORS; v++) {
#if INT8_HAS_DOT_PRODUCT
    sums[v] = _mm256_dpwssd_avx_epi32(sums[v], both, taps[v]);
#else
    sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(both, taps[v]));
#endif
  }
}

#endif

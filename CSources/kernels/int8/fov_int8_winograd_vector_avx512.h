// Fovea - 16-bit integers in 512-bit vectors, for Winograd convolutions of codes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_WINOGRAD_VECTOR_AVX512_H
#define FOV_INT8_WINOGRAD_VECTOR_AVX512_H

#include "kernels/int8/fov_int8_vector_avx512.h"

// Included after fov_target_begin.h. fov_winograd_body.h explains the names. A step takes a pair of
// channels, and one vector holds the taps of a panel. Inputs are broadcast from memory: each
// product needs a load, and the processor has as many loads as products. The taps need one load
// more for all tiles, which is little with many tiles.
#define ELEMENT_LANES 32
#define TAP_VECTORS 1
#define STEP_CHANNELS 2
#define TAPS_TOGETHER 2
#define WINOGRAD_PANELS 2
#define WINOGRAD_TILES 12
#define WINOGRAD_DEPTH 128
#define KEEP_STEP_ORDER() ((void)0)

typedef __m512i vector_elements;

// Inputs behind the last channel would be multiplied by taps of zero, but may be behind the memory.
INLINE vector_elements elements_load(const uint8_t *codes, size_t lanes) {
  const __mmask32 present = (__mmask32)(~0u >> (ELEMENT_LANES - lanes));
  return _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(present, codes));
}
INLINE vector_elements elements_again(const int16_t *p) { return _mm512_load_si512(p); }
INLINE void elements_store(int16_t *p, vector_elements a) { _mm512_store_si512(p, a); }
INLINE vector_elements elements_zero(void) { return _mm512_setzero_si512(); }
INLINE vector_elements elements_add(vector_elements a, vector_elements b) {
  return _mm512_add_epi16(a, b);
}
INLINE vector_elements elements_subtract(vector_elements a, vector_elements b) {
  return _mm512_sub_epi16(a, b);
}
INLINE vector_elements elements_add_shifted(vector_elements a, vector_elements b, unsigned shift) {
  return _mm512_add_epi16(a, _mm512_slli_epi16(b, shift));
}
INLINE vector_elements elements_subtract_shifted(vector_elements a, vector_elements b,
                                                 unsigned shift) {
  return _mm512_sub_epi16(a, _mm512_slli_epi16(b, shift));
}
INLINE vector_elements elements_times_4(vector_elements a) { return _mm512_slli_epi16(a, 2); }
INLINE vector_elements elements_times_6(vector_elements a) {
  return _mm512_mullo_epi16(a, _mm512_set1_epi16(6));
}

INLINE vector_sums sums_load(const int32_t *p) { return _mm512_load_si512(p); }
INLINE void sums_store(int32_t *p, vector_sums s) { _mm512_store_si512(p, s); }
INLINE vector_sums sums_zero(void) { return _mm512_setzero_si512(); }
INLINE vector_sums sums_add(vector_sums a, vector_sums b) { return _mm512_add_epi32(a, b); }
INLINE vector_sums sums_subtract(vector_sums a, vector_sums b) { return _mm512_sub_epi32(a, b); }
INLINE vector_sums sums_add_shifted(vector_sums a, vector_sums b, unsigned shift) {
  return _mm512_add_epi32(a, _mm512_slli_epi32(b, shift));
}
INLINE vector_sums sums_shifted_subtract(vector_sums a, unsigned shift, vector_sums b) {
  return _mm512_sub_epi32(_mm512_slli_epi32(a, shift), b);
}
INLINE vector_sums sums_times(vector_sums a, int32_t factor) {
  return _mm512_mullo_epi32(a, _mm512_set1_epi32(factor));
}
INLINE vector_sums sums_halve(vector_sums a, unsigned times) { return _mm512_srai_epi32(a, times); }

// One tap of a pair of channels, half of a group, for 16 outputs. Bytes are moved into the upper
// halves of 16-bit integers, and then shifted down.
INLINE void taps_load(const int8_t *tap, size_t channel, int vector, bool there,
                      vector_elements out[1]) {
  (void)vector;
  (void)there;
  const __m128i pairs = _mm_setr_epi8(-1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13);
  const __m128i order = _mm_add_epi16(pairs, _mm_set1_epi16((short)(channel % FOV_GROUP * 256)));
  const size_t group = channel / FOV_GROUP * FOV_GROUP;
  const __m512i bytes = _mm512_loadu_si512(tap + group * FOV_PANEL);
  out[0] = _mm512_srai_epi16(_mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(order)), 8);
}

typedef const int16_t *step_inputs;
INLINE step_inputs step_inputs_load(const int16_t *p) { return p; }

INLINE void step_multiply_add(vector_sums *sums, const vector_elements *taps, step_inputs inputs,
                              int step) {
  int32_t pair;
  memcpy(&pair, inputs + 2 * step, sizeof pair);
  sums[0] = _mm512_dpwssd_epi32(sums[0], _mm512_set1_epi32(pair), taps[0]);
}

#endif

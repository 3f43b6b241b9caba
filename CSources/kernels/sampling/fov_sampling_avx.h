// Fovea - sampling images with 128-bit vectors, for both sets of x86.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_AVX_H
#define FOV_SAMPLING_AVX_H

#include <immintrin.h>
#include <string.h>

#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// Two neighboring weights, to be multiplied with pairs of 16-bit integers.
INLINE int weight_pair(const int16_t *weights) {
  int pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

// r g b r g b of two pixels become pairs r r, g g, b b.
INLINE void area_color(const int16_t *levels, const int16_t *weights, size_t taps, int16_t *out) {
  const __m128i pairs = _mm_setr_epi8(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 14, 15);
  __m128i sums = _mm_set1_epi32(1 << 14);
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 2, levels += 6) {
    const __m128i int16 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)levels), pairs);
    sums = _mm_add_epi32(sums, _mm_madd_epi16(int16, _mm_set1_epi32(weight_pair(weights + k))));
  }
  sums = _mm_srai_epi32(sums, 15);
  _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(sums, sums));
}

INLINE int16_t area_gray(const int16_t *levels, const int16_t *weights, size_t taps) {
  __m128i sums = _mm_setzero_si128();
  ONE_BY_ONE for (size_t k = 0; k < taps; k += 8) {
    const __m128i int16 = _mm_loadu_si128((const __m128i *)(levels + k));
    sums =
        _mm_add_epi32(sums, _mm_madd_epi16(int16, _mm_loadu_si128((const __m128i *)(weights + k))));
  }
  sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
  sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xB1));
  return (int16_t)((_mm_cvtsi128_si32(sums) + (1 << 14)) >> 15);
}

INLINE void window_samples(const uint8_t *bytes, const fov_sample_window *window, uint8_t *left,
                           uint8_t *right) {
  const __m128i chosen = _mm_loadu_si128((const __m128i *)window->left);
  const __m128i samples = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), chosen);
  _mm_storel_epi64((__m128i *)left, samples);
  _mm_storel_epi64((__m128i *)right, _mm_unpackhi_epi64(samples, samples));
}

// Bytes `first`, `first` + 1 ... of a plane move to every third byte of 16, beginning with `at`.
#define THIRDS(at, first)                                                                   \
  _mm_setr_epi8(                                                                            \
      THIRD(0, at, first), THIRD(1, at, first), THIRD(2, at, first), THIRD(3, at, first),   \
      THIRD(4, at, first), THIRD(5, at, first), THIRD(6, at, first), THIRD(7, at, first),   \
      THIRD(8, at, first), THIRD(9, at, first), THIRD(10, at, first), THIRD(11, at, first), \
      THIRD(12, at, first), THIRD(13, at, first), THIRD(14, at, first), THIRD(15, at, first))
#define THIRD(i, at, first) ((i) % 3 == (at) ? (first) + (i) / 3 : -1)

INLINE __m128i merge_thirds(__m128i a, __m128i b, __m128i c) {
  return _mm_or_si128(_mm_or_si128(a, b), c);
}

INLINE void interleave_colors(const uint8_t *red, const uint8_t *green, const uint8_t *blue,
                              uint8_t *out) {
  const __m128i r = _mm_loadu_si128((const __m128i *)red);
  const __m128i g = _mm_loadu_si128((const __m128i *)green);
  const __m128i b = _mm_loadu_si128((const __m128i *)blue);
  const __m128i first =
      merge_thirds(_mm_shuffle_epi8(r, THIRDS(0, 0)), _mm_shuffle_epi8(g, THIRDS(1, 0)),
                   _mm_shuffle_epi8(b, THIRDS(2, 0)));
  const __m128i second =
      merge_thirds(_mm_shuffle_epi8(r, THIRDS(2, 6)), _mm_shuffle_epi8(g, THIRDS(0, 5)),
                   _mm_shuffle_epi8(b, THIRDS(1, 5)));
  const __m128i third =
      merge_thirds(_mm_shuffle_epi8(r, THIRDS(1, 11)), _mm_shuffle_epi8(g, THIRDS(2, 11)),
                   _mm_shuffle_epi8(b, THIRDS(0, 10)));
  _mm_storeu_si128((__m128i *)out, first);
  _mm_storeu_si128((__m128i *)(out + 16), second);
  _mm_storeu_si128((__m128i *)(out + 32), third);
}

#endif

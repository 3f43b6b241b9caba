// Fovea - 512-bit vectors with dot products for the 8-bit kernels.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_VECTOR_AVX512_H
#define FOV_INT8_VECTOR_AVX512_H

#include <immintrin.h>

#define IMAGE_SHARES_PIXELS 1
#define PARTS_ARE_MASKED 1
#include "kernels/int8/fov_int8_vectors.h"

// Included after fov_target_begin.h. Registers could hold the sums of 14 pixels of two panels. With
// fewer, the epilogue of one tile overlaps with the products of the next.
#define VECTOR_LANES 16
#define TILE_PANELS 2
#define TILE_VECTORS_ACROSS 2
#define TILE_PIXELS(vectors) ((vectors) == 1 ? 10 : 8)
#define TILE_POOLED_PIXELS(vectors) ((vectors) == 1 ? 4 : 2)
#define STORED_PIXELS(vectors) ((vectors) == 1 ? 4 : 2)
#define KEPT_PIXELS(vectors) STORED_PIXELS(vectors)
#define PAIRS_SATURATE 0
#define HAS_DEPTHWISE_AVX512 1            // see fov_int8_depthwise_avx512.h
#define HAS_FEW_CHANNELS !INT16_PRODUCTS  // see fov_int8_few_channels_avx512.h

typedef __m512i vector_sums;
typedef __m512 vector_floats;

// Activations are unsigned, so that sums need no correction.
INLINE vector_sums sums_begin(const int32_t *weight_sums) {
  (void)weight_sums;
  return _mm512_setzero_si512();
}
INLINE vector_sums sums_greater(vector_sums a, vector_sums b) { return _mm512_max_epi32(a, b); }
INLINE vector_floats floats_from_sums(vector_sums s) { return _mm512_cvtepi32_ps(s); }
INLINE vector_floats floats_load(const float *p) { return _mm512_loadu_ps(p); }
INLINE vector_floats floats_of(float x) { return _mm512_set1_ps(x); }
INLINE void floats_store(float *p, vector_floats v) { _mm512_storeu_ps(p, v); }
INLINE __mmask16 first_lanes(size_t count) {
  return (__mmask16)(count < VECTOR_LANES ? (1u << count) - 1 : 0xFFFFu);
}
INLINE void floats_store_some(float *p, vector_floats v, size_t count) {
  _mm512_mask_storeu_ps(p, first_lanes(count), v);
}
INLINE void int16_store_some(int16_t *p, vector_floats v, size_t count) {
  _mm256_mask_storeu_epi16(p, first_lanes(count), _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(v)));
}
INLINE vector_floats floats_greater(vector_floats a, vector_floats b) {
  return _mm512_max_ps(a, b);
}
INLINE vector_floats floats_lesser(vector_floats a, vector_floats b) { return _mm512_min_ps(a, b); }
INLINE vector_floats floats_fma(vector_floats a, vector_floats b, vector_floats c) {
  return _mm512_fmadd_ps(a, b, c);
}
INLINE vector_floats floats_from_codes(const uint8_t *p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)));
}

// MARK: Rounding and storing

INLINE __m512i clamp_codes(__m512i codes, code_range range) {
  return _mm512_min_epu8(_mm512_max_epu8(codes, _mm512_set1_epi8((char)range.lowest)),
                         _mm512_set1_epi8((char)range.highest));
}

// Four vectors of floats as 64 codes. Instructions that pack work within 128-bit lanes, and leave
// four channels of each vector in every lane.
INLINE __m512i codes_of(vector_floats a, vector_floats b, vector_floats c, vector_floats d,
                        code_range range) {
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i ab = _mm512_packs_epi32(_mm512_cvtps_epi32(a), _mm512_cvtps_epi32(b));
  const __m512i cd = _mm512_packs_epi32(_mm512_cvtps_epi32(c), _mm512_cvtps_epi32(d));
  return clamp_codes(_mm512_permutexvar_epi32(order, _mm512_packus_epi16(ab, cd)), range);
}

// Two pixels of at most 32 channels.
INLINE void store_pairs(const vector_floats *v, int pixels, uint8_t *out, ptrdiff_t pixel,
                        size_t channels, code_range range) {
  const __mmask32 present = (__mmask32)((1ull << channels) - 1);
  UNROLLED for (int p = 0; p < pixels; p += 2) {
    const vector_floats *a = v + 2 * p, *b = p + 1 < pixels ? a + 2 : a;
    const __m512i codes = codes_of(a[0], a[1], b[0], b[1], range);
    _mm256_mask_storeu_epi8(out + p * pixel, present, _mm512_castsi512_si256(codes));
    if (p + 1 < pixels) {
      _mm256_mask_storeu_epi8(out + (p + 1) * pixel, present, _mm512_extracti64x4_epi64(codes, 1));
    }
  }
}

// Four pixels of at most 16 channels.
INLINE void store_fours(const vector_floats *v, int pixels, uint8_t *out, ptrdiff_t pixel,
                        size_t channels, code_range range) {
  const __mmask16 present = (__mmask16)((1u << channels) - 1);
  UNROLLED for (int p = 0; p < pixels; p += 4) {
    const vector_floats *a = v + p, *b = p + 1 < pixels ? a + 1 : a;
    const vector_floats *c = p + 2 < pixels ? a + 2 : a, *d = p + 3 < pixels ? a + 3 : a;
    const __m512i codes = codes_of(*a, *b, *c, *d, range);
    uint8_t *to = out + p * pixel;
    _mm_mask_storeu_epi8(to, present, _mm512_castsi512_si128(codes));
    if (p + 1 < pixels) {
      _mm_mask_storeu_epi8(to + pixel, present, _mm512_extracti32x4_epi32(codes, 1));
    }
    if (p + 2 < pixels) {
      _mm_mask_storeu_epi8(to + 2 * pixel, present, _mm512_extracti32x4_epi32(codes, 2));
    }
    if (p + 3 < pixels) {
      _mm_mask_storeu_epi8(to + 3 * pixel, present, _mm512_extracti32x4_epi32(codes, 3));
    }
  }
}

INLINE void store_codes(const vector_floats *v, int pixels, int vectors, uint8_t *out,
                        ptrdiff_t pixel, size_t channels, code_range range) {
  if (vectors == 2) {
    store_pairs(v, pixels, out, pixel, channels, range);
  } else {
    store_fours(v, pixels, out, pixel, channels, range);
  }
}

// MARK: Lanes

// 64 bytes from one place, 32 from each of two, or 16 from each of four, `step` apart.
INLINE __m512i lane_load(const uint8_t *p, ptrdiff_t step, int places) {
  if (places == 1) return _mm512_loadu_si512(p);
  if (places == 2) {
    const __m256i first = _mm256_loadu_si256((const __m256i *)p);
    return _mm512_inserti64x4(_mm512_castsi256_si512(first),
                              _mm256_loadu_si256((const __m256i *)(p + step)), 1);
  }
  __m512i all = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
  all = _mm512_inserti32x4(all, _mm_loadu_si128((const __m128i *)(p + step)), 1);
  all = _mm512_inserti32x4(all, _mm_loadu_si128((const __m128i *)(p + 2 * step)), 2);
  return _mm512_inserti32x4(all, _mm_loadu_si128((const __m128i *)(p + 3 * step)), 3);
}

// Stores the first bytes of each part to its place.
INLINE void lane_store(__m512i codes, uint8_t *out, ptrdiff_t step, int places, size_t bytes) {
  const uint64_t present = ~0ull >> (64 - bytes);
  if (places == 1) {
    _mm512_mask_storeu_epi8(out, present, codes);
  } else if (places == 2) {
    const __mmask32 mask = (__mmask32)present;
    _mm256_mask_storeu_epi8(out, mask, _mm512_castsi512_si256(codes));
    _mm256_mask_storeu_epi8(out + step, mask, _mm512_extracti64x4_epi64(codes, 1));
  } else {
    const __mmask16 mask = (__mmask16)present;
    _mm_mask_storeu_epi8(out, mask, _mm512_castsi512_si128(codes));
    _mm_mask_storeu_epi8(out + step, mask, _mm512_extracti32x4_epi32(codes, 1));
    _mm_mask_storeu_epi8(out + 2 * step, mask, _mm512_extracti32x4_epi32(codes, 2));
    _mm_mask_storeu_epi8(out + 3 * step, mask, _mm512_extracti32x4_epi32(codes, 3));
  }
}

// MARK: Products

// A group of activations, repeated for all channels, and as many weights of each channel.
typedef __m512i group_codes;
typedef __m512i group_weights;

// Vectors of a tile are panels.
INLINE size_t weights_offset(int vector, size_t panel_bytes) {
  return (size_t)vector * panel_bytes;
}

INLINE group_weights weights_load(const int8_t *w, bool pairs_fit) {
  (void)pairs_fit;
  return _mm512_loadu_si512(w);
}

INLINE group_codes codes_load(const uint8_t *a, bool pairs_fit) {
  (void)pairs_fit;
  int32_t four;
  memcpy(&four, a, sizeof four);
  return _mm512_set1_epi32(four);
}

INLINE vector_sums multiply_add(vector_sums sums, group_codes a, group_weights w, bool pairs_fit) {
  (void)pairs_fit;
  return INT16_PRODUCTS ? _mm512_dpwssd_epi32(sums, a, w) : _mm512_dpbusd_epi32(sums, a, w);
}

// MARK: Columns of depthwise kernels

// Bytes (r0 r1 r2 r3) of 16 channels: up to four rows of one pixel column.
typedef __m512i column_codes;

#define COLUMN_WEIGHTS_BYTES 64

INLINE void column_prepare(const int8_t *packed, int8_t *prepared, bool pairs_fit) {
  (void)pairs_fit;
  _mm512_store_si512(prepared, _mm512_loadu_si512(packed));
}

// Channel c of the row in byte `place` of element c.
INLINE __m512i column_row(const uint8_t *row, int place) {
  const __m512i spread = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  // A byte of the order with its top bit set gives zero.
  const __m512i others = _mm512_set1_epi32((int)(0x80808080u & ~(0xFFu << (8 * place))));
  const __m512i order = _mm512_or_si512(_mm512_slli_epi32(spread, 8 * place), others);
  const __m128i codes = _mm_loadu_si128((const __m128i *)row);
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(codes), order);
}

INLINE column_codes column_load(const uint8_t *input, ptrdiff_t row, int rows, bool pairs_fit) {
  (void)pairs_fit;
  __m512i column = column_row(input, 0);
  if (rows > 1) column = _mm512_or_si512(column, column_row(input + row, 1));
  if (rows > 2) column = _mm512_or_si512(column, column_row(input + 2 * row, 2));
  if (rows > 3) column = _mm512_or_si512(column, column_row(input + 3 * row, 3));
  return column;
}

INLINE void column_multiply_add(vector_sums *sums, const column_codes *column,
                                const int8_t *prepared, int rows, bool pairs_fit) {
  (void)rows;
  (void)pairs_fit;
  *sums = _mm512_dpbusd_epi32(*sums, *column, _mm512_load_si512(prepared));
}

#endif

// Fovea - 256-bit vectors for the 8-bit kernels, with and without dot products.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_VECTOR_AVX2_H
#define FOV_INT8_VECTOR_AVX2_H

#include <immintrin.h>

#include "kernels/int8/fov_int8_vectors.h"

// Included after fov_target_begin.h. INT8_HAS_DOT_PRODUCT is 0 or 1.

#define VECTOR_LANES 8
#define TILE_PANELS 1
#define TILE_VECTORS_ACROSS 2
#if INT8_HAS_DOT_PRODUCT
#define PAIRS_SATURATE 0
#define TILE_PIXELS(vectors) ((vectors) == 1 ? 8 : 6)
#else
#define PAIRS_SATURATE !INT16_PRODUCTS
#define TILE_PIXELS(vectors) ((vectors) == 1 ? 8 : 5)
#endif
#define STORED_PIXELS(vectors) TILE_PIXELS(vectors)
#define KEPT_PIXELS(vectors) ((vectors) == 1 ? 4 : 2)
#define TILE_POOLED_PIXELS(vectors) ((vectors) == 1 ? 2 : 1)
#define HAS_DEPTHWISE_AVX2 1  // see fov_int8_depthwise_avx2.h

// With only 16 registers, clang would compute many values in parallel and keep them in memory.
#define KEEP_ORDER(value) __asm__ volatile("" : "+x"(value))

typedef __m256i vector_sums;
typedef __m256 vector_floats;

// Activations are unsigned, so that sums need no correction.
INLINE vector_sums sums_begin(const int32_t *weight_sums) {
  (void)weight_sums;
  return _mm256_setzero_si256();
}
INLINE vector_sums sums_greater(vector_sums a, vector_sums b) { return _mm256_max_epi32(a, b); }
INLINE vector_floats floats_from_sums(vector_sums s) { return _mm256_cvtepi32_ps(s); }
INLINE vector_floats floats_load(const float *p) { return _mm256_loadu_ps(p); }
INLINE vector_floats floats_of(float x) { return _mm256_set1_ps(x); }
INLINE void floats_store(float *p, vector_floats v) { _mm256_storeu_ps(p, v); }
INLINE vector_floats floats_greater(vector_floats a, vector_floats b) {
  return _mm256_max_ps(a, b);
}
INLINE vector_floats floats_lesser(vector_floats a, vector_floats b) { return _mm256_min_ps(a, b); }
INLINE vector_floats floats_fma(vector_floats a, vector_floats b, vector_floats c) {
  return _mm256_fmadd_ps(a, b, c);
}
INLINE vector_floats floats_from_codes(const uint8_t *p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}

// MARK: Rounding and storing

INLINE __m256i clamp_codes(__m256i codes, code_range range) {
  return _mm256_min_epu8(_mm256_max_epu8(codes, _mm256_set1_epi8((char)range.lowest)),
                         _mm256_set1_epi8((char)range.highest));
}

// Instructions that pack work within 128-bit lanes. Of vectors a, b, c, d they make
//   a0-3 b0-3 c0-3 d0-3 | a4-7 b4-7 c4-7 d4-7
// Interleaving the two lanes then gives a and b in `ab`, c and d in `cd`.
typedef struct packed_codes {
  __m128i ab, cd;
} packed_codes;

INLINE packed_codes codes_of(vector_floats a, vector_floats b, vector_floats c, vector_floats d,
                             code_range range) {
  const __m256i ab = _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b));
  const __m256i cd = _mm256_packs_epi32(_mm256_cvtps_epi32(c), _mm256_cvtps_epi32(d));
  const __m256i codes = clamp_codes(_mm256_packus_epi16(ab, cd), range);
  const __m128i low = _mm256_castsi256_si128(codes), high = _mm256_extracti128_si256(codes, 1);
  return (packed_codes){_mm_unpacklo_epi32(low, high), _mm_unpackhi_epi32(low, high)};
}

// Pixels of at most 16 channels. All codes are computed before the branch on how to store them.
// After the branch, the compiler would compute them pixel by pixel and read the factors for each.
INLINE void store_panels(const vector_floats *v, int pixels, uint8_t *out, ptrdiff_t pixel,
                         size_t channels, code_range range) {
  __m128i codes[TILE_PIXELS(2) + 1];
  UNROLLED for (int p = 0; p < pixels; p += 2) {
    const vector_floats *a = v + 2 * p, *b = p + 1 < pixels ? a + 2 : a;
    const packed_codes two = codes_of(a[0], a[1], b[0], b[1], range);
    codes[p] = two.ab;
    codes[p + 1] = two.cd;
  }
  if (channels == FOV_PANEL) {
    UNROLLED for (int p = 0; p < pixels; p++) {
      _mm_storeu_si128((__m128i *)(out + p * pixel), codes[p]);
    }
    return;
  }
  for (int p = 0; p < pixels; p++) {
    uint8_t some[FOV_PANEL];
    _mm_storeu_si128((__m128i *)some, codes[p]);
    store_some(some, out + p * pixel, channels);
  }
}

// Pixels of at most 8 channels.
INLINE void store_half_panels(const vector_floats *v, int pixels, uint8_t *out, ptrdiff_t pixel,
                              size_t channels, code_range range) {
  __m128i codes[TILE_PIXELS(1) / 2];
  UNROLLED for (int p = 0; p < pixels; p += 4) {
    const vector_floats *a = v + p;
    const packed_codes four = codes_of(a[0], a[p + 1 < pixels ? 1 : 0], a[p + 2 < pixels ? 2 : 0],
                                       a[p + 3 < pixels ? 3 : 0], range);
    codes[p / 2] = four.ab;
    codes[p / 2 + 1] = four.cd;
  }
  if (channels == 8) {
    UNROLLED for (int p = 0; p < pixels; p++) {
      const __m128i two = codes[p / 2];
      _mm_storel_epi64((__m128i *)(out + p * pixel), p % 2 == 0 ? two : _mm_srli_si128(two, 8));
    }
    return;
  }
  for (int p = 0; p < pixels; p++) {
    uint8_t some[FOV_PANEL];
    const __m128i two = codes[p / 2];
    _mm_storeu_si128((__m128i *)some, p % 2 == 0 ? two : _mm_srli_si128(two, 8));
    store_some(some, out + p * pixel, channels);
  }
}

INLINE void store_codes(const vector_floats *v, int pixels, int vectors, uint8_t *out,
                        ptrdiff_t pixel, size_t channels, code_range range) {
  if (vectors == 2) {
    store_panels(v, pixels, out, pixel, channels, range);
  } else {
    store_half_panels(v, pixels, out, pixel, channels, range);
  }
}

INLINE void int16_store_some(int16_t *p, vector_floats v, size_t count) {
  const __m256i sums = _mm256_cvtps_epi32(v);
  const __m128i int16 =
      _mm_packs_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  if (count >= VECTOR_LANES) {
    _mm_storeu_si128((__m128i *)p, int16);
    return;
  }
  int16_t some[VECTOR_LANES];
  _mm_storeu_si128((__m128i *)some, int16);
  memcpy(p, some, count * sizeof *p);
}

// MARK: Products

// A group of activations, repeated for all channels, and a group of weights of each channel. They
// are bytes; for exact products, even and odd bytes are also widened to 16 bits.
typedef struct group_codes {
  __m256i bytes, even, odd;
} group_codes;
typedef group_codes group_weights;

INLINE size_t weights_offset(int vector, size_t panel_bytes) {
  (void)panel_bytes;
  return (size_t)vector * VECTOR_LANES * FOV_GROUP;
}

INLINE group_weights weights_load(const int8_t *w, bool pairs_fit) {
  group_weights group = {.bytes = _mm256_loadu_si256((const __m256i *)w)};
  if (!pairs_fit) {
    group.even = _mm256_srai_epi16(_mm256_slli_epi16(group.bytes, 8), 8);
    group.odd = _mm256_srai_epi16(group.bytes, 8);
  }
  return group;
}

INLINE group_codes codes_load(const uint8_t *a, bool pairs_fit) {
  int32_t four;
  memcpy(&four, a, sizeof four);
  group_codes group = {.bytes = _mm256_set1_epi32(four)};
  if (!pairs_fit) {
    group.even = _mm256_and_si256(group.bytes, _mm256_set1_epi32(0x00FF00FF));
    group.odd = _mm256_srli_epi16(group.bytes, 8);
  }
  return group;
}

INLINE vector_sums multiply_add(vector_sums sums, group_codes a, group_weights w, bool pairs_fit) {
#if INT8_HAS_DOT_PRODUCT
  (void)pairs_fit;
  return _mm256_dpbusd_avx_epi32(sums, a.bytes, w.bytes);
#elif INT16_PRODUCTS
  (void)pairs_fit;
  return _mm256_add_epi32(sums, _mm256_madd_epi16(a.bytes, w.bytes));
#else
  if (pairs_fit) {
    const __m256i pairs = _mm256_maddubs_epi16(a.bytes, w.bytes);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(a.even, w.even));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(a.odd, w.odd));
#endif
}

// MARK: Columns of depthwise kernels

// Up to four rows of one pixel column, 16 channels. When pairs fit: bytes (r0 r1 r2 r3) of each
// channel, 8 channels a vector. Otherwise 16-bit integers (r0 r1), and (r2 r3) in `second`.
typedef struct column_codes {
  __m256i first[2], second[2];
} column_codes;

// Room for the weights of a group as column_multiply_add reads them.
#define COLUMN_WEIGHTS_BYTES 128

INLINE void column_prepare(const int8_t *packed, int8_t *prepared, bool pairs_fit) {
  UNROLLED for (int v = 0; v < 2; v++) {
    const __m256i w = _mm256_loadu_si256((const __m256i *)(packed + 32 * v));
    if (pairs_fit) {
      _mm256_store_si256((__m256i *)(prepared + 32 * v), w);
    } else {
      // (w0 w1) and (w2 w3) of each channel as 16-bit integers
      const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(w, 8), 8);  // w0 w2
      const __m256i odd = _mm256_srai_epi16(w, 8);                         // w1 w3
      const __m256i low = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
      const __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xAA);
      _mm256_store_si256((__m256i *)(prepared + 32 * v), low);
      _mm256_store_si256((__m256i *)(prepared + 64 + 32 * v), high);
    }
  }
}

// 16 channels of a row as 16-bit integers. Channels 0-3 and 8-11 are in the lower lane, 4-7 and
// 12-15 in the upper. Interleaving works within lanes, and then gives channels 0-7 and 8-15.
INLINE __m256i int16_order(void) {
  __m256i order = _mm256_setr_epi8(0, -1, 1, -1, 2, -1, 3, -1, 8, -1, 9, -1, 10, -1, 11, -1,  //
                                   4, -1, 5, -1, 6, -1, 7, -1, 12, -1, 13, -1, 14, -1, 15, -1);
  // Hidden from the compiler, which would choose other shuffles that cross lanes and are slow.
  __asm__("" : "+x"(order));
  return order;
}

INLINE __m256i column_int16(const uint8_t *row, __m256i order) {
  const __m128i codes = _mm_loadu_si128((const __m128i *)row);
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(codes), order);
}

// 16-bit integers of `rows` rows, 0 ... 2, the second in the upper bytes.
INLINE __m256i column_pairs(const uint8_t *input, ptrdiff_t row, int rows, __m256i order) {
  if (rows <= 0) return _mm256_setzero_si256();
  const __m256i lower = column_int16(input, order);
  if (rows == 1) return lower;
  return _mm256_or_si256(lower, _mm256_slli_epi16(column_int16(input + row, order), 8));
}

INLINE column_codes column_load(const uint8_t *input, ptrdiff_t row, int rows, bool pairs_fit) {
  const __m256i order = int16_order();
  column_codes column;
  if (pairs_fit) {
    const __m256i low = column_pairs(input, row, rows < 2 ? rows : 2, order);
    const __m256i high = column_pairs(input + 2 * row, row, rows - 2, order);
    column.first[0] = _mm256_unpacklo_epi16(low, high);
    column.first[1] = _mm256_unpackhi_epi16(low, high);
    return column;
  }
  const __m256i zero = _mm256_setzero_si256();
  const __m256i r0 = column_int16(input, order);
  const __m256i r1 = rows > 1 ? column_int16(input + row, order) : zero;
  column.first[0] = _mm256_unpacklo_epi16(r0, r1);
  column.first[1] = _mm256_unpackhi_epi16(r0, r1);
  if (rows > 2) {
    const __m256i r2 = column_int16(input + 2 * row, order);
    const __m256i r3 = rows > 3 ? column_int16(input + 3 * row, order) : zero;
    column.second[0] = _mm256_unpacklo_epi16(r2, r3);
    column.second[1] = _mm256_unpackhi_epi16(r2, r3);
  }
  return column;
}

INLINE void column_multiply_add(vector_sums *sums, const column_codes *column,
                                const int8_t *prepared, int rows, bool pairs_fit) {
  UNROLLED for (int v = 0; v < 2; v++) {
    const __m256i w = _mm256_load_si256((const __m256i *)(prepared + 32 * v));
    if (pairs_fit) {
      sums[v] = multiply_add(sums[v], (group_codes){.bytes = column->first[v]},
                             (group_weights){.bytes = w}, true);
      continue;
    }
    sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(column->first[v], w));
    if (rows > 2) {
      const __m256i high = _mm256_load_si256((const __m256i *)(prepared + 64 + 32 * v));
      sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(column->second[v], high));
    }
  }
}

#endif

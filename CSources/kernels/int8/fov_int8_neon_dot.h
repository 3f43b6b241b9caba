// Fovea - dot products of NEON: sdot on shifted activations, or usdot.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_NEON_DOT_H
#define FOV_INT8_NEON_DOT_H

#include "kernels/int8/fov_int8_neon_vectors.h"

// INT8_HAS_USDOT is 0 or 1. Without usdot, activations become signed bytes, a - 128, and sums begin
// with 128 * (sum of the weights).
//
// usmmla is not used. It computes twice the products of usdot, but needs the weights of eight input
// channels of two output channels side by side. The packing that all sets share has another order.
// Reordering weights and separating the sums of two pixels would cost much of the gain.
INLINE vector_sums sums_begin(const int32_t *weight_sums) {
#if INT8_HAS_USDOT
  (void)weight_sums;
  return vdupq_n_s32(0);
#else
  return vshlq_n_s32(vld1q_s32(weight_sums), 7);
#endif
}

#if INT8_HAS_USDOT
typedef uint8x16_t vector_codes;
INLINE vector_codes codes_signed(uint8x16_t codes) { return codes; }
#define dot(sums, codes, weights) vusdotq_s32(sums, codes, weights)
#define dot_lane(sums, codes, weights, lane) vsudotq_laneq_s32(sums, weights, codes, lane)
#else
typedef int8x16_t vector_codes;
INLINE vector_codes codes_signed(uint8x16_t codes) {
  return vreinterpretq_s8_u8(veorq_u8(codes, vdupq_n_u8(0x80)));
}
#define dot(sums, codes, weights) vdotq_s32(sums, codes, weights)
#define dot_lane(sums, codes, weights, lane) vdotq_laneq_s32(sums, weights, codes, lane)
#endif

// Four groups of a pixel are one load. A lane of it is multiplied by the weights of a group. The
// last one to three groups are loaded one by one.
INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  (void)panel_bytes;
  (void)pairs_fit;
#define LANE(number)                                                                   \
  UNROLLED for (int v = 0; v < vectors; v++) {                                         \
    const int8x16_t w = vld1q_s8(weights + FOV_PANEL * FOV_GROUP * (number) + 16 * v); \
    UNROLLED for (int p = 0; p < rows * columns; p++) {                                \
      sums[p * vectors + v] = dot_lane(sums[p * vectors + v], codes[p], w, number);    \
    }                                                                                  \
  }
  for (; groups >= 4; groups -= 4) {
    vector_codes codes[TILE_VECTORS];
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      codes[p] = codes_signed(vld1q_u8(input + p / columns * row + p % columns * column));
    }
    LANE(0)
    LANE(1)
    LANE(2)
    LANE(3)
    input += 4 * FOV_GROUP;
    weights += 4 * FOV_PANEL * FOV_GROUP;
  }
#undef LANE
  for (; groups != 0; groups--) {
    vector_codes codes[TILE_VECTORS];
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      uint32_t four;
      memcpy(&four, input + p / columns * row + p % columns * column, sizeof four);
      codes[p] = codes_signed(vreinterpretq_u8_u32(vdupq_n_u32(four)));
    }
    UNROLLED for (int v = 0; v < vectors; v++) {
      const int8x16_t w = vld1q_s8(weights + 16 * v);
      UNROLLED for (int p = 0; p < rows * columns; p++) {
        sums[p * vectors + v] = dot(sums[p * vectors + v], codes[p], w);
      }
    }
    input += FOV_GROUP;
    weights += FOV_PANEL * FOV_GROUP;
  }
}

// MARK: Columns of depthwise kernels

typedef struct column_codes {
  vector_codes of[4];
} column_codes;

#define COLUMN_WEIGHTS_BYTES 64

INLINE void column_prepare(const int8_t *packed, int8_t *prepared, bool pairs_fit) {
  (void)pairs_fit;
  memcpy(prepared, packed, COLUMN_WEIGHTS_BYTES);
}

INLINE column_codes column_load(const uint8_t *input, ptrdiff_t row, int rows, bool pairs_fit) {
  (void)pairs_fit;
  uint8x16_t lines[4], mixed[4];
  column_rows(input, row, rows, lines);
  column_interleave(lines, mixed);
  column_codes column;
  // Without usdot, missing rows become -128. Their weights are zeros.
  UNROLLED for (int i = 0; i < 4; i++) column.of[i] = codes_signed(mixed[i]);
  return column;
}

INLINE void column_multiply_add(vector_sums *sums, const column_codes *column,
                                const int8_t *prepared, int rows, bool pairs_fit) {
  (void)rows;
  (void)pairs_fit;
  UNROLLED for (int i = 0; i < 4; i++) {
    sums[i] = dot(sums[i], column->of[i], vld1q_s8(prepared + 16 * i));
  }
}

#endif

// Fovea - products on AArch64 without dot products: of bytes widened to 16 bits, and of int16.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_NEON_WIDENING_H
#define FOV_INT8_NEON_WIDENING_H

#include "kernels/int8/fov_int8_neon_vectors.h"

// Activations are unsigned, so that sums need no correction.
INLINE vector_sums sums_begin(const int32_t *weight_sums) {
  (void)weight_sums;
  return vdupq_n_s32(0);
}

// The weights of one input channel of a group for a vector of output channels, as 16-bit integers.
typedef struct group_weights {
  int16x4_t of[FOV_GROUP];
} group_weights;

#if INT16_PRODUCTS
INLINE group_weights weights_load(const int8_t *w) {
  const int16x8_t both = vreinterpretq_s16_s8(vld1q_s8(w));
  return (group_weights){
      {vget_low_s16(vuzp1q_s16(both, both)), vget_low_s16(vuzp2q_s16(both, both))}};
}

INLINE int16x4_t codes_load(const uint8_t *a) {
  uint32_t pair;
  memcpy(&pair, a, sizeof pair);
  return vreinterpret_s16_u32(vdup_n_u32(pair));
}
#else
// [channel][input] to [input][channel]: a 4x4 transposition of bytes in one look-up.
INLINE group_weights weights_load(const int8_t *w) {
  static const uint8_t order[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const int8x16_t turned = vqtbl1q_s8(vld1q_s8(w), vld1q_u8(order));
  const int16x8_t first = vmovl_s8(vget_low_s8(turned)), last = vmovl_high_s8(turned);
  return (group_weights){
      {vget_low_s16(first), vget_high_s16(first), vget_low_s16(last), vget_high_s16(last)}};
}

INLINE int16x4_t codes_load(const uint8_t *a) {
  uint32_t four;
  memcpy(&four, a, sizeof four);
  const uint8x8_t codes = vreinterpret_u8_u32(vdup_n_u32(four));
  return vreinterpret_s16_u16(vget_low_u16(vmovl_u8(codes)));
}
#endif

INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  (void)panel_bytes;
  (void)pairs_fit;
  for (; groups != 0; groups--) {
    int16x4_t a[TILE_VECTORS];
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      a[p] = codes_load(input + p / columns * row + p % columns * column);
    }
    UNROLLED for (int v = 0; v < vectors; v++) {
      const group_weights w = weights_load(weights + 16 * v);
      UNROLLED for (int p = 0; p < rows * columns; p++) {
        vector_sums *sum = &sums[p * vectors + v];
        *sum = vmlal_lane_s16(*sum, w.of[0], a[p], 0);
        *sum = vmlal_lane_s16(*sum, w.of[1], a[p], 1);
        if (INT16_PRODUCTS) continue;
        *sum = vmlal_lane_s16(*sum, w.of[2], a[p], 2);
        *sum = vmlal_lane_s16(*sum, w.of[3], a[p], 3);
      }
    }
    input += FOV_GROUP;
    weights += FOV_PANEL * FOV_GROUP;
  }
}

// MARK: Columns of depthwise kernels

typedef struct column_codes {
  int16x8_t low[4], high[4];  // channels 0-7 and 8-15 of each row
} column_codes;

// 16-bit integers, [row][channel].
#define COLUMN_WEIGHTS_BYTES 128

INLINE void column_prepare(const int8_t *packed, int8_t *prepared, bool pairs_fit) {
  (void)pairs_fit;
  const int8x16x4_t rows = vld4q_s8(packed);
  UNROLLED for (int i = 0; i < 4; i++) {
    const int16x8_t low = vmovl_s8(vget_low_s8(rows.val[i])), high = vmovl_high_s8(rows.val[i]);
    memcpy(prepared + 32 * i, &low, sizeof low);
    memcpy(prepared + 32 * i + 16, &high, sizeof high);
  }
}

INLINE column_codes column_load(const uint8_t *input, ptrdiff_t row, int rows, bool pairs_fit) {
  (void)pairs_fit;
  uint8x16_t lines[4];
  column_rows(input, row, rows, lines);
  column_codes column;
  UNROLLED for (int i = 0; i < 4; i++) {
    column.low[i] = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(lines[i])));
    column.high[i] = vreinterpretq_s16_u16(vmovl_high_u8(lines[i]));
  }
  return column;
}

INLINE void column_multiply_add(vector_sums *sums, const column_codes *column,
                                const int8_t *prepared, int rows, bool pairs_fit) {
  (void)pairs_fit;
  UNROLLED for (int i = 0; i < 4; i++) {
    if (i >= rows) continue;
    int16x8_t low, high;
    memcpy(&low, prepared + 32 * i, sizeof low);
    memcpy(&high, prepared + 32 * i + 16, sizeof high);
    sums[0] = vmlal_s16(sums[0], vget_low_s16(column->low[i]), vget_low_s16(low));
    sums[1] = vmlal_high_s16(sums[1], column->low[i], low);
    sums[2] = vmlal_s16(sums[2], vget_low_s16(column->high[i]), vget_low_s16(high));
    sums[3] = vmlal_high_s16(sums[3], column->high[i], high);
  }
}

#endif

// Fovea - kernels of words for AArch64.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_word_kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define WORD_PRODUCTS 1
#include "kernels/fov_int8_neon_vectors.h"

INLINE vector_sums sums_begin(const int32_t *weight_sums) {
  (void)weight_sums;
  return vdupq_n_s32(0);
}

// A panel of values in range as words.
INLINE void store_words(const vector_floats *v, int16_t *out) {
  UNROLLED for (int i = 0; i < 2; i++) {
    const int16x4_t low = vmovn_s32(vcvtnq_s32_f32(v[2 * i]));
    vst1q_s16(out + 8 * i, vcombine_s16(low, vmovn_s32(vcvtnq_s32_f32(v[2 * i + 1]))));
  }
}

// The two inputs of a group are a lane each, their weights for four channels a vector each.
INLINE void accumulate(vector_sums *sums, int rows, int columns, int vectors, const uint8_t *input,
                       ptrdiff_t row, ptrdiff_t column, const int8_t *weights, size_t panel_bytes,
                       size_t groups, bool pairs_fit) {
  (void)panel_bytes;
  (void)pairs_fit;
  for (; groups != 0; groups--) {
    int16x4_t a[TILE_VECTORS];
    UNROLLED for (int p = 0; p < rows * columns; p++) {
      uint32_t pair;
      memcpy(&pair, input + p / columns * row + p % columns * column, sizeof pair);
      a[p] = vreinterpret_s16_u32(vdup_n_u32(pair));
    }
    UNROLLED for (int v = 0; v < vectors; v++) {
      const int16x8_t both = vreinterpretq_s16_s8(vld1q_s8(weights + 16 * v));
      const int16x4_t first = vget_low_s16(vuzp1q_s16(both, both));
      const int16x4_t second = vget_low_s16(vuzp2q_s16(both, both));
      UNROLLED for (int p = 0; p < rows * columns; p++) {
        vector_sums *sum = &sums[p * vectors + v];
        *sum = vmlal_lane_s16(*sum, first, a[p], 0);
        *sum = vmlal_lane_s16(*sum, second, a[p], 1);
      }
    }
    input += FOV_GROUP;
    weights += FOV_PANEL * FOV_GROUP;
  }
}

#include "kernels/fov_int8_convolution_body.h"
#include "kernels/fov_word_element_body.h"

FOV_INTERNAL extern const fov_word_kernels fov_word_kernels_neon;
const fov_word_kernels fov_word_kernels_neon = {convolution, quantize_words};

#else
typedef int fov_word_neon_is_empty;
#endif

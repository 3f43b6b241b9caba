// Fovea - depthwise 8-bit convolution: one panel, and one pixel of any kernel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_ROW_LOOP_H
#define FOV_INT8_DEPTHWISE_ROW_LOOP_H

#include "kernels/int8/fov_int8_epilogue_body.h"

// Weights of a panel as column_multiply_add reads them, for kernels up to 7x7.
#define PREPARED_GROUPS 14

typedef struct depthwise_loop {
  const fov_int8_depthwise *depthwise;
  const int8_t *weights;   // of this panel
  const int8_t *prepared;  // its groups, or NULL when there are too many
  size_t groups;           // of kernel rows, in a kernel column
  tile_place place;
} depthwise_loop;

typedef void (*depthwise_row_function)(const depthwise_loop *loop, size_t y);

INLINE const uint8_t *depthwise_input(const depthwise_loop *loop, size_t y, size_t x) {
  const fov_int8_depthwise *k = loop->depthwise;
  return k->input + (ptrdiff_t)(y * k->stride[0]) * k->input_row +
         (ptrdiff_t)(x * k->stride[1]) * k->input_pixel + loop->place.channel;
}

INLINE void depthwise_begin(const depthwise_loop *loop, vector_sums *sums, int pixels) {
  const int32_t *weight_sums = loop->depthwise->weight_sums + loop->place.channel;
  UNROLLED for (int i = 0; i < pixels * PANEL_VECTORS; i++) {
    sums[i] = sums_begin(weight_sums + i % PANEL_VECTORS * VECTOR_LANES);
  }
}

// One pixel of any kernel.
INLINE void depthwise_pixel(const depthwise_loop *loop, size_t y, size_t x, bool pairs_fit) {
  const fov_int8_depthwise *k = loop->depthwise;
  const ptrdiff_t row = (ptrdiff_t)k->dilation[0] * k->input_row;
  const ptrdiff_t column = (ptrdiff_t)k->dilation[1] * k->input_pixel;
  vector_sums sums[PANEL_VECTORS];
  depthwise_begin(loop, sums, 1);
  for (size_t j = 0; j < k->kernel[1]; j++) {
    const uint8_t *input = depthwise_input(loop, y, x) + (ptrdiff_t)j * column;
    for (size_t i = 0; i < loop->groups; i++, input += FOV_GROUP * row) {
      const size_t group = j * loop->groups + i, rows = k->kernel[0] - i * FOV_GROUP;
      _Alignas(64) int8_t own[COLUMN_WEIGHTS_BYTES];
      const int8_t *weights = own;
      if (loop->prepared != NULL) {
        weights = loop->prepared + group * COLUMN_WEIGHTS_BYTES;
      } else {
        column_prepare(loop->weights + group * FOV_PANEL * FOV_GROUP, own, pairs_fit);
      }
      const int present = rows < FOV_GROUP ? (int)rows : FOV_GROUP;
      const column_codes codes = column_load(input, row, present, pairs_fit);
      column_multiply_add(sums, &codes, weights, FOV_GROUP, pairs_fit);
    }
  }
  finish_heavy_tile(&loop->place, sums, 1, PANEL_VECTORS, y, x);
}

INLINE void any_row(const depthwise_loop *loop, size_t y, bool pairs_fit) {
  for (size_t x = 0; x < loop->depthwise->columns; x++) depthwise_pixel(loop, y, x, pairs_fit);
}

#define ANY_FUNCTION(name, pairs_fit) \
  SEPARATE void name(const depthwise_loop *loop, size_t y) { any_row(loop, y, pairs_fit); }
ANY_FUNCTION(depthwise_any, true)
#if PAIRS_SATURATE
ANY_FUNCTION(depthwise_any_exact, false)
#endif

#endif

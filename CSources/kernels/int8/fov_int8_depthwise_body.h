// Fovea - depthwise 8-bit convolution: columns of the kernel as groups of rows.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_BODY_H
#define FOV_INT8_DEPTHWISE_BODY_H

#include "kernels/int8/fov_int8_depthwise_row_loop.h"
#if HAS_DEPTHWISE_AVX512
#include "kernels/int8/fov_int8_depthwise_avx512.h"
#elif HAS_DEPTHWISE_AVX2
#include "kernels/int8/fov_int8_depthwise_avx2.h"
#else
#include "kernels/int8/fov_int8_depthwise_3x3_5x5.h"
#endif

// How many channels from `channel` on the wide vectors did, if any.
INLINE size_t depthwise_wide(const fov_int8_depthwise *k, size_t channel, size_t row_begin,
                             size_t row_end) {
#if HAS_DEPTHWISE_AVX512
  if (!lanes_apply(k)) return 0;
  depthwise_lanes(k, channel, row_begin, row_end);
  return LANE_CHANNELS;
#elif HAS_DEPTHWISE_AVX2
  if (!pair_applies(k, channel)) return 0;
  depthwise_pair(k, channel, row_begin, row_end);
  return PAIR_CHANNELS;
#else
  (void)k, (void)channel, (void)row_begin, (void)row_end;
  return 0;
#endif
}

INLINE depthwise_row_function depthwise_function(const fov_int8_depthwise *k, bool pairs_fit) {
#if PAIRS_SATURATE
  if (!pairs_fit) return depthwise_any_exact;
#endif
  (void)pairs_fit;
#if !HAS_DEPTHWISE_AVX512 && !HAS_DEPTHWISE_AVX2
  if (square_function(k) != NULL) return square_function(k);
#endif
  (void)k;
  return depthwise_any;
}

// All rows of one panel, so that its weights are prepared once.
INLINE void depthwise_panel(const fov_int8_depthwise *k, size_t channel, size_t row_begin,
                            size_t row_end) {
  const size_t groups = fov_size_parts(k->kernel[0], FOV_GROUP), all = groups * k->kernel[1];
  const bool pairs_fit = !PAIRS_SATURATE || k->pairs_fit[channel / FOV_PANEL] != 0;
  _Alignas(64) int8_t prepared[PREPARED_GROUPS * COLUMN_WEIGHTS_BYTES];
  const depthwise_loop loop = {
      .depthwise = k,
      .weights = k->weights + channel * all * FOV_GROUP,
      .prepared = all <= PREPARED_GROUPS ? prepared : NULL,
      .groups = groups,
      .place = {&k->epilogue, k->output, k->output_row, k->output_pixel, channel,
                fov_size_min(k->channels - channel, FOV_PANEL)},
  };
  for (size_t i = 0; i < all && loop.prepared != NULL; i++) {
    column_prepare(loop.weights + i * FOV_PANEL * FOV_GROUP, prepared + i * COLUMN_WEIGHTS_BYTES,
                   pairs_fit);
  }
  const depthwise_row_function run = depthwise_function(k, pairs_fit);
  for (size_t y = row_begin; y < row_end; y++) run(&loop, y);
}

static void depthwise(const fov_int8_depthwise *k, size_t row_begin, size_t row_end) {
  if (row_begin == row_end) return;
  for (size_t c = 0; c < k->channels;) {
    const size_t wide = depthwise_wide(k, c, row_begin, row_end);
    if (wide == 0) depthwise_panel(k, c, row_begin, row_end);
    c += wide > 0 ? wide : FOV_PANEL;
  }
}

#endif

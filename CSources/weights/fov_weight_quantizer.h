// Fovea - one row of weights as integers of 8 or 16 bits and a scale.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_QUANTIZER_H
#define FOV_WEIGHT_QUANTIZER_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/core/fov_model.h"

// real = code * scale, codes in -127 ... 127, one scale for each output channel.
//
// Processors without 8-bit dot products add the products of two neighboring inputs in 16 bits. The
// sum overflows when two codes of one sign add up to more than 128, since 255 * 129 > 2^15. A panel
// with such a pair takes a slower, exact path. The scale is therefore the finest one for which no
// pair overflows. For weights with a normal distribution this costs about a third of a bit, and all
// instruction sets run at full speed with the same codes.
//
// Pairs are channels 4j, 4j+1 and 4j+2, 4j+3 of one position. A depthwise convolution has one
// channel; its pairs are rows 4j, 4j+1 and 4j+2, 4j+3 of one column.
typedef struct fov_weight_taps {
  const float *values;  // [input channel][kernel row][kernel column], as Core ML stores them
  size_t channels, rows, columns;
  bool depthwise;
  // (channels,): of the activations, by which codes are rounded (fov_weight_rounding.h). NULL: each
  // weight is rounded to the nearest code.
  const fov_channel_summary *inputs;
} fov_weight_taps;

// out_codes: same order as the taps. Returns the scale; 1 when all taps are zero.
FOV_INTERNAL float fov_quantize_weights(const fov_weight_taps *taps, int8_t *out_codes);

// The same in 16 bits. The scale is the finest one for which the sum of the row's weights times the
// largest activations fits into 32 bits. Each weight is rounded to the nearest code. count: fewer
// than 2^17.
FOV_INTERNAL float fov_quantize_weights_to_int16(const float *taps, size_t count,
                                                 int16_t *out_int16);

#endif

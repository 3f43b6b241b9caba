// Fovea - one row of weights as integers of 8 or 16 bits and a scale.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_QUANTIZER_H
#define FOV_WEIGHT_QUANTIZER_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/fov_model.h"

// real = code * scale, codes in -127 ... 127, one scale for each output channel.
//
// Processors without 8-bit dot products multiply two neighboring inputs at a time into 16 bits, which
// overflow when 255 * (w0 + w1) does: for two weights of one sign whose codes add up to more than 128.
// A channel with such a pair takes a slower, exact path there. The scale is therefore the finest
// one for which no pair overflows: for bell-shaped weights that costs about a third of a bit,
// and every instruction set runs at full speed on the same codes.
//
// Pairs are channels 4j, 4j+1 and 4j+2, 4j+3 of one position; of a depthwise convolution, which has one
// channel, rows 4j, 4j+1 and 4j+2, 4j+3 of one column.
typedef struct fov_weight_taps {
  const float *values;    // [input channel][kernel row][kernel column], as Core ML stores them
  size_t channels, rows, columns;
  bool depthwise;
  const fov_channel_summary *inputs;  // (channels,), what they multiply: codes are rounded by it
                                    // (fov_weight_rounding.h); NULL: each to the nearest
} fov_weight_taps;

// out_codes: same order as the taps. Returns the scale; 1 when all taps are zero.
FOV_INTERNAL float fov_quantize_weights(const fov_weight_taps *taps, int8_t *out_codes);

// The same in words: with the finest scale for which the sum of the largest activations times the weights of the row
// fits into 32 bits, each rounded to the nearest. count: fewer than 2^17.
FOV_INTERNAL float fov_quantize_weights_to_int16(const float *taps, size_t count,
                                                 int16_t *out_int16);

#endif

// Fovea - one row of weights as 8-bit integers and a scale.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_QUANTIZER_H
#define FOV_WEIGHT_QUANTIZER_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// real = code * scale, codes in -127 ... 127, one scale for each output channel.
//
// Processors without 8-bit dot products multiply two neighbouring inputs at a time into 16 bits, which
// overflow when 255 * (w0 + w1) does: for two weights of one sign whose codes add up to more than 128.
// A channel with such a pair takes a slower, exact path there. The scale is therefore the finest
// one for which no pair overflows: for bell-shaped weights that costs about a third of a bit,
// and every instruction set runs at full speed on the same codes.
//
// taps: [input channel][kernel position] as Core ML stores them, `channels` x `positions`.
// Pairs are channels 4j, 4j+1 and 4j+2, 4j+3 of one position; or, when `rows` > 0 (depthwise: one channel,
// positions = rows x columns), rows 4j, 4j+1 and 4j+2, 4j+3 of one column.
// out_codes: same order as taps. Returns the scale; 1 when all taps are zero.
FOV_INTERNAL float fov_quantize_weights(const float *taps, size_t channels, size_t positions,
                                        size_t rows, int8_t *out_codes);

#endif

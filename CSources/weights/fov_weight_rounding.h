// Fovea - rounding weights so that their errors cancel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_ROUNDING_H
#define FOV_WEIGHT_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/core/fov_model.h"

// Quantizing the weights of a sum y = sum w x adds an error e = sum (code * scale - w) x. Rounding
// each weight to the nearest code makes every term small, but not their sum. Activations have a
// mean, and neighboring pixels are alike, so that errors of one sign add up. Let
//
//   E[x_cp x_dq] = mean_c mean_d + (c = d) variance_c correlation(p, q)
//
// that is, channels are independent except for their means, and positions p, q of the kernel are
// correlated by their distance. Then E[e^2] is a quadratic form of the errors, with two numbers for
// each channel. Coordinate descent lowers it: each code is moved to its best integer, while all
// others stay.
//
// The aim is that of E. Frantar, S. Ashkboos, T. Hoefler, D. Alistarh: GPTQ, ICLR 2023, and of
// B. Hassibi, D. Stork: Optimal Brain Surgeon, 1993. Measured on yolo-fastest, this form gains most
// of what all second moments gain (Benchmarks/History/calibration.md).
typedef struct fov_weight_row {
  const float *taps;  // [channels][rows * columns]
  size_t channels, rows, columns;
  const fov_channel_summary *inputs;  // (channels,)
  float scale;
} fov_weight_row;

// Whether code `index` may become `code` while the other codes stay.
typedef bool (*fov_code_limit)(const void *context, const int8_t *codes, size_t index, int code);

// Changes codes (channels * rows * columns, each the nearest at first) to lower the error of the
// sum. Takes O(taps * rows * columns).
FOV_INTERNAL void fov_round_weights(const fov_weight_row *row, fov_code_limit fits,
                                    const void *context, int8_t *codes);

#endif

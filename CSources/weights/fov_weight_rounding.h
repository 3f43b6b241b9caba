// Fovea - rounding weights so that their errors cancel.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_ROUNDING_H
#define FOV_WEIGHT_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"
#include "fovea/fov_model.h"

// A sum of products y = sum w x is wrong by e = sum (code * scale - w) x when its weights become codes.
// Rounding each weight to the nearest code makes every term small, not the sum: what a
// channel multiplies has a mean, and neighboring pixels are alike, so that errors of one sign add up. With
//
//   E[x_cp x_dq] = mean_c mean_d + (c = d) variance_c correlation(p, q)
//
// - channels independent but for their means, positions of the kernel correlated by their distance - the
// expectation of e squared is a quadratic form of the errors that needs no more than two numbers
// for each channel. It is lowered code by code (coordinate descent), each moved to its best whole value
// while all others stay.
//
// The aim is that of E. Frantar, S. Ashkboos, T. Hoefler, D. Alistarh: GPTQ, ICLR 2023, and of B. Hassibi,
// D. Stork: Optimal Brain Surgeon, 1993; measured on yolo-fastest, this form reaches most of what that of
// all second moments does (Benchmarks/History/calibration.md).
typedef struct fov_weight_row {
  const float *taps;      // [channels][rows * columns]
  size_t channels, rows, columns;
  const fov_channel_summary *inputs;  // (channels,)
  float scale;
} fov_weight_row;

// Whether code `index` may become `code`, beside the others.
typedef bool (*fov_code_limit)(const void *context, const int8_t *codes, size_t index, int code);

// Moves codes (channels * rows * columns, at first each the nearest) to where the sum errs least. O(taps *
// rows * columns).
FOV_INTERNAL void fov_round_weights(const fov_weight_row *row, fov_code_limit fits,
                                    const void *context, int8_t *codes);

#endif

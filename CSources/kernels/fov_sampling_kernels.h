// Fovea - the arithmetic of sampling images: layout, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_KERNELS_H
#define FOV_SAMPLING_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// A sample is one channel of one pixel. Every set writes the bytes of the scalar one.

// Bytes or elements behind the end of an array that may be read, and written to, where it says "slack".
#define FOV_SAMPLING_SLACK 64

// Four neighbors of every sample, two in each of two rows, and the weights of the second of each pair,
// 0 ... 1. All arrays have slack.
typedef struct fov_bilinear_run {
  const uint8_t *first[2], *second[2];  // [row]
  const double *weights;                // of `second`, for each sample
  const float *near_weights;            // the same as floats
  double row_weight;                    // of row 1
  bool is_coarse;                       // all weights are multiples of 2^-8
  bool rows_first;                      // which axis is mixed first
} fov_bilinear_run;

// Fixed point of the area filter: weights of an axis sum to 2^15 (2^15 - 1 where there is only one), levels
// between the axes are multiples of 1/128, so that 255 is 32640.
#define FOV_AREA_WEIGHT_BITS 15
#define FOV_AREA_LEVEL_BITS 7

// Columns of the area filter: pixel i is the sum of weights[i * taps + k] * the level of pixel starts[i] + k.
typedef struct fov_area_columns {
  const uint16_t *starts;
  const int16_t *weights;
  size_t taps;      // an even number; of one channel a multiple of 8
  size_t count;
  size_t channels;  // 1 or 3
} fov_area_columns;

// R = (luma (Y - black) + red_v (V - 128) + 2^15) >> 16, kept in 0...255; G and B alike.
typedef struct fov_yuv_matrix {
  int32_t black, luma, red_v, green_u, green_v, blue_u;
} fov_yuv_matrix;

typedef struct fov_sampling_kernels {
  // floor(mix of two mixes + 0.5), a mix being low (1 - w) + high w in doubles, nothing fused. Returns what
  // part of the work took longer because floats could not tell, in 1/256.
  size_t (*bilinear)(const fov_bilinear_run *run, size_t count, uint8_t *out);
  // The same without floats.
  void (*bilinear_exact)(const fov_bilinear_run *run, size_t count, uint8_t *out);
  // The same before 0.5 is added; out has slack.
  void (*bilinear_sums)(const fov_bilinear_run *run, size_t count, double *out);
  // out[i] = (sum of weights[k] * rows[k][i] + 2^7) >> 8, levels; taps is even; only out has slack.
  void (*area_rows)(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t count,
                    int16_t *out);
  // out = (sum + 2^14) >> 15, levels; levels and out have slack.
  void (*area_columns)(const fov_area_columns *columns, const int16_t *levels, int16_t *out);
  // Red, green and blue of count pixels; all arrays have slack.
  void (*colors)(const fov_yuv_matrix *matrix, const uint8_t *y, const uint8_t *u,
                  const uint8_t *v, size_t count, uint8_t *rgb);
} fov_sampling_kernels;

#endif

// Fovea - the arithmetic of sampling images: layout, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_KERNELS_H
#define FOV_SAMPLING_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// A sample is one channel of one pixel. Every set writes the bytes of the scalar one.

// Bytes or elements behind an array with slack that may be read, and written.
#define FOV_SAMPLING_SLACK 64

// The four neighbors of every sample, two in each of two rows, with weights of 0 to 1 for the
// second of each pair. All arrays have slack.
typedef struct fov_bilinear_run {
  const uint8_t *first[2], *second[2];  // [row]
  const double *weights;                // of `second`, for each sample
  const float *near_weights;            // the same as floats
  double row_weight;                    // of row 1
  bool is_coarse;                       // all weights are multiples of 2^-8
  bool rows_first;                      // which axis is mixed first
} fov_bilinear_run;

// Fixed point of the area filter. The weights of an axis sum to 2^15, or to 2^15 - 1 if there is
// only one. Levels between the axes are multiples of 1/128, so that 255 is 32640.
#define FOV_AREA_WEIGHT_BITS 15
#define FOV_AREA_LEVEL_BITS 7

// Columns of the area filter. Pixel i is the sum of weights[i * taps + k] * (level of pixel
// starts[i]
// + k).
typedef struct fov_area_columns {
  const uint16_t *starts;
  const int16_t *weights;
  size_t taps;  // an even number; of one channel a multiple of 8
  size_t count;
  size_t channels;  // 1 or 3
} fov_area_columns;

// Sixteen bytes of a row, and which of them are samples: of up to eight columns first, then of
// their neighbors.
//
//   from `begin`   . a b . . . c d . . . e f . . .
//   left           a c e                           = {1, 6, 11}
//   right          b d f                           = {2, 7, 12}
#define FOV_WINDOW_BYTES 16
typedef struct fov_sample_window {
  size_t begin;  // bytes from the first of the row
  size_t count;  // of columns: 1...8
  uint8_t left[8], right[8];
} fov_sample_window;

// Colors are computed so many pixels at a time: planes are written up to a multiple.
#define FOV_COLOR_RUN 32

typedef struct fov_color_planes {
  uint8_t *red, *green, *blue;
} fov_color_planes;

// R = (luma (Y - black) + red_v (V - 128) + 2^15) >> 16, kept in 0...255; G and B alike.
typedef struct fov_yuv_matrix {
  int32_t black, luma, red_v, green_u, green_v, blue_u;
} fov_yuv_matrix;

typedef struct fov_sampling_kernels {
  // floor(mix of two mixes + 0.5). A mix is low * (1 - w) + high * w in doubles, each step rounded.
  // Returns which part of the samples, in 1/256, needed doubles since floats were not exact enough.
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
  // The samples of all windows, one after another; left and right have slack.
  void (*pairs)(const uint8_t *row, const fov_sample_window *windows, size_t count, uint8_t *left,
                uint8_t *right);
  // Three planes, FOV_COLOR_RUN pixels at a time; y, u and v have slack.
  void (*colors)(const fov_yuv_matrix *matrix, const uint8_t *y, const uint8_t *u, const uint8_t *v,
                 size_t count, const fov_color_planes *out);
  // Pixels of three bytes from three planes, which have slack.
  void (*interleave)(const fov_color_planes *planes, size_t count, uint8_t *rgb);
} fov_sampling_kernels;

#endif

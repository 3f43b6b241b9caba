// Fovea - depthwise 8-bit convolution: columns of the kernel as groups of rows.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_BODY_H
#define FOV_INT8_DEPTHWISE_BODY_H

#include "kernels/fov_int8_epilogue_body.h"
#if DEPTHWISE_LANES
#include "kernels/fov_int8_depthwise_lanes.h"
#endif
#if DEPTHWISE_PAIRS
#include "kernels/fov_int8_depthwise_pairs.h"
#endif

// The rows of one input column are put side by side once and used by all output pixels of the tile
// whose windows they belong to:
//
//   input column   0  1  2  3  4  5        3 kernel columns, stride 1
//   output pixel   0  0  0                 a tile of 4 pixels reads 6 columns
//                     1  1  1
//                        2  2  2
//                           3  3  3
#define DEPTHWISE_PIXELS 4

// Weights of a panel as column_multiply_add reads them, for kernels up to 7x7.
#define PREPARED_GROUPS 14

typedef struct depthwise_walk {
  const fov_int8_depthwise *depthwise;
  const int8_t *weights;   // of this panel
  const int8_t *prepared;  // its groups, or NULL when there are too many
  size_t groups;           // of kernel rows, in a kernel column
  tile_place place;
} depthwise_walk;

INLINE const uint8_t *depthwise_input(const depthwise_walk *walk, size_t y, size_t x) {
  const fov_int8_depthwise *k = walk->depthwise;
  return k->input + (ptrdiff_t)(y * k->stride[0]) * k->input_row +
         (ptrdiff_t)(x * k->stride[1]) * k->input_pixel + walk->place.channel;
}

INLINE void depthwise_begin(const depthwise_walk *walk, vector_sums *sums, int pixels) {
  const int32_t *weight_sums = walk->depthwise->weight_sums + walk->place.channel;
  UNROLLED for (int i = 0; i < pixels * PANEL_VECTORS; i++) {
    sums[i] = sums_begin(weight_sums + i % PANEL_VECTORS * VECTOR_LANES);
  }
}

// A tile of a square kernel without dilation.
INLINE void square_tile(const depthwise_walk *walk, const row_finish *finish, size_t y, size_t x,
                        int pixels, int size, int stride, bool pairs_fit) {
  const fov_int8_depthwise *k = walk->depthwise;
  const int groups = (size + FOV_GROUP - 1) / FOV_GROUP;
  vector_sums sums[DEPTHWISE_PIXELS * PANEL_VECTORS];
  depthwise_begin(walk, sums, pixels);
  const uint8_t *input = depthwise_input(walk, y, x);
  UNROLLED for (int column = 0; column < (pixels - 1) * stride + size; column++) {
    UNROLLED for (int group = 0; group < groups; group++) {
      const int rest = size - group * FOV_GROUP;
      const int rows = rest < FOV_GROUP ? rest : FOV_GROUP;
      const uint8_t *first = input + column * k->input_pixel + group * FOV_GROUP * k->input_row;
      const column_codes codes = column_load(first, k->input_row, rows, pairs_fit);
      UNROLLED for (int p = 0; p < pixels; p++) {
        const int kernel_column = column - p * stride;
        if (kernel_column < 0 || kernel_column >= size) continue;
        const int8_t *weights =
            walk->prepared + (kernel_column * groups + group) * COLUMN_WEIGHTS_BYTES;
        column_multiply_add(sums + p * PANEL_VECTORS, &codes, weights, rows, pairs_fit);
      }
    }
  }
  finish_thin_tile(finish, sums, pixels, PANEL_VECTORS, y, x);
}

INLINE void square_row(const depthwise_walk *walk, size_t y, int size, int stride,
                       bool pairs_fit) {
  const size_t columns = walk->depthwise->columns;
  const row_finish finish = finish_row(&walk->place, y);
  size_t x = 0;
  for (; x + DEPTHWISE_PIXELS <= columns; x += DEPTHWISE_PIXELS) {
    square_tile(walk, &finish, y, x, DEPTHWISE_PIXELS, size, stride, pairs_fit);
  }
  switch (columns - x) {
    case 1: square_tile(walk, &finish, y, x, 1, size, stride, pairs_fit); break;
    case 2: square_tile(walk, &finish, y, x, 2, size, stride, pairs_fit); break;
    case 3: square_tile(walk, &finish, y, x, 3, size, stride, pairs_fit); break;
    default: break;
  }
}

// One pixel of any kernel.
INLINE void depthwise_pixel(const depthwise_walk *walk, const row_finish *finish, size_t y,
                            size_t x, bool pairs_fit) {
  const fov_int8_depthwise *k = walk->depthwise;
  const ptrdiff_t row = (ptrdiff_t)k->dilation[0] * k->input_row;
  const ptrdiff_t column = (ptrdiff_t)k->dilation[1] * k->input_pixel;
  vector_sums sums[PANEL_VECTORS];
  depthwise_begin(walk, sums, 1);
  for (size_t j = 0; j < k->kernel[1]; j++) {
    const uint8_t *input = depthwise_input(walk, y, x) + (ptrdiff_t)j * column;
    for (size_t i = 0; i < walk->groups; i++, input += FOV_GROUP * row) {
      const size_t group = j * walk->groups + i, rows = k->kernel[0] - i * FOV_GROUP;
      _Alignas(64) int8_t own[COLUMN_WEIGHTS_BYTES];
      const int8_t *weights = own;
      if (walk->prepared != NULL) {
        weights = walk->prepared + group * COLUMN_WEIGHTS_BYTES;
      } else {
        column_prepare(walk->weights + group * FOV_PANEL * FOV_GROUP, own, pairs_fit);
      }
      const int present = rows < FOV_GROUP ? (int)rows : FOV_GROUP;
      const column_codes codes = column_load(input, row, present, pairs_fit);
      column_multiply_add(sums, &codes, weights, FOV_GROUP, pairs_fit);
    }
  }
  finish_tile(finish, sums, 1, PANEL_VECTORS, y, x);
}

INLINE void any_row(const depthwise_walk *walk, size_t y, bool pairs_fit) {
  const row_finish finish = finish_row(&walk->place, y);
  for (size_t x = 0; x < walk->depthwise->columns; x++) {
    depthwise_pixel(walk, &finish, y, x, pairs_fit);
  }
}

#define DEPTHWISE_FUNCTION(name, fit, call)                  \
  SEPARATE void name(const depthwise_walk *walk, size_t y) { \
    const bool pairs_fit = fit;                              \
    call;                                                    \
  }
#if PAIRS_SATURATE
#define DEPTHWISE_ROW(name, call)      \
  DEPTHWISE_FUNCTION(name, true, call) \
  DEPTHWISE_FUNCTION(name##_exact, false, call)
#else
#define DEPTHWISE_ROW(name, call) DEPTHWISE_FUNCTION(name, true, call)
#endif
DEPTHWISE_ROW(depthwise_3x3, square_row(walk, y, 3, 1, pairs_fit))
DEPTHWISE_ROW(depthwise_3x3_stride_2, square_row(walk, y, 3, 2, pairs_fit))
DEPTHWISE_ROW(depthwise_5x5, square_row(walk, y, 5, 1, pairs_fit))
DEPTHWISE_ROW(depthwise_5x5_stride_2, square_row(walk, y, 5, 2, pairs_fit))
DEPTHWISE_ROW(depthwise_any, any_row(walk, y, pairs_fit))

typedef void (*depthwise_row_function)(const depthwise_walk *walk, size_t y);

INLINE depthwise_row_function depthwise_row(const fov_int8_depthwise *k, bool pairs_fit) {
  static const depthwise_row_function functions[5][2] = {
      {EXACT(depthwise_3x3), depthwise_3x3},
      {EXACT(depthwise_3x3_stride_2), depthwise_3x3_stride_2},
      {EXACT(depthwise_5x5), depthwise_5x5},
      {EXACT(depthwise_5x5_stride_2), depthwise_5x5_stride_2},
      {EXACT(depthwise_any), depthwise_any},
  };
  const bool square = k->kernel[0] == k->kernel[1] && k->dilation[0] == 1 && k->dilation[1] == 1;
  const bool strides = k->stride[1] == 1 || k->stride[1] == 2;
  size_t index = 4;
  if (square && strides && k->kernel[0] == 3) index = k->stride[1] - 1;
  if (square && strides && k->kernel[0] == 5) index = k->stride[1] + 1;
  return functions[index][pairs_fit];
}

// All rows of one panel after another, so that its weights are prepared once.
static void depthwise(const fov_int8_depthwise *k, size_t row_begin, size_t row_end) {
  const size_t groups = fov_size_parts(k->kernel[0], FOV_GROUP), all = groups * k->kernel[1];
  _Alignas(64) int8_t prepared[PREPARED_GROUPS * COLUMN_WEIGHTS_BYTES];
  depthwise_walk walk = {.depthwise = k, .groups = groups};
  walk.place = (tile_place){&k->epilogue, k->output, k->output_row, k->output_pixel, 0, 0};
  for (size_t c = 0; c < k->channels; c += FOV_PANEL) {
#if DEPTHWISE_LANES
    if (lanes_apply(k)) {
      depthwise_lanes(k, c, row_begin, row_end);
      c += LANE_CHANNELS - FOV_PANEL;
      continue;
    }
#endif
#if DEPTHWISE_PAIRS
    if (pair_applies(k, c)) {
      depthwise_pair(k, c, row_begin, row_end);
      c += FOV_PANEL;
      continue;
    }
#endif
    const bool pairs_fit = !PAIRS_SATURATE || k->pairs_fit[c / FOV_PANEL] != 0;
    walk.weights = k->weights + c * all * FOV_GROUP;
    walk.place.channel = c;
    walk.place.channels = fov_size_min(k->channels - c, FOV_PANEL);
    walk.prepared = all <= PREPARED_GROUPS ? prepared : NULL;
    for (size_t i = 0; i < all && walk.prepared != NULL; i++) {
      column_prepare(walk.weights + i * FOV_PANEL * FOV_GROUP, prepared + i * COLUMN_WEIGHTS_BYTES,
                     pairs_fit);
    }
    for (size_t y = row_begin; y < row_end; y++) depthwise_row(k, pairs_fit)(&walk, y);
  }
}

#endif

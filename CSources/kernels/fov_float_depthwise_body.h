// Fovea - the depthwise kernel, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// One vector of channels of a row at a time, several neighboring pixels together: their sums are
// what hides the latency of one another's. With a 3 x 3 kernel each input that is loaded serves every
// pixel whose window holds it:
//
//     inputs   x0  x1  x2  x3  x4  x5        of each kernel row
//     pixels  [  0       ]
//                 [  1       ]
//                     [  2       ]
//                         [  3       ]
//
// Included behind a vector header; gives fov_set_depthwise.
#ifndef FOV_FLOAT_DEPTHWISE_BODY_H
#define FOV_FLOAT_DEPTHWISE_BODY_H

#include "base/fov_size.h"
#include "kernels/fov_float_epilogue_body.h"
#include "kernels/fov_inlining.h"
#include "kernels/fov_int8_kernels.h"

#define FOV_FIRST_CACHE_WAYS 8

typedef struct fov_depthwise_tile {
  const fov_float_epilogue *epilogue;
  const float *window;   // of the first pixel
  const float *weights;  // of the vector's first channel, FOV_PANEL from tap to tap
  fov_vector bias;
  fov_target target;
} fov_depthwise_tile;

static void fov_depthwise_advance(const fov_float_depthwise *d, fov_depthwise_tile *tile,
                                  size_t pixels) {
  tile->window += (ptrdiff_t)(pixels * d->stride[1]) * d->input_pixel;
  tile->target.output += (ptrdiff_t)pixels * d->output_pixel;
  if (tile->target.residual != NULL)
    tile->target.residual += (ptrdiff_t)pixels * d->epilogue.residual_pixel;
}

// pixels and stride are constants.
FOV_INLINE void fov_depthwise_3x3(const fov_float_depthwise *d, const fov_depthwise_tile *tile,
                                  const fov_vector *all, size_t pixels, size_t stride) {
  fov_vector sums[FOV_DEPTHWISE_PIXELS];
#pragma GCC unroll 8
  for (size_t p = 0; p < pixels; p++) sums[p] = tile->bias;
#pragma GCC unroll 3
  for (size_t row = 0; row < 3; row++) {
    fov_vector w[3];
#pragma GCC unroll 3
    for (size_t i = row * 3; i < row * 3 + 3; i++)
      w[i - row * 3] = FOV_DEPTHWISE_WEIGHTS == 9
                           ? all[i] : fov_vector_load(tile->weights + i * FOV_PANEL);
    const float *x = tile->window + (ptrdiff_t)(row * d->dilation[0]) * d->input_row;
#pragma GCC unroll 20
    for (size_t i = 0; i < (pixels - 1) * stride + 3; i++, x += d->input_pixel) {
      const fov_vector input = fov_vector_load(x);
#pragma GCC unroll 8
      for (size_t p = 0; p < pixels; p++) {
        if (i >= p * stride && i - p * stride < 3)
          sums[p] = fov_vector_fma(input, w[i - p * stride], sums[p]);
      }
    }
  }
  fov_target_finish(&tile->target, tile->epilogue, pixels, 1, sums, false);
}

// Any kernel; `partial`: fewer channels than a vector has.
FOV_INLINE void fov_depthwise_any(const fov_float_depthwise *d, const fov_depthwise_tile *tile,
                                  size_t pixels, bool partial) {
  const size_t lanes = tile->target.lanes;
  const ptrdiff_t step = (ptrdiff_t)d->stride[1] * d->input_pixel;
  const float *weights = tile->weights;
  fov_vector sums[FOV_DEPTHWISE_PIXELS];
#pragma GCC unroll 8
  for (size_t p = 0; p < pixels; p++) sums[p] = tile->bias;
  for (size_t row = 0; row < d->kernel[0]; row++) {
    const float *x = tile->window + (ptrdiff_t)(row * d->dilation[0]) * d->input_row;
    for (size_t column = 0; column < d->kernel[1]; column++) {
      const fov_vector w = fov_vector_load(weights);
      weights += FOV_PANEL;
#pragma GCC unroll 8
      for (size_t p = 0; p < pixels; p++) {
        const float *from = x + (ptrdiff_t)p * step;
        const fov_vector input =
            partial ? fov_vector_load_part(from, lanes) : fov_vector_load(from);
        sums[p] = fov_vector_fma(input, w, sums[p]);
      }
      x += (ptrdiff_t)d->dilation[1] * d->input_pixel;
    }
  }
  if (partial) {
    fov_target_write(&tile->target, tile->epilogue, pixels, 1, sums);
  } else {
    fov_target_finish(&tile->target, tile->epilogue, pixels, 1, sums, false);
  }
}

typedef enum fov_depthwise_kind {
  fov_depthwise_kind_3x3,
  fov_depthwise_kind_3x3_stride_2,
  fov_depthwise_kind_any,
  fov_depthwise_kind_partial,  // any, and fewer channels than a vector has
} fov_depthwise_kind;

// pixels and kind are constants.
FOV_INLINE void fov_depthwise_run(const fov_float_depthwise *d, fov_depthwise_tile *tile,
                                  const fov_vector *weights, size_t pixels,
                                  fov_depthwise_kind kind) {
  switch (kind) {
    case fov_depthwise_kind_3x3: fov_depthwise_3x3(d, tile, weights, pixels, 1); break;
    case fov_depthwise_kind_3x3_stride_2: fov_depthwise_3x3(d, tile, weights, pixels, 2); break;
    case fov_depthwise_kind_any: fov_depthwise_any(d, tile, pixels, false); break;
    case fov_depthwise_kind_partial: fov_depthwise_any(d, tile, pixels, true); break;
  }
  fov_depthwise_advance(d, tile, pixels);
}

// The rest of a row goes by halves: pixels that are alone wait for their sums. Nearly equal tiles
// measured slower, also of larger kernels.
FOV_INLINE void fov_depthwise_run_row(const fov_float_depthwise *d, fov_depthwise_tile *tile,
                                      fov_depthwise_kind kind) {
  size_t left = d->columns;
  fov_vector weights[9];
  if (kind == fov_depthwise_kind_3x3 || kind == fov_depthwise_kind_3x3_stride_2) {
#pragma GCC unroll 9
    for (size_t i = 0; i < 9; i++) weights[i] = fov_vector_load(tile->weights + i * FOV_PANEL);
  }
  for (; left >= FOV_DEPTHWISE_PIXELS; left -= FOV_DEPTHWISE_PIXELS)
    fov_depthwise_run(d, tile, weights, FOV_DEPTHWISE_PIXELS, kind);
  if (FOV_DEPTHWISE_PIXELS > 4 && (left & 4)) fov_depthwise_run(d, tile, weights, 4, kind);
  if (left & 2) fov_depthwise_run(d, tile, weights, 2, kind);
  if (left & 1) fov_depthwise_run(d, tile, weights, 1, kind);
}

SEPARATE void fov_depthwise_row(const fov_float_depthwise *d, size_t row, size_t channel) {
  const fov_float_epilogue *epilogue = &d->epilogue;
  const size_t panel_floats = d->kernel[0] * d->kernel[1] * FOV_PANEL;
  const size_t lanes = fov_size_min(d->channels - channel, FOV_VECTOR_WIDTH);
  fov_depthwise_tile tile = {
      .epilogue = epilogue,
      .window = d->input + (ptrdiff_t)(row * d->stride[0]) * d->input_row + channel,
      .weights = d->weights + channel / FOV_PANEL * panel_floats + channel % FOV_PANEL,
      .bias = fov_vector_load(epilogue->bias + channel),
      .target = {
          .output = d->output + (ptrdiff_t)row * d->output_row + channel,
          .output_pixel = d->output_pixel,
          .residual = epilogue->residual,
          .residual_pixel = epilogue->residual_pixel,
          .lanes = lanes,
      },
  };
  if (tile.target.residual != NULL)
    tile.target.residual += (ptrdiff_t)row * epilogue->residual_row + (ptrdiff_t)channel;

  const bool three = d->kernel[0] == 3 && d->kernel[1] == 3 && d->dilation[1] == 1;
  if (lanes < FOV_VECTOR_WIDTH) {
    fov_depthwise_run_row(d, &tile, fov_depthwise_kind_partial);
  } else if (three && d->stride[1] == 1) {
    fov_depthwise_run_row(d, &tile, fov_depthwise_kind_3x3);
  } else if (three && d->stride[1] == 2) {
    fov_depthwise_run_row(d, &tile, fov_depthwise_kind_3x3_stride_2);
  } else {
    fov_depthwise_run_row(d, &tile, fov_depthwise_kind_any);
  }
}

// Pixels that lie a multiple of a large power of two apart share few sets of the first cache, which
// has 64 on most processors: wide rows of those are cut into blocks of which all rows stay there.
static size_t fov_depthwise_block(const fov_float_depthwise *d) {
  const size_t bytes = (size_t)d->input_pixel * sizeof(float);
  const size_t apart = fov_size_min(fov_size_max(bytes & (~bytes + 1), 64), 4096);
  const size_t lines = FOV_FIRST_CACHE_WAYS * (4096 / apart);
  return fov_size_max(lines / (d->kernel[0] * d->stride[1]), FOV_DEPTHWISE_PIXELS);
}

// Columns [column, column + columns) alone.
static fov_float_depthwise fov_depthwise_columns(const fov_float_depthwise *d, size_t column,
                                                 size_t columns) {
  fov_float_depthwise part = *d;
  part.input += (ptrdiff_t)(column * d->stride[1]) * d->input_pixel;
  part.output += (ptrdiff_t)column * d->output_pixel;
  if (part.epilogue.residual != NULL)
    part.epilogue.residual += (ptrdiff_t)column * d->epilogue.residual_pixel;
  part.columns = columns;
  return part;
}

// All rows of one panel after another: its pixels are cache lines, which the next rows need again.
static void fov_set_depthwise(const fov_float_depthwise *d, size_t row_begin, size_t row_end) {
  const size_t blocks = fov_size_parts(d->columns, fov_depthwise_block(d));
  const size_t length = fov_size_parts(d->columns, blocks);
  for (size_t column = 0; column < d->columns; column += length) {
    const fov_float_depthwise part =
        fov_depthwise_columns(d, column, fov_size_min(length, d->columns - column));
    for (size_t panel = 0; panel < d->channels; panel += FOV_PANEL) {
      const size_t end = fov_size_min(panel + FOV_PANEL, d->channels);
      for (size_t row = row_begin; row < row_end; row++) {
        for (size_t channel = panel; channel < end; channel += FOV_VECTOR_WIDTH)
          fov_depthwise_row(&part, row, channel);
      }
    }
  }
}

#endif

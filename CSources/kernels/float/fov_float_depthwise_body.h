// Fovea - the depthwise kernel, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// Computes one vector of channels of a row at a time, several neighboring pixels together, so that
// their products need not wait for one another. With a 3 x 3 kernel, each input that is loaded is
// used for all pixels whose window holds it:
//
//     inputs   x0  x1  x2  x3  x4  x5        of each kernel row
//     pixels  [  0       ]
//                 [  1       ]
//                     [  2       ]
//                         [  3       ]
//
// Included after a vector header. Defines depthwise.
#ifndef FOV_FLOAT_DEPTHWISE_BODY_H
#define FOV_FLOAT_DEPTHWISE_BODY_H

#include "base/fov_size.h"
#include "kernels/float/fov_float_epilogue_body.h"
#include "kernels/fov_inlining.h"
#include "kernels/int8/fov_int8_kernels.h"

#define FIRST_CACHE_WAYS 8

typedef struct depthwise_tile {
  const fov_float_epilogue *epilogue;
  const float *window;   // of the first pixel
  const float *weights;  // of the vector's first channel, FOV_PANEL from tap to tap
  vector bias;
  store_target target;
} depthwise_tile;

static void depthwise_advance(const fov_float_depthwise *d, depthwise_tile *tile, size_t pixels) {
  tile->window += (ptrdiff_t)(pixels * d->stride[1]) * d->input_pixel;
  tile->target.output += (ptrdiff_t)pixels * d->output_pixel;
  if (tile->target.residual != NULL) {
    tile->target.residual += (ptrdiff_t)pixels * d->epilogue.residual_pixel;
  }
}

// pixels and stride are constants.
INLINE void depthwise_3x3(const fov_float_depthwise *d, const depthwise_tile *tile,
                          const vector *all, size_t pixels, size_t stride) {
  vector sums[DEPTHWISE_PIXELS];
  UNROLLED for (size_t p = 0; p < pixels; p++) sums[p] = tile->bias;
  UNROLLED for (size_t row = 0; row < 3; row++) {
    vector w[3];
    UNROLLED for (size_t i = row * 3; i < row * 3 + 3; i++) {
      w[i - row * 3] = DEPTHWISE_WEIGHTS == 9 ? all[i] : vector_load(tile->weights + i * FOV_PANEL);
    }
    const float *x = tile->window + (ptrdiff_t)(row * d->dilation[0]) * d->input_row;
    UNROLLED for (size_t i = 0; i < (pixels - 1) * stride + 3; i++, x += d->input_pixel) {
      const vector input = vector_load(x);
      UNROLLED for (size_t p = 0; p < pixels; p++) {
        if (i >= p * stride && i - p * stride < 3) {
          sums[p] = vector_fma(input, w[i - p * stride], sums[p]);
        }
      }
    }
  }
  target_finish(&tile->target, tile->epilogue, pixels, 1, sums, false);
}

// Any kernel; `partial`: fewer channels than a vector has.
INLINE void depthwise_any(const fov_float_depthwise *d, const depthwise_tile *tile, size_t pixels,
                          bool partial) {
  const size_t lanes = tile->target.lanes;
  const ptrdiff_t step = (ptrdiff_t)d->stride[1] * d->input_pixel;
  const float *weights = tile->weights;
  vector sums[DEPTHWISE_PIXELS];
  UNROLLED for (size_t p = 0; p < pixels; p++) sums[p] = tile->bias;
  for (size_t row = 0; row < d->kernel[0]; row++) {
    const float *x = tile->window + (ptrdiff_t)(row * d->dilation[0]) * d->input_row;
    for (size_t column = 0; column < d->kernel[1]; column++) {
      const vector w = vector_load(weights);
      weights += FOV_PANEL;
      UNROLLED for (size_t p = 0; p < pixels; p++) {
        const float *from = x + (ptrdiff_t)p * step;
        const vector input = partial ? vector_load_part(from, lanes) : vector_load(from);
        sums[p] = vector_fma(input, w, sums[p]);
      }
      x += (ptrdiff_t)d->dilation[1] * d->input_pixel;
    }
  }
  if (partial) {
    target_write(&tile->target, tile->epilogue, pixels, 1, sums);
  } else {
    target_finish(&tile->target, tile->epilogue, pixels, 1, sums, false);
  }
}

typedef enum depthwise_kind {
  depthwise_kind_3x3,
  depthwise_kind_3x3_stride_2,
  depthwise_kind_any,
  depthwise_kind_partial,  // any, and fewer channels than a vector has
} depthwise_kind;

// pixels and kind are constants.
INLINE void depthwise_run(const fov_float_depthwise *d, depthwise_tile *tile, const vector *weights,
                          size_t pixels, depthwise_kind kind) {
  switch (kind) {
    case depthwise_kind_3x3: depthwise_3x3(d, tile, weights, pixels, 1); break;
    case depthwise_kind_3x3_stride_2: depthwise_3x3(d, tile, weights, pixels, 2); break;
    case depthwise_kind_any: depthwise_any(d, tile, pixels, false); break;
    case depthwise_kind_partial: depthwise_any(d, tile, pixels, true); break;
  }
  depthwise_advance(d, tile, pixels);
}

// The rest of a row is computed in tiles of 4, 2 and 1 pixels, since the products of a single pixel
// wait for one another. Nearly equal tiles measured slower, also with larger kernels.
INLINE void depthwise_run_row(const fov_float_depthwise *d, depthwise_tile *tile,
                              depthwise_kind kind) {
  size_t left = d->columns;
  vector weights[9];
  if (kind == depthwise_kind_3x3 || kind == depthwise_kind_3x3_stride_2) {
    UNROLLED for (size_t i = 0; i < 9; i++) weights[i] = vector_load(tile->weights + i * FOV_PANEL);
  }
  for (; left >= DEPTHWISE_PIXELS; left -= DEPTHWISE_PIXELS) {
    depthwise_run(d, tile, weights, DEPTHWISE_PIXELS, kind);
  }
  if (DEPTHWISE_PIXELS > 4 && (left & 4)) depthwise_run(d, tile, weights, 4, kind);
  if (left & 2) depthwise_run(d, tile, weights, 2, kind);
  if (left & 1) depthwise_run(d, tile, weights, 1, kind);
}

SEPARATE void depthwise_row(const fov_float_depthwise *d, size_t row, size_t channel) {
  const fov_float_epilogue *epilogue = &d->epilogue;
  const size_t panel_floats = d->kernel[0] * d->kernel[1] * FOV_PANEL;
  const size_t lanes = fov_size_min(d->channels - channel, VECTOR_LANES);
  depthwise_tile tile = {
      .epilogue = epilogue,
      .window = d->input + (ptrdiff_t)(row * d->stride[0]) * d->input_row + channel,
      .weights = d->weights + channel / FOV_PANEL * panel_floats + channel % FOV_PANEL,
      .bias = vector_load(epilogue->bias + channel),
      .target =
          {
              .output = d->output + (ptrdiff_t)row * d->output_row + channel,
              .output_pixel = d->output_pixel,
              .residual = epilogue->residual,
              .residual_pixel = epilogue->residual_pixel,
              .lanes = lanes,
          },
  };
  if (tile.target.residual != NULL) {
    tile.target.residual += (ptrdiff_t)row * epilogue->residual_row + (ptrdiff_t)channel;
  }

  const bool three = d->kernel[0] == 3 && d->kernel[1] == 3 && d->dilation[1] == 1;
  if (lanes < VECTOR_LANES) {
    depthwise_run_row(d, &tile, depthwise_kind_partial);
  } else if (three && d->stride[1] == 1) {
    depthwise_run_row(d, &tile, depthwise_kind_3x3);
  } else if (three && d->stride[1] == 2) {
    depthwise_run_row(d, &tile, depthwise_kind_3x3_stride_2);
  } else {
    depthwise_run_row(d, &tile, depthwise_kind_any);
  }
}

// Columns of a block. Pixels at a distance of a large power of two share few sets of the first
// cache, which has 64 on most processors. Wide rows are then divided into blocks whose rows stay in
// the cache.
static size_t depthwise_block(const fov_float_depthwise *d) {
  const size_t bytes = (size_t)d->input_pixel * sizeof(float);
  const size_t apart = fov_size_min(fov_size_max(bytes & (~bytes + 1), 64), 4096);
  const size_t lines = FIRST_CACHE_WAYS * (4096 / apart);
  return fov_size_max(lines / (d->kernel[0] * d->stride[1]), DEPTHWISE_PIXELS);
}

// Columns [column, column + columns) alone.
static fov_float_depthwise depthwise_columns(const fov_float_depthwise *d, size_t column,
                                             size_t columns) {
  fov_float_depthwise part = *d;
  part.input += (ptrdiff_t)(column * d->stride[1]) * d->input_pixel;
  part.output += (ptrdiff_t)column * d->output_pixel;
  if (part.epilogue.residual != NULL) {
    part.epilogue.residual += (ptrdiff_t)column * d->epilogue.residual_pixel;
  }
  part.columns = columns;
  return part;
}

// All rows of a panel before the next panel. Its pixels are cache lines, which the next rows read
// again.
static void depthwise(const fov_float_depthwise *d, size_t row_begin, size_t row_end) {
  const size_t blocks = fov_size_parts(d->columns, depthwise_block(d));
  const size_t length = fov_size_parts(d->columns, blocks);
  for (size_t column = 0; column < d->columns; column += length) {
    const fov_float_depthwise part =
        depthwise_columns(d, column, fov_size_min(length, d->columns - column));
    for (size_t panel = 0; panel < d->channels; panel += FOV_PANEL) {
      const size_t end = fov_size_min(panel + FOV_PANEL, d->channels);
      for (size_t row = row_begin; row < row_end; row++) {
        for (size_t channel = panel; channel < end; channel += VECTOR_LANES) {
          depthwise_row(&part, row, channel);
        }
      }
    }
  }
}

#endif

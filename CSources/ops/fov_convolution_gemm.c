// Fovea - convolution as tiles of im2col and matrix products.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_convolution_gemm.h"

#include <limits.h>
#include <stdatomic.h>

#include "base/fov_clock.h"
#include "base/fov_size.h"
#include "kernels/fov_gemm.h"
#include "kernels/fov_im2col.h"
#include "ops/fov_op_unary.h"
#include "pool/fov_parallel_slots.h"

// output[m, n] = weights[m, k] * neighborhoods[k, n], per batch and group:
//
//   m  output channels       cut into blocks of BLOCK_ROWS: one panel of decoded weights each
//   k  taps                  cut into depths of at most DEPTH, summed up in the output
//   n  output pixels         cut into tiles, so that a tile of neighborhoods stays in the cache
//
// for each tile of pixels
//   for each depth of taps
//     gather the tile (im2col), unless the input itself is the matrix (1x1, stride 1)
//     for each block of channels x part of the tile, on all slots:
//       decode the weights into the slot's panel; sgemm; after the last depth: bias, activation
//
// All sizes depend only on shapes. So the results do not depend on the number of threads.
#define DEPTH 1152                  // taps; 3x3 kernels over 128 channels
#define BLOCK_ROWS 128              // panel: at most 128 x 1152 floats, 576 KiB a slot
#define TILE_FLOATS (256 * 1024)    // 1 MiB
#define WHOLE_FLOATS (1024 * 1024)  // 4 MiB: up to here one tile, so that weights are decoded once
#define PART_COLUMNS 512            // a part of a tile, when there are too few blocks for the slots
#define ENOUGH_PARTS 4

typedef struct gemm_tiling {
  size_t rows, taps, pixels;  // of one group: m, k, n
  size_t depth;               // taps at a time
  size_t tile;                // pixels at a time
  size_t block;               // rows at a time
  bool gathers;               // false: the input is the matrix
} gemm_tiling;

typedef struct gemm_context {
  const fov_run *run;
  const fov_convolution_parameters *parameters;
  gemm_tiling tiling;
  fov_im2col source;
  float *gathered;  // depth x tile
  float *panels;    // slots x block x depth
  size_t group;
  float *output;  // rows x pixels of this batch and group
  // The current tile and depth:
  size_t pixel, pixel_count, tap, tap_count, part, parts;
  atomic_uint_fast64_t multiplication, gathering, lookup;
} gemm_context;

// With fewer rows or taps, loops over planes are faster than sgemm.
#define FEWEST_ROWS 4
#define FEWEST_TAPS 8

static bool is_pointwise(const fov_convolution *c) {
  return c->kernel[0] == 1 && c->kernel[1] == 1 && c->stride[0] == 1 && c->stride[1] == 1 &&
         c->before[0] == 0 && c->before[1] == 0 && c->after[0] == 0 && c->after[1] == 0;
}

bool fov_convolution_suits_gemm(const fov_convolution_parameters *parameters) {
  const fov_convolution *c = &parameters->convolution;
  return c->output_channels / c->groups >= FEWEST_ROWS &&
         fov_convolution_taps(parameters) >= FEWEST_TAPS;
}

static gemm_tiling choose_tiling(const fov_convolution_parameters *parameters, size_t pixels) {
  gemm_tiling tiling = {
      .rows = parameters->convolution.output_channels / parameters->convolution.groups,
      .taps = fov_convolution_taps(parameters),
      .pixels = pixels,
      .gathers = !is_pointwise(&parameters->convolution),
  };
  tiling.depth = fov_size_min(tiling.taps, DEPTH);
  tiling.block = fov_size_min(tiling.rows, BLOCK_ROWS);
  tiling.tile = pixels <= WHOLE_FLOATS / tiling.depth ? pixels : TILE_FLOATS / tiling.depth;
  return tiling;
}

fov_status fov_convolution_gemm_workspace(const fov_convolution_parameters *parameters,
                                          const fov_shape *output, size_t slots,
                                          size_t *out_bytes) {
  const fov_planes planes = fov_shape_planes(output);
  const gemm_tiling tiling = choose_tiling(parameters, planes.rows * planes.columns);
  // sgemm counts in int.
  if (tiling.pixels > INT_MAX || tiling.taps > INT_MAX || tiling.rows > INT_MAX) {
    return fov_status_overflow;
  }
  const size_t gathered = tiling.gathers ? tiling.depth * tiling.tile : 0;
  const size_t panel =
      fov_weight_store_floats(&parameters->weights) ? 0 : tiling.block * tiling.depth;
  size_t floats;
  if (!fov_size_multiply(panel, slots, &floats) || !fov_size_add(floats, gathered, &floats) ||
      !fov_size_multiply(floats, sizeof(float), out_bytes)) {
    return fov_status_overflow;
  }
  return fov_status_ok;
}

// MARK: phases, each on all slots

static uint64_t phase_begin(const gemm_context *context) {
  return context->run->timing ? fov_clock_now() : 0;
}

static void phase_end(const gemm_context *context, uint64_t begin, atomic_uint_fast64_t *phase) {
  if (context->run->timing) {
    atomic_fetch_add_explicit(phase, fov_clock_now() - begin, memory_order_relaxed);
  }
}

static void gather_tap(void *opaque, size_t unit, size_t slot) {
  (void)slot;
  gemm_context *context = opaque;
  const uint64_t begin = phase_begin(context);
  fov_im2col_row(&context->source, context->tap + unit, context->pixel, context->pixel_count,
                 context->gathered + unit * context->pixel_count);
  phase_end(context, begin, &context->gathering);
}

static void finish_rows(const gemm_context *context, size_t row, size_t row_count, size_t column,
                        size_t column_count) {
  const fov_convolution_parameters *p = context->parameters;
  const size_t pixels = context->tiling.pixels;
  for (size_t r = row; r < row + row_count; r++) {
    const float bias = p->bias[context->group * context->tiling.rows + r];
    float *out = context->output + r * pixels + context->pixel + column;
    fov_unary_finish(p->has_activation ? &p->activation : NULL, bias, out, column_count);
  }
}

// The weights of rows [row, row + count) and of the current taps, as sgemm reads them.
static const float *left_matrix(gemm_context *context, size_t row, size_t row_count, size_t slot,
                                size_t *out_stride) {
  const fov_weight_store *store = &context->parameters->weights;
  const size_t first = context->group * context->tiling.rows + row;
  const float *floats = fov_weight_store_floats(store);
  if (floats) {
    *out_stride = store->columns;
    return floats + first * store->columns + context->tap;
  }
  const uint64_t begin = phase_begin(context);
  float *panel = context->panels + slot * context->tiling.block * context->tiling.depth;
  fov_weight_store_panel(store, first, row_count, context->tap, context->tap_count, panel);
  phase_end(context, begin, &context->lookup);
  *out_stride = context->tap_count;
  return panel;
}

static const float *right_matrix(const gemm_context *context, size_t column, size_t *out_stride) {
  if (context->tiling.gathers) {
    *out_stride = context->pixel_count;
    return context->gathered + column;
  }
  *out_stride = context->tiling.pixels;
  return context->source.planes + context->tap * context->tiling.pixels + context->pixel + column;
}

// Multiplies a block of rows by a part of the tile's columns.
static void multiply_unit(void *opaque, size_t unit, size_t slot) {
  gemm_context *context = opaque;
  const gemm_tiling *tiling = &context->tiling;
  const size_t row = unit / context->parts * tiling->block;
  const size_t row_count = fov_size_min(tiling->block, tiling->rows - row);
  const size_t column = unit % context->parts * context->part;
  const size_t column_count = fov_size_min(context->part, context->pixel_count - column);

  size_t left_stride, right_stride;
  const float *left = left_matrix(context, row, row_count, slot, &left_stride);
  const float *right = right_matrix(context, column, &right_stride);
  const uint64_t begin = phase_begin(context);
  fov_gemm(row_count, column_count, context->tap_count, left, left_stride, right, right_stride,
           context->tap != 0, context->output + row * tiling->pixels + context->pixel + column,
           tiling->pixels);
  phase_end(context, begin, &context->multiplication);
  if (context->tap + context->tap_count == tiling->taps) {
    finish_rows(context, row, row_count, column, column_count);
  }
}

static void run_depth(gemm_context *context) {
  const fov_run *run = context->run;
  const gemm_tiling *tiling = &context->tiling;
  if (tiling->gathers) {
    fov_parallel_for_slots(run->pool, context->tap_count, run->slots, gather_tap, context);
  }
  const size_t blocks = fov_size_parts(tiling->rows, tiling->block);
  context->part = blocks >= ENOUGH_PARTS ? context->pixel_count
                                         : fov_size_min(context->pixel_count, PART_COLUMNS);
  context->parts = fov_size_parts(context->pixel_count, context->part);
  fov_parallel_for_slots(run->pool, blocks * context->parts, run->slots, multiply_unit, context);
}

static void run_group(gemm_context *context) {
  const gemm_tiling *tiling = &context->tiling;
  for (context->pixel = 0; context->pixel < tiling->pixels; context->pixel += tiling->tile) {
    context->pixel_count = fov_size_min(tiling->tile, tiling->pixels - context->pixel);
    for (context->tap = 0; context->tap < tiling->taps; context->tap += tiling->depth) {
      context->tap_count = fov_size_min(tiling->depth, tiling->taps - context->tap);
      run_depth(context);
    }
  }
}

void fov_convolution_run_gemm(const fov_run *run) {
  const fov_convolution_parameters *p = run->parameters;
  const fov_planes input = fov_shape_planes(run->inputs[0].shape);
  const fov_planes output = fov_shape_planes(run->output.shape);
  gemm_context context = {
      .run = run,
      .parameters = p,
      .tiling = choose_tiling(p, output.rows * output.columns),
      .source = {.rows = input.rows,
                 .columns = input.columns,
                 .output_rows = output.rows,
                 .output_columns = output.columns,
                 .convolution = &p->convolution},
      .gathered = run->workspace,
  };
  const size_t gathered = context.tiling.gathers ? context.tiling.depth * context.tiling.tile : 0;
  context.panels = context.gathered + gathered;
  const size_t groups = p->convolution.groups;
  const size_t group_floats = p->input_channels / groups * input.rows * input.columns;
  for (size_t unit = 0; unit < input.batch * groups; unit++) {
    context.group = unit % groups;
    context.source.planes = fov_run_input(run, 0) + unit * group_floats;
    context.output = fov_run_output(run) + unit * context.tiling.rows * context.tiling.pixels;
    run_group(&context);
  }
  if (run->timing) {
    run->timing->multiplication += context.multiplication;
    run->timing->gathering += context.gathering;
    run->timing->lookup += context.lookup;
  }
}

// Fovea - dense convolution of int8 or int16: the sums of a tile stay in registers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_CONVOLUTION_BODY_H
#define FOV_INT8_CONVOLUTION_BODY_H

#include "kernels/int8/fov_int8_epilogue_body.h"
#if HAS_FEW_CHANNELS
#include "kernels/int8/fov_int8_few_channels_avx512.h"
#endif

// The panels of one loop over rows, and where their results are stored. Distances in bytes.
typedef struct panel_loop {
  const uint8_t *input;
  ptrdiff_t row, column;                // from one output pixel's window to the next
  ptrdiff_t kernel_row, kernel_column;  // from one tap to the next
  size_t kernel[2];
  size_t channels, block;
  const int8_t *weights;
  const int32_t *weight_sums;
  size_t panel_bytes;
  tile_place place;
  size_t columns;  // of the result
} panel_loop;

// What a window consists of.
typedef enum tap_kind {
  tap_kind_any,
  tap_kind_run,             // one run of channels
  tap_kind_image,           // 3x3 pixels of one group
  tap_kind_image_stride_2,  // the same, two pixels apart
} tap_kind;

INLINE bool is_image(tap_kind kind) {
  return kind == tap_kind_image || kind == tap_kind_image_stride_2;
}

// sums[rows][columns][vectors] of neighboring windows, the first of which begins at `input`.
INLINE void tile_sums(const panel_loop *loop, const uint8_t *input, int rows, int columns,
                      int vectors, bool pairs_fit, vector_sums *sums) {
  const int8_t *weights = loop->weights;
  const size_t panel_bytes = loop->panel_bytes;
  const ptrdiff_t row = loop->row, column = loop->column;
  UNROLLED for (int i = 0; i < rows * columns * vectors; i++) {
    sums[i] = sums_begin(loop->weight_sums + i % vectors * VECTOR_LANES);
  }
  size_t left = loop->channels;
  do {
    const size_t block = fov_size_min(left, loop->block);
    const uint8_t *kernel_row = input;
    size_t i = loop->kernel[0];
    do {
      const uint8_t *run = kernel_row;
      size_t j = loop->kernel[1];
      do {
        accumulate(sums, rows, columns, vectors, run, row, column, weights, panel_bytes,
                   block / FOV_GROUP, pairs_fit);
        weights += block * FOV_PANEL;
        run += loop->kernel_column;
      } while (--j != 0);
      kernel_row += loop->kernel_row;
    } while (--i != 0);
    input += block;
    left -= block;
  } while (left != 0);
}

#if IMAGE_SHARES_PIXELS
// The same for an image: 3x3 pixels of one group, whose weights stay in registers. Every pixel is
// loaded once for all windows that it belongs to.
INLINE void image_sums(const panel_loop *loop, const uint8_t *input, int rows, int columns,
                       int vectors, tap_kind kind, bool pairs_fit, vector_sums *sums) {
  const int stride = kind == tap_kind_image ? 1 : 2, width = (columns - 1) * stride + 3;
  group_weights weights[9];
  UNROLLED for (int i = 0; i < 9; i++) {
    weights[i] = weights_load(loop->weights + i * FOV_PANEL * FOV_GROUP, pairs_fit);
  }
  UNROLLED for (int i = 0; i < rows * columns; i++) {
    sums[i] = sums_begin(loop->weight_sums + i % vectors * VECTOR_LANES);
  }
  UNROLLED for (int i = 0; i < ((rows - 1) * stride + 3) * width; i++) {
    const int row = i / width, column = i % width;
    const group_codes code =
        codes_load(input + row * loop->kernel_row + column * FOV_GROUP, pairs_fit);
    UNROLLED for (int j = 0; j < rows * columns; j++) {
      const int y = row - j / columns * stride, x = column - j % columns * stride;
      if (y < 0 || y > 2 || x < 0 || x > 2) continue;
      sums[j] = multiply_add(sums[j], code, weights[3 * y + x], pairs_fit);
    }
  }
}
#else
// The same for an image: 3x3 pixels of one group, in three runs that have no loops left.
INLINE void image_sums(const panel_loop *loop, const uint8_t *input, int rows, int columns,
                       int vectors, tap_kind kind, bool pairs_fit, vector_sums *sums) {
  (void)kind;
  const int8_t *weights = loop->weights;
  UNROLLED for (int i = 0; i < rows * columns * vectors; i++) {
    sums[i] = sums_begin(loop->weight_sums + i % vectors * VECTOR_LANES);
  }
  UNROLLED for (int i = 0; i < 9; i++) {
    const uint8_t *tap = input + i / 3 * loop->kernel_row + i % 3 * FOV_GROUP;
    accumulate(sums, rows, columns, vectors, tap, loop->row, loop->column, weights,
               loop->panel_bytes, 1, pairs_fit);
    weights += FOV_PANEL * FOV_GROUP;
  }
}
#endif

// The same for a single run. The first group has a call of its own where products of bytes are
// added in pairs: its sums begin at zero, which saves an addition.
INLINE void run_sums(const panel_loop *loop, const uint8_t *input, int rows, int columns,
                     int vectors, bool pairs_fit, vector_sums *sums) {
  const size_t first = PAIRS_SATURATE ? FOV_GROUP : 0;
  UNROLLED for (int i = 0; i < rows * columns * vectors; i++) {
    sums[i] = sums_begin(loop->weight_sums + i % vectors * VECTOR_LANES);
  }
  accumulate(sums, rows, columns, vectors, input, loop->row, loop->column, loop->weights,
             loop->panel_bytes, first / FOV_GROUP, pairs_fit);
  accumulate(sums, rows, columns, vectors, input + first, loop->row, loop->column,
             loop->weights + first * FOV_PANEL, loop->panel_bytes,
             (loop->channels - first) / FOV_GROUP, pairs_fit);
}

INLINE void any_sums(const panel_loop *loop, const uint8_t *input, int rows, int columns,
                     int vectors, bool pairs_fit, tap_kind kind, vector_sums *sums) {
  switch (kind) {
    case tap_kind_any: tile_sums(loop, input, rows, columns, vectors, pairs_fit, sums); break;
    case tap_kind_run: run_sums(loop, input, rows, columns, vectors, pairs_fit, sums); break;
    case tap_kind_image:
    case tap_kind_image_stride_2:
      image_sums(loop, input, rows, columns, vectors, kind, pairs_fit, sums);
      break;
  }
}

// Sums of few products are finished in registers. So are those of the widest tiles of 16-bit
// integers, since most of these layers have few channels.
INLINE void finish_any_tile(const row_finish *finish, const vector_sums *sums, int pixels,
                            int vectors, tap_kind kind, size_t y, size_t x) {
  if (INT16_PRODUCTS ? 2 * pixels <= TILE_PIXELS(vectors) : kind == tap_kind_any) {
    finish_heavy_tile(finish->place, sums, pixels, vectors, y, x);
  } else {
    finish_tile(finish, sums, pixels, vectors, y, x);
  }
}

INLINE void plain_tile(const panel_loop *loop, const row_finish *finish, size_t y, size_t x,
                       int columns, int vectors, bool pairs_fit, tap_kind kind) {
  vector_sums sums[TILE_VECTORS];
  const uint8_t *input = loop->input + (ptrdiff_t)y * loop->row + (ptrdiff_t)x * loop->column;
  any_sums(loop, input, 1, columns, vectors, pairs_fit, kind, sums);
  finish_any_tile(finish, sums, columns, vectors, kind, y, x);
}

INLINE void pooled_tile(const panel_loop *loop, const row_finish *finish, size_t y, size_t x,
                        int pooled, int vectors, bool pairs_fit, tap_kind kind) {
  vector_sums sums[TILE_VECTORS], greatest[TILE_VECTORS];
  const int columns = 2 * pooled;
  const uint8_t *input =
      loop->input + (ptrdiff_t)y * 2 * loop->row + (ptrdiff_t)x * 2 * loop->column;
  any_sums(loop, input, 2, columns, vectors, pairs_fit, kind, sums);
  UNROLLED for (int p = 0; p < pooled; p++) {
    UNROLLED for (int v = 0; v < vectors; v++) {
      const vector_sums *top = sums + 2 * p * vectors + v;
      const vector_sums *bottom = top + columns * vectors;
      greatest[p * vectors + v] = sums_greater(sums_greater(top[0], top[vectors]),
                                               sums_greater(bottom[0], bottom[vectors]));
    }
  }
  finish_any_tile(finish, greatest, pooled, vectors, kind, y, x);
}

// Panels whose pairs do not fit are rare. Few sizes of tiles are compiled for them.
#define EXACT_PIXELS 2

INLINE size_t widest_tile(int vectors, bool pairs_fit, bool pools, tap_kind kind) {
  (void)vectors;
  if (!pairs_fit) return pools ? 1 : EXACT_PIXELS;
  if (IMAGE_SHARES_PIXELS && is_image(kind)) return pools ? 4 : 8;
  return pools ? TILE_POOLED_PIXELS(vectors) : TILE_PIXELS(vectors);
}

// Tiles of images are unrolled in full, so that only few widths are compiled. Layers of 16-bit
// integers are few, and take widths that are powers of two.
INLINE bool is_tile_width(size_t width, int vectors, bool pairs_fit, bool pools, tap_kind kind) {
  const size_t widest = widest_tile(vectors, pairs_fit, pools, kind);
  if (INT16_PRODUCTS) return width <= widest && (width & (width - 1)) == 0;
  return width <= widest && (!is_image(kind) || width + 1 >= widest || width == 1);
}

// One case for each tile width for which the instruction set has registers.
INLINE void any_tile(const panel_loop *loop, const row_finish *finish, size_t y, size_t x,
                     size_t columns, int vectors, bool pairs_fit, bool pools, tap_kind kind) {
#define TILE_CASE(width)                                                \
  case width:                                                           \
    if (!is_tile_width(width, vectors, pairs_fit, pools, kind)) break;  \
    if (pools) {                                                        \
      pooled_tile(loop, finish, y, x, width, vectors, pairs_fit, kind); \
    } else {                                                            \
      plain_tile(loop, finish, y, x, width, vectors, pairs_fit, kind);  \
    }                                                                   \
    break;
  switch (columns) {
    // clang-format off
    TILE_CASE(1) TILE_CASE(2) TILE_CASE(3) TILE_CASE(4) TILE_CASE(5) TILE_CASE(6) TILE_CASE(7)
    TILE_CASE(8) TILE_CASE(9) TILE_CASE(10) TILE_CASE(11) TILE_CASE(12) TILE_CASE(13) TILE_CASE(14)
    default: break;
    // clang-format on
  }
#undef TILE_CASE
}

// A row in tiles of nearly equal width. Images have two widths, which make up nearly all rows.
INLINE void row_of_tiles(const panel_loop *shared, size_t y, int vectors, bool pairs_fit,
                         bool pools, tap_kind kind) {
  const panel_loop copy = *shared, *loop = &copy;
  const size_t columns = loop->columns, widest = widest_tile(vectors, pairs_fit, pools, kind);
  const size_t tiles = fov_size_parts(columns, widest);
  const size_t width = columns / tiles, wider = columns % tiles;
  const row_finish finish = finish_row(&shared->place, y);
  size_t x = 0;
  for (size_t i = 0; x < columns; i++) {
    size_t own = i < wider ? width + 1 : width;
    if (is_image(kind)) {
      const size_t left = columns - x;
      own = left % widest == 0 ? widest : left + 1 >= widest ? widest - 1 : 1;
    } else if (INT16_PRODUCTS) {
      for (own = 8; own > columns - x || own > widest;) own /= 2;
    }
    any_tile(loop, &finish, y, x, own, vectors, pairs_fit, pools, kind);
    x += own;
  }
}

#define ROW_FUNCTION(name, vectors, pairs_fit, pools, kind) \
  SEPARATE void name(const panel_loop *loop, size_t y) {    \
    row_of_tiles(loop, y, vectors, pairs_fit, pools, kind); \
  }
#define ROW_FUNCTIONS(vectors)                                      \
  ROW_FUNCTION(row_##vectors, vectors, true, false, tap_kind_any)   \
  ROW_FUNCTION(pooled_##vectors, vectors, true, true, tap_kind_any) \
  ROW_FUNCTION(run_##vectors, vectors, true, false, tap_kind_run)
#define EXACT_ROW_FUNCTIONS(vectors)                                       \
  ROW_FUNCTION(row_##vectors##_exact, vectors, false, false, tap_kind_any) \
  ROW_FUNCTION(pooled_##vectors##_exact, vectors, false, true, tap_kind_any)

typedef void (*row_function)(const panel_loop *loop, size_t y);

#if INT16_PRODUCTS
// Few layers have 16-bit integers. They share one kind of row.
#define INT16_ROW_FUNCTION(vectors) ROW_FUNCTION(row_##vectors, vectors, true, false, tap_kind_any)
INT16_ROW_FUNCTION(1)
INT16_ROW_FUNCTION(2)
#if TILE_VECTORS_ACROSS == 4
INT16_ROW_FUNCTION(3)
INT16_ROW_FUNCTION(4)
#endif

INLINE row_function row_function_of(tap_kind kind, size_t vectors, bool pools, bool pairs_fit) {
  static const row_function functions[TILE_VECTORS_ACROSS] = {
    row_1,
    row_2,
#if TILE_VECTORS_ACROSS == 4
    row_3,
    row_4,
#endif
  };
  (void)kind;
  (void)pools;
  (void)pairs_fit;
  return functions[vectors - 1];
}
#else
ROW_FUNCTIONS(1)
ROW_FUNCTIONS(2)
#if TILE_VECTORS_ACROSS == 4
ROW_FUNCTIONS(3)
ROW_FUNCTIONS(4)
#endif
ROW_FUNCTION(row_of_image, PANEL_VECTORS, true, false, tap_kind_image)
ROW_FUNCTION(pooled_of_image, PANEL_VECTORS, true, true, tap_kind_image)
#if IMAGE_SHARES_PIXELS
ROW_FUNCTION(row_of_image_stride_2, PANEL_VECTORS, true, false, tap_kind_image_stride_2)
#endif
#if PAIRS_SATURATE
EXACT_ROW_FUNCTIONS(1)
EXACT_ROW_FUNCTIONS(2)
#endif

INLINE row_function row_function_of(tap_kind kind, size_t vectors, bool pools, bool pairs_fit) {
#define ROW_FUNCTION_TABLE(vectors) \
  { row_##vectors, pooled_##vectors, run_##vectors }
  static const row_function functions[TILE_VECTORS_ACROSS][3] = {
    ROW_FUNCTION_TABLE(1),
    ROW_FUNCTION_TABLE(2),
#if TILE_VECTORS_ACROSS == 4
    ROW_FUNCTION_TABLE(3),
    ROW_FUNCTION_TABLE(4),
#endif
  };
#if PAIRS_SATURATE
  static const row_function exact[2][2] = {{row_1_exact, pooled_1_exact},
                                           {row_2_exact, pooled_2_exact}};
  if (!pairs_fit) return exact[vectors - 1][pools];
#else
  (void)pairs_fit;
#endif
#if IMAGE_SHARES_PIXELS
  if (kind == tap_kind_image_stride_2 && vectors == PANEL_VECTORS && !pools) {
    return row_of_image_stride_2;
  }
#endif
  if (kind == tap_kind_image && vectors == PANEL_VECTORS) {
    return pools ? pooled_of_image : row_of_image;
  }
  return functions[vectors - 1][pools ? 1 : kind == tap_kind_run ? 2 : 0];
}
#endif

// Contiguous bytes become one run: all blocks of a 1x1 kernel, and the columns of a kernel if
// pixels have no gaps.
INLINE fov_int8_convolution with_long_runs(const fov_int8_convolution *convolution) {
  fov_int8_convolution k = *convolution;
  if (k.kernel[0] * k.kernel[1] == 1) k.block = k.channels;
  const size_t step = k.dilation[1] * (size_t)k.input_pixel;
  if (k.block >= k.channels && k.input_pixel > 0 && step == k.channels) {
    k.channels *= k.kernel[1];
    k.block = k.channels;
    k.kernel[1] = 1;
  }
  return k;
}

// `k`: with long runs.
INLINE tap_kind tap_kind_of(const fov_int8_convolution *convolution,
                            const fov_int8_convolution *k) {
  if (INT16_PRODUCTS) return tap_kind_any;
  if (k->kernel[0] == 1 && k->kernel[1] == 1) return tap_kind_run;
  const bool is_3x3 = k->kernel[0] == 3 && k->kernel[1] == 1 && k->channels == 3 * FOV_GROUP &&
                      convolution->kernel[1] == 3;
  if (!is_3x3) return tap_kind_any;
  if (!IMAGE_SHARES_PIXELS) return tap_kind_image;
  if (k->dilation[0] != 1 || k->stride[0] != k->stride[1] || k->stride[0] > 2) return tap_kind_any;
  return k->stride[0] == 1 ? tap_kind_image : tap_kind_image_stride_2;
}

// Rows that are computed before the next panel: as many as have their input in the first cache. All
// rows, if the panels are too large for the second cache.
INLINE size_t rows_together(const fov_int8_convolution *k, ptrdiff_t row, size_t rows,
                            size_t panels) {
  if (k->panel_bytes * panels > PANELS_IN_CACHE) return rows;
  const size_t bytes = (k->pools ? 2 : 1) * (size_t)(row < 0 ? -row : row);
  return fov_size_max(ROWS_IN_CACHE / fov_size_max(bytes, 1), 1);
}

// Whether rows are too short for a tile, and columns are longer.
INLINE bool is_narrow(const fov_int8_convolution *k, size_t rows) {
  return !k->pools && k->columns <= TILE_PIXELS(TILE_VECTORS_ACROSS) / 2 && rows > k->columns;
}

// Swaps rows and columns of the result, for `rows` rows from `row_begin` on. `epilogue` is that of
// the loop's place.
INLINE void swap_rows_and_columns(panel_loop *loop, fov_int8_epilogue *epilogue, size_t row_begin,
                                  size_t rows) {
  const ptrdiff_t begin = (ptrdiff_t)row_begin;
  const ptrdiff_t element = epilogue->result;
  loop->input += begin * loop->row;
  loop->place.output = (uint8_t *)loop->place.output + begin * loop->place.row * element;
  if (epilogue->residual) epilogue->residual += begin * epilogue->residual_row;
  fov_distances_swap(&loop->row, &loop->column);
  fov_distances_swap(&loop->place.row, &loop->place.pixel);
  fov_distances_swap(&epilogue->residual_row, &epilogue->residual_pixel);
  loop->columns = rows;
}

static void convolution(const fov_int8_convolution *convolution, size_t row_begin, size_t row_end,
                        size_t panel_begin, size_t panel_end) {
  fov_int8_convolution k = with_long_runs(convolution);
  const size_t end = fov_size_min(panel_end * FOV_PANEL, k.output_channels);
#if HAS_FEW_CHANNELS
  if (few_channels_applies(&k) && panel_begin < panel_end) {
    few_channels_convolution(&k, row_begin, row_end);
    return;
  }
#endif
  const tap_kind kind = tap_kind_of(convolution, &k);
  panel_loop loop = {.input = k.input,
                     .row = (ptrdiff_t)k.stride[0] * k.input_row,
                     .column = (ptrdiff_t)k.stride[1] * k.input_pixel,
                     .kernel_row = (ptrdiff_t)k.dilation[0] * k.input_row,
                     .kernel_column = (ptrdiff_t)k.dilation[1] * k.input_pixel,
                     .kernel = {k.kernel[0], k.kernel[1]},
                     .channels = k.channels,
                     .block = k.block,
                     .panel_bytes = k.panel_bytes,
                     .columns = k.columns};
  loop.place = (tile_place){&k.epilogue, k.output, k.output_row, k.output_pixel, 0, 0};
  if (!is_image(kind) && is_narrow(&k, row_end - row_begin)) {
    swap_rows_and_columns(&loop, &k.epilogue, row_begin, row_end - row_begin);
    row_begin = 0;
    row_end = k.columns;
  }
  const size_t together = rows_together(&k, loop.row, row_end - row_begin, panel_end - panel_begin);
  for (size_t row = row_begin; row < row_end; row += together) {
    const size_t last = fov_size_min(row_end - row, together) + row;
    for (size_t c = panel_begin * FOV_PANEL; c < end; c += TILE_PANELS * FOV_PANEL) {
      const size_t panel = c / FOV_PANEL;
      loop.weights = k.weights + panel * k.panel_bytes;
      loop.weight_sums = k.weight_sums + c;
      loop.place.channel = c;
      loop.place.channels = fov_size_min(end - c, TILE_PANELS * FOV_PANEL);
      const size_t vectors = fov_size_parts(loop.place.channels, VECTOR_LANES);
      bool pairs_fit = k.pairs_fit[panel] != 0;
      if (loop.place.channels > FOV_PANEL) pairs_fit = pairs_fit && k.pairs_fit[panel + 1] != 0;
      const row_function run = row_function_of(kind, vectors, k.pools, pairs_fit);
      for (size_t y = row; y < last; y++) run(&loop, y);
    }
  }
}

#endif

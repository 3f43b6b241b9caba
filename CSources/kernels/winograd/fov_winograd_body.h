// Fovea - Winograd convolution: transforms, products and sums, for any vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WINOGRAD_BODY_H
#define FOV_WINOGRAD_BODY_H

#include "base/fov_size.h"
#include "kernels/fov_inlining.h"
#include "kernels/int8/fov_int8_kernels.h"
#include "kernels/winograd/fov_winograd.h"

// Included after a header that defines, for codes or for floats,
//
//   winograd_convolution   the structure that a kernel is given
//   winograd_input         type of an input in memory;  winograd_tap  of a packed tap
//   winograd_element       type of a transformed input or tap in memory: int16_t or float
//   winograd_number        type of a sum in memory
//   vector_elements, elements_*  transformed inputs and taps: ELEMENT_LANES at a time
//   vector_sums, sums_*    their sums over channels: VECTOR_LANES at a time
//   TAP_VECTORS            vectors of elements that hold the taps of a panel for one step
//   STEP_CHANNELS          channels of one product; a group of four is 4 / STEP_CHANNELS steps
//   TAPS_TOGETHER          channels that taps_load gives
//   WINOGRAD_PANELS        panels that are multiplied together, so that inputs are read once for
//   all WINOGRAD_TILES         tiles whose sums of these panels stay in registers step_inputs a
//   group of a tile's inputs;  step_multiply_add  its products with taps winograd_finish from the
//   sums of a tile to the result
#define WINDOW FOV_WINOGRAD_WINDOW
#define PLANES FOV_WINOGRAD_PLANES
#define SUMS_IN_TILE (FOV_WINOGRAD_TILE * FOV_WINOGRAD_TILE)
#define GROUP 4
#define STEPS (GROUP / STEP_CHANNELS)
#define VECTORS (FOV_PANEL / VECTOR_LANES)
#define STEP_ELEMENTS (FOV_PANEL * STEP_CHANNELS)
#define PANELS_STEP_ELEMENTS (WINOGRAD_PANELS * STEP_ELEMENTS)

// MARK: Inputs

// B times six vectors that lie `step` apart.
INLINE void transform_inputs(const vector_elements *d, int step, vector_elements out[WINDOW]) {
  const vector_elements d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step];
  const vector_elements even = elements_subtract_shifted(d4, d2, 2);
  const vector_elements odd = elements_subtract_shifted(d3, d1, 2);
  const vector_elements outer = elements_subtract(d4, d2), inner = elements_subtract(d3, d1);
  out[0] = elements_subtract_shifted(outer, elements_subtract(d2, d[0]), 2);
  out[1] = elements_add(even, odd);
  out[2] = elements_subtract(odd, even);
  out[3] = elements_add_shifted(outer, inner, 1);
  out[4] = elements_subtract_shifted(outer, inner, 1);
  out[5] = elements_subtract_shifted(elements_subtract(d[5 * step], d3), inner, 2);
}

// ELEMENT_LANES channels of one tile, of which `lanes` exist. The window has `rows` x `columns`
// pixels, 1 to 6 each. Pixels outside are zero.
INLINE void transform_window(const winograd_input *input, ptrdiff_t row, ptrdiff_t pixel,
                             size_t rows, size_t columns, size_t lanes, size_t plane,
                             winograd_element *out) {
  vector_elements half[PLANES];
  UNROLLED for (size_t y = 0; y < WINDOW; y++) {
    vector_elements window[WINDOW];
    UNROLLED for (size_t x = 0; x < WINDOW; x++) {
      const winograd_input *at = input + (ptrdiff_t)y * row + (ptrdiff_t)x * pixel;
      window[x] = y < rows && x < columns ? elements_load(at, lanes) : elements_zero();
    }
    transform_inputs(window, 1, half + y * WINDOW);
  }
  UNROLLED for (size_t x = 0; x < WINDOW; x++) {
    vector_elements whole[WINDOW];
    transform_inputs(half + x, WINDOW, whole);
    UNROLLED for (size_t y = 0; y < WINDOW; y++) {
      elements_store(out + (y * WINDOW + x) * plane, whole[y]);
    }
  }
}

SEPARATE void transform_part_of_window(const winograd_input *input, ptrdiff_t row, ptrdiff_t pixel,
                                       size_t rows, size_t columns, size_t lanes, size_t plane,
                                       winograd_element *out) {
  transform_window(input, row, pixel, rows, columns, lanes, plane, out);
}

// All channels of one tile.
INLINE void transform_tile(const winograd_convolution *k, const fov_winograd_tiles *tiles,
                           size_t depth, size_t tile_row, size_t tile_column,
                           winograd_element *inputs) {
  const size_t windows = k->pools ? 2 : 1;
  const size_t rows = fov_size_min(k->rows * windows + 2 - tile_row * FOV_WINOGRAD_TILE, WINDOW);
  const size_t columns =
      fov_size_min(k->columns * windows + 2 - tile_column * FOV_WINOGRAD_TILE, WINDOW);
  const winograd_input *from = k->input + (ptrdiff_t)(tile_row * FOV_WINOGRAD_TILE) * k->input_row +
                               (ptrdiff_t)(tile_column * FOV_WINOGRAD_TILE) * k->input_pixel;
  fov_winograd_part part = {0};
  for (size_t c = 0; c < k->channels; c += part.count, part.index++) {
    part = fov_winograd_part_at(part.index, c, k->channels, k->block, depth);
    winograd_element *out = inputs + part.index * tiles->part;
    for (size_t i = 0; i < part.count; i += ELEMENT_LANES) {
      const size_t lanes = fov_size_min(part.count - i, ELEMENT_LANES);
      if (rows == WINDOW && columns == WINDOW && lanes == ELEMENT_LANES) {
        transform_window(from + c + i, k->input_row, k->input_pixel, WINDOW, WINDOW, ELEMENT_LANES,
                         tiles->plane, out + i);
      } else {
        transform_part_of_window(from + c + i, k->input_row, k->input_pixel, rows, columns, lanes,
                                 tiles->plane, out + i);
      }
    }
  }
}

// MARK: Taps

// G times three vectors that lie `step` apart.
INLINE void transform_taps(const vector_elements *t, int step, vector_elements out[WINDOW]) {
  const vector_elements a = t[0], b = t[step], c = t[2 * step];
  const vector_elements both = elements_add(a, c), outer = elements_add_shifted(a, c, 2);
  out[0] = elements_times_6(a);
  out[1] = elements_times_4(elements_add(both, b));
  out[2] = elements_times_4(elements_subtract(both, b));
  out[3] = elements_add_shifted(outer, b, 1);
  out[4] = elements_subtract_shifted(outer, b, 1);
  out[5] = elements_times_6(c);
}

INLINE void transform_kernel(const vector_elements taps[9], size_t plane, winograd_element *out) {
  vector_elements half[3 * WINDOW];
  UNROLLED for (int x = 0; x < 3; x++) {
    vector_elements column[WINDOW];
    transform_taps(taps + x, 3, column);
    UNROLLED for (int y = 0; y < WINDOW; y++) half[y * 3 + x] = column[y];
  }
  UNROLLED for (size_t y = 0; y < WINDOW; y++) {
    vector_elements whole[WINDOW];
    transform_taps(half + y * 3, 1, whole);
    UNROLLED for (size_t x = 0; x < WINDOW; x++) {
      elements_store(out + (y * WINDOW + x) * plane, whole[x]);
    }
  }
}

// The taps of a part of one panel's channels, in whole groups. The taps of panels that are
// multiplied together are interleaved.
SEPARATE void transform_panel(const winograd_tap *weights, const fov_winograd_part *part,
                              size_t plane, winograd_element *out) {
  const winograd_tap *block = weights + 9 * part->block_begin * FOV_PANEL;
  const size_t groups_end = fov_size_parts(part->count, GROUP) * GROUP;
  for (size_t c = 0; c < groups_end; c += TAPS_TOGETHER) {
    const size_t in_block = part->begin - part->block_begin + c;
    for (int v = 0; v < TAP_VECTORS; v++) {
      vector_elements taps[TAPS_TOGETHER / STEP_CHANNELS][9];
      UNROLLED for (size_t i = 0; i < 9; i++) {
        vector_elements at[TAPS_TOGETHER / STEP_CHANNELS];
        taps_load(block + i * part->block_count * FOV_PANEL, in_block, v, c < part->count, at);
        UNROLLED for (int s = 0; s < TAPS_TOGETHER / STEP_CHANNELS; s++) taps[s][i] = at[s];
      }
      UNROLLED for (size_t s = 0; s < TAPS_TOGETHER / STEP_CHANNELS; s++) {
        transform_kernel(
            taps[s], plane,
            out + (c / STEP_CHANNELS + s) * PANELS_STEP_ELEMENTS + (size_t)v * ELEMENT_LANES);
      }
    }
  }
}

// Packed taps of a part of the channels of neighboring panels.
typedef struct taps_source {
  const winograd_tap *weights;
  size_t panel, panels;
  fov_winograd_part part;
} taps_source;

// The taps that are transformed after `source`. panels is 0 if there are none.
INLINE taps_source taps_after(const winograd_convolution *k, const taps_source *source) {
  const size_t end = source->part.begin + source->part.count;
  taps_source next = *source;
  if (end < k->channels) {
    next.part =
        fov_winograd_part_at(source->part.index + 1, end, k->channels, k->block, WINOGRAD_DEPTH);
    return next;
  }
  next.panel += source->panels;
  const size_t panels = fov_size_parts(k->output_channels, FOV_PANEL) - next.panel;
  next.panels = fov_size_min(panels, source->panels);
  next.weights += source->panels * winograd_panel(k);
  next.part = fov_winograd_part_at(0, 0, k->channels, k->block, WINOGRAD_DEPTH);
  return next;
}

// Prefetches a share of the packed taps into the second cache, during the products of one plane.
INLINE void prefetch_taps(const winograd_convolution *k, const taps_source *source, size_t plane) {
  const size_t tap = plane / 4, quarter = plane % 4;
  const size_t bytes = source->part.count * FOV_PANEL * sizeof(winograd_tap);
  const size_t in_block = source->part.begin - source->part.block_begin;
  const winograd_tap *at = source->weights + 9 * source->part.block_begin * FOV_PANEL +
                           (tap * source->part.block_count + in_block) * FOV_PANEL;
  for (size_t p = 0; p < source->panels; p++) {
    const char *from = (const char *)(at + p * winograd_panel(k));
    for (size_t i = bytes * quarter / 4; i < bytes * (quarter + 1) / 4; i += 64) {
      __builtin_prefetch(from + i, 0, 2);
    }
  }
}

// MARK: Products

// Where a tile's sums of so many vectors lie among those of WINOGRAD_PANELS panels.
#define SUMS_AT(index, vectors) \
  ((index) / (vectors) * (WINOGRAD_PANELS * FOV_PANEL) + VECTOR_LANES * ((index) % (vectors)))

// Adds the products of `count` tiles over groups of channels to their sums. The first ones begin at
// zero.
INLINE void tile_products(const winograd_element *inputs, size_t pixel,
                          const winograd_element *taps, size_t groups, int count, int panels,
                          bool first, winograd_number *sums) {
  const int vectors = panels * VECTORS;
  vector_sums s[WINOGRAD_TILES * WINOGRAD_PANELS * VECTORS];
  UNROLLED for (int i = 0; i < count * vectors; i++) {
    s[i] = first ? sums_zero() : sums_load(sums + SUMS_AT(i, vectors));
  }
  // One address serves three tiles: an index, once or twice, costs a load nothing.
  const winograd_element *tiles[(WINOGRAD_TILES + 2) / 3];
  UNROLLED for (int i = 0; i < (count + 2) / 3; i++) {
    tiles[i] = inputs + (size_t)i * 3 * pixel;
    KEEP_REGISTER(tiles[i]);
  }
  for (; groups != 0; groups--) {
    step_inputs a[WINOGRAD_TILES];
    UNROLLED for (int t = 0; t < count; t++) {
      a[t] = step_inputs_load(tiles[t / 3] + (size_t)(t % 3) * pixel);
    }
    UNROLLED for (int step = 0; step < STEPS; step++) {
      KEEP_STEP_ORDER();
      vector_elements w[WINOGRAD_PANELS * TAP_VECTORS];
      UNROLLED for (int v = 0; v < panels * TAP_VECTORS; v++) {
        w[v] = elements_again(taps + v * ELEMENT_LANES);
      }
      UNROLLED for (int t = 0; t < count; t++) {
        UNROLLED for (int p = 0; p < panels; p++) {
          step_multiply_add(s + t * vectors + p * VECTORS, w + p * TAP_VECTORS, a[t], step);
        }
      }
      taps += PANELS_STEP_ELEMENTS;
    }
    UNROLLED for (int i = 0; i < (count + 2) / 3; i++) {
      tiles[i] += GROUP;
      KEEP_REGISTER(tiles[i]);
    }
  }
  UNROLLED for (int i = 0; i < count * vectors; i++) sums_store(sums + SUMS_AT(i, vectors), s[i]);
}

// One plane: tiles in runs of nearly equal length.
INLINE void plane_products(const winograd_element *inputs, size_t pixel,
                           const winograd_element *taps, size_t groups, size_t tiles, int panels,
                           bool first, winograd_number *sums) {
// A count that no run has is compiled as a run of one, which is dropped.
#define TILES_CASE(count)                                                                         \
  case count:                                                                                     \
    if ((count) <= WINOGRAD_TILES) {                                                              \
      tile_products(inputs, pixel, taps, groups, (count) <= WINOGRAD_TILES ? (count) : 1, panels, \
                    first, sums);                                                                 \
    }                                                                                             \
    break;
  const size_t runs = fov_size_parts(tiles, WINOGRAD_TILES);
  const size_t length = tiles / runs, longer = tiles % runs;
  for (size_t i = 0; i < runs; i++) {
    const size_t own = i < longer ? length + 1 : length;
    switch (own) {
      // clang-format off
      TILES_CASE(1) TILES_CASE(2) TILES_CASE(3) TILES_CASE(4) TILES_CASE(5) TILES_CASE(6)
      TILES_CASE(7) TILES_CASE(8) TILES_CASE(9) TILES_CASE(10) TILES_CASE(11) TILES_CASE(12)
      TILES_CASE(13) default: break;
      // clang-format on
    }
    inputs += own * pixel;
    sums += own * WINOGRAD_PANELS * FOV_PANEL;
  }
#undef TILES_CASE
}

// MARK: Sums

// A times six vectors that lie `step` apart.
INLINE void transform_sums(const vector_sums *m, int step, vector_sums *out) {
  const vector_sums minus_sum = sums_add(m[step], m[2 * step]);
  const vector_sums difference = sums_subtract(m[2 * step], m[step]);
  const vector_sums outer_sum = sums_add(m[3 * step], m[4 * step]);
  const vector_sums outer = sums_subtract(m[3 * step], m[4 * step]);
  out[0] = sums_add(sums_add(m[0], difference), outer_sum);
  out[1] = sums_shifted_subtract(outer, 1, minus_sum);
  out[2] = sums_add_shifted(difference, outer_sum, 2);
  out[3] = sums_shifted_subtract(sums_add_shifted(m[5 * step], outer, 1), 2, minus_sum);
}

// sums[TILE][TILE] of one vector of channels, scaled; sums_of_scaled takes the scale away.
INLINE void transform_tile_sums(const winograd_number *planes, size_t plane,
                                vector_sums results[SUMS_IN_TILE]) {
  vector_sums half[FOV_WINOGRAD_TILE * WINDOW];
  UNROLLED for (size_t x = 0; x < WINDOW; x++) {
    vector_sums column[WINDOW], out[FOV_WINOGRAD_TILE];
    UNROLLED for (size_t y = 0; y < WINDOW; y++) {
      column[y] = sums_load(planes + (y * WINDOW + x) * plane);
    }
    transform_sums(column, 1, out);
    UNROLLED for (size_t y = 0; y < FOV_WINOGRAD_TILE; y++) half[y * WINDOW + x] = out[y];
  }
  UNROLLED for (size_t y = 0; y < FOV_WINOGRAD_TILE; y++) {
    transform_sums(half + y * WINDOW, 1, results + y * FOV_WINOGRAD_TILE);
    UNROLLED for (size_t x = 0; x < FOV_WINOGRAD_TILE; x++) {
      vector_sums *at = results + y * FOV_WINOGRAD_TILE + x;
      *at = sums_ordered(*at);
    }
  }
}

// One tile of a panel: its rows of results, pooled or not.
INLINE void finish_tile_rows(const winograd_convolution *k, const winograd_number *planes,
                             size_t plane, size_t panel, size_t tile_row, size_t tile_column,
                             bool pools) {
  vector_sums sums[VECTORS][SUMS_IN_TILE];
  UNROLLED for (int v = 0; v < VECTORS; v++) {
    transform_tile_sums(planes + v * VECTOR_LANES, plane, sums[v]);
  }
  const size_t windows = pools ? 2 : 1, side = FOV_WINOGRAD_TILE / windows;
  const size_t row = tile_row * side, column = tile_column * side;
  const size_t columns = fov_size_min(k->columns - column, side);
  ONE_BY_ONE for (size_t y = 0; y < side; y++) {
    if (row + y >= k->rows) break;
    vector_sums line[FOV_WINOGRAD_TILE * VECTORS];
    UNROLLED for (size_t x = 0; x < side; x++) {
      UNROLLED for (size_t v = 0; v < VECTORS; v++) {
        const vector_sums *at = sums[v] + y * windows * FOV_WINOGRAD_TILE + x * windows;
        vector_sums sum = at[0];
        if (pools) {
          sum = sums_greater(sums_greater(sum, at[1]),
                             sums_greater(at[FOV_WINOGRAD_TILE], at[FOV_WINOGRAD_TILE + 1]));
        }
        line[x * VECTORS + v] = sums_of_ordered(sum);
      }
    }
    if (columns == side) {
      winograd_finish(k, line, side, panel, row + y, column);
    } else if (columns == 1) {
      winograd_finish(k, line, 1, panel, row + y, column);
    } else if (columns == 2 && side > 2) {
      winograd_finish(k, line, 2, panel, row + y, column);
    } else if (side > 2) {
      winograd_finish(k, line, 3, panel, row + y, column);
    }
  }
}

SEPARATE void finish_plain_tile(const winograd_convolution *k, const winograd_number *planes,
                                size_t plane, size_t panel, size_t tile_row, size_t tile_column) {
  finish_tile_rows(k, planes, plane, panel, tile_row, tile_column, false);
}

SEPARATE void finish_pooled_tile(const winograd_convolution *k, const winograd_number *planes,
                                 size_t plane, size_t panel, size_t tile_row, size_t tile_column) {
  finish_tile_rows(k, planes, plane, panel, tile_row, tile_column, true);
}

// MARK: Kernels

static void winograd_transform(const void *convolution, const fov_winograd_tiles *tiles,
                               size_t row_begin, size_t row_end, void *inputs) {
  const winograd_convolution *k = convolution;
  for (size_t row = row_begin; row < row_end; row++) {
    for (size_t column = 0; column < tiles->columns; column++) {
      const size_t tile = (row - tiles->row_begin) * tiles->columns + column;
      transform_tile(k, tiles, WINOGRAD_DEPTH, row, column,
                     (winograd_element *)inputs + tile * tiles->pixel);
    }
  }
}

// The sums of all planes of neighboring panels.
static void panel_products(const winograd_convolution *k, const fov_winograd_tiles *tiles,
                           const winograd_element *inputs, size_t panel, size_t panels,
                           size_t count, size_t sums_plane, winograd_number *sums,
                           winograd_element *taps) {
  taps_source source = {k->weights + panel * winograd_panel(k), panel, panels,
                        fov_winograd_part_at(0, 0, k->channels, k->block, WINOGRAD_DEPTH)};
  do {
    const fov_winograd_part part = source.part;
    const size_t groups = fov_size_parts(part.count, GROUP);
    const size_t plane =
        fov_winograd_plane(groups * GROUP * WINOGRAD_PANELS * FOV_PANEL, sizeof *taps);
    for (size_t p = 0; p < panels; p++) {
      transform_panel(source.weights + p * winograd_panel(k), &part, plane,
                      taps + p * STEP_ELEMENTS);
    }
    source = taps_after(k, &source);
    for (size_t i = 0; i < PLANES; i++) {
      const winograd_element *from = inputs + part.index * tiles->part + i * tiles->plane;
      prefetch_taps(k, &source, i);
      if (panels == WINOGRAD_PANELS) {
        plane_products(from, tiles->pixel, taps + i * plane, groups, count, WINOGRAD_PANELS,
                       part.begin == 0, sums + i * sums_plane);
      } else {
        plane_products(from, tiles->pixel, taps + i * plane, groups, count, 1, part.begin == 0,
                       sums + i * sums_plane);
      }
    }
  } while (source.part.begin != 0);
}

static void winograd_multiply(const void *convolution, const fov_winograd_tiles *tiles,
                              const void *inputs, size_t panel_begin, size_t panel_end,
                              void *scratch) {
  const winograd_convolution *k = convolution;
  const size_t count = (tiles->row_end - tiles->row_begin) * tiles->columns;
  const size_t tile_sums = WINOGRAD_PANELS * FOV_PANEL;
  const size_t sums_plane = fov_winograd_plane(count * tile_sums, sizeof(winograd_number));
  winograd_number *sums = scratch;
  winograd_element *taps = (winograd_element *)(void *)(sums + PLANES * sums_plane);
  size_t together;
  for (size_t panel = panel_begin; panel < panel_end; panel += together) {
    together = panel_end - panel < WINOGRAD_PANELS ? 1 : WINOGRAD_PANELS;
    panel_products(k, tiles, inputs, panel, together, count, sums_plane, sums, taps);
    for (size_t i = 0; i < count * together; i++) {
      const size_t tile = i / together, p = i % together;
      (k->pools ? finish_pooled_tile : finish_plain_tile)(
          k, sums + tile * tile_sums + p * FOV_PANEL, sums_plane, panel + p,
          tiles->row_begin + tile / tiles->columns, tile % tiles->columns);
    }
  }
}

#define WINOGRAD_KERNEL_TABLE(...)                                                              \
  {                                                                                             \
    .transform = winograd_transform, .multiply = winograd_multiply,                             \
    .element_bytes = sizeof(winograd_element), .lanes = ELEMENT_LANES, .depth = WINOGRAD_DEPTH, \
    .panels = WINOGRAD_PANELS, .costs = {                                                       \
      __VA_ARGS__                                                                               \
    }                                                                                           \
  }

#endif

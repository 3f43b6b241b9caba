// Fovea - when a Winograd convolution is faster, and the memory that it needs.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/winograd/fov_winograd.h"

#include "base/fov_size.h"
#include "kernels/int8/fov_int8_kernels.h"

size_t fov_winograd_tile_count(size_t length) { return fov_size_parts(length, FOV_WINOGRAD_TILE); }

// Winograd has to cost at most this share of a direct convolution, which needs no memory.
#define WANTED_SHARE 0.95f

// The cost of a direct product beside the tiles, where rows are short.
#define REST_COST 1.2f

static float cover_cost(const fov_winograd_kernels *kernels, const fov_winograd_shape *shape,
                        size_t rows, size_t columns) {
  const fov_winograd_costs *costs = &kernels->costs;
  const float transforms =
      costs->window / (float)shape->output_channels + costs->sums / (float)shape->input_channels;
  const size_t covered = fov_size_min(rows * FOV_WINOGRAD_TILE, shape->rows) *
                         fov_size_min(columns * FOV_WINOGRAD_TILE, shape->columns);
  return (float)rows * (float)columns * (FOV_WINOGRAD_PLANES * costs->product + transforms) +
         costs->taps + REST_COST * 9.0f * (float)(shape->rows * shape->columns - covered);
}

bool fov_winograd_cover(const fov_winograd_kernels *kernels, const fov_winograd_shape *shape,
                        bool rest_may_be_direct, size_t *out_rows, size_t *out_columns) {
  const size_t rows = fov_winograd_tile_count(shape->rows);
  const size_t columns = fov_winograd_tile_count(shape->columns);
  const size_t left_out = rest_may_be_direct ? 1 : 0;
  float least = WANTED_SHARE * 9.0f * (float)shape->rows * (float)shape->columns;
  bool pays = false;
  for (size_t i = 0; i <= left_out && i < rows; i++) {
    for (size_t j = 0; j <= left_out && j < columns; j++) {
      const float cost = cover_cost(kernels, shape, rows - i, columns - j);
      if (cost >= least) continue;
      least = cost;
      pays = true;
      *out_rows = rows - i;
      *out_columns = columns - j;
    }
  }
  return pays;
}

// Bytes of `count` planes of `elements` each.
static bool planes_bytes(size_t elements, size_t element_bytes, size_t count, size_t *out_elements,
                         size_t *out_bytes) {
  size_t bytes;
  if (!fov_size_multiply(elements, element_bytes, &bytes) || bytes > SIZE_MAX / 2) return false;
  *out_elements = fov_winograd_plane(elements, element_bytes);
  return fov_size_multiply(*out_elements * element_bytes, FOV_WINOGRAD_PLANES, &bytes) &&
         fov_size_multiply(bytes, count, out_bytes);
}

bool fov_winograd_plan(const fov_winograd_kernels *kernels, size_t row_begin, size_t row_end,
                       size_t columns, size_t channels, size_t block, fov_winograd_tiles *out_tiles,
                       size_t *out_inputs, size_t *out_scratch) {
  const size_t depth = fov_size_min(kernels->depth, fov_size_min(block, channels));
  const size_t padded = fov_size_parts(depth, kernels->lanes) * kernels->lanes;
  const size_t parts_of_block = fov_size_parts(fov_size_min(block, channels), depth);
  *out_tiles = (fov_winograd_tiles){
      .row_begin = row_begin, .row_end = row_end, .columns = columns, .pixel = padded};
  size_t tiles, part, sums_plane, taps_plane, sums, taps, parts;
  if (!fov_size_multiply(row_end - row_begin, columns, &tiles) ||
      !fov_size_multiply(fov_size_parts(channels, block), parts_of_block, &parts) ||
      !fov_size_multiply(tiles, padded, &part) ||
      !planes_bytes(part, kernels->element_bytes, parts, &out_tiles->plane, out_inputs) ||
      !fov_size_multiply(tiles, kernels->panels * FOV_PANEL, &part) ||
      !planes_bytes(part, sizeof(int32_t), 1, &sums_plane, &sums) ||
      !planes_bytes(padded * kernels->panels * FOV_PANEL, kernels->element_bytes, 1, &taps_plane,
                    &taps)) {
    return false;
  }
  out_tiles->part = FOV_WINOGRAD_PLANES * out_tiles->plane;
  return fov_size_add(sums, taps, out_scratch);
}

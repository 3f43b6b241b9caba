// Fovea - when a Winograd convolution pays, and the memory it needs.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_winograd.h"

#include "base/fov_size.h"
#include "kernels/fov_int8_kernels.h"

size_t fov_winograd_tile_count(size_t length) { return fov_size_parts(length, FOV_WINOGRAD_TILE); }

// Costs in products of a direct convolution, for each pair of channels, measured with AVX2. Those
// of a tile's transforms are shared by the channels on the other side.
#define TAPS_COST 150.0f
#define WINDOW_COST 250.0f
#define SUMS_COST 550.0f

// A direct convolution is simpler and needs no memory: what gains little stays one.
#define WANTED_SHARE 0.8f

bool fov_winograd_pays(const fov_winograd_kernels *kernels, size_t rows, size_t columns,
                       size_t input_channels, size_t output_channels) {
  const float tiles =
      (float)fov_winograd_tile_count(rows) * (float)fov_winograd_tile_count(columns);
  const float transforms =
      WINDOW_COST / (float)output_channels + SUMS_COST / (float)input_channels;
  const float products = FOV_WINOGRAD_PLANES * kernels->product_cost;
  const float direct = 9.0f * (float)rows * (float)columns;
  return tiles * (products + transforms) + TAPS_COST < WANTED_SHARE * direct;
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
  const size_t padded = fov_size_parts(depth, FOV_PANEL) * FOV_PANEL;
  const size_t parts_of_block = fov_size_parts(fov_size_min(block, channels), depth);
  *out_tiles = (fov_winograd_tiles){
      .row_begin = row_begin, .row_end = row_end, .columns = columns, .pixel = padded};
  size_t tiles, part, sums_plane, taps_plane, sums, taps, parts;
  if (!fov_size_multiply(row_end - row_begin, columns, &tiles) ||
      !fov_size_multiply(fov_size_parts(channels, block), parts_of_block, &parts) ||
      !fov_size_multiply(tiles, padded, &part) ||
      !planes_bytes(part, kernels->element_bytes, parts, &out_tiles->plane, out_inputs) ||
      !fov_size_multiply(tiles, FOV_PANEL, &part) ||
      !planes_bytes(part, sizeof(int32_t), 1, &sums_plane, &sums) ||
      !planes_bytes(padded * FOV_PANEL, kernels->element_bytes, 1, &taps_plane, &taps)) {
    return false;
  }
  out_tiles->part = FOV_WINOGRAD_PLANES * out_tiles->plane;
  return fov_size_add(sums, taps, out_scratch);
}

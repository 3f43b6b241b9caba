// Fovea - a Winograd convolution in pieces, as threads compute it.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "kernel_check.h"
#include "kernels/int8/fov_int8_kernels.h"

static bool run_band(const fov_winograd_kernels *kernels, const void *convolution,
                     const winograd_shape *shape, size_t begin, size_t end, chance *chance) {
  const size_t panels = (shape->output_channels + FOV_PANEL - 1) / FOV_PANEL;
  fov_winograd_tiles tiles;
  size_t inputs_bytes, scratch_bytes;
  if (!fov_winograd_plan(kernels, begin, end, fov_winograd_tile_count(shape->columns),
                         shape->channels, shape->block, &tiles, &inputs_bytes, &scratch_bytes)) {
    return false;
  }
  void *inputs = check_allocate(inputs_bytes), *scratch = check_allocate(scratch_bytes);
  memset(inputs, GUARD_BYTE, inputs_bytes);
  memset(scratch, GUARD_BYTE, scratch_bytes);
  const size_t row = chance_between(chance, begin, end);
  kernels->transform(convolution, &tiles, begin, row, inputs);
  kernels->transform(convolution, &tiles, row, end, inputs);
  const size_t panel = chance_below(chance, panels + 1);
  kernels->multiply(convolution, &tiles, inputs, 0, panel, scratch);
  kernels->multiply(convolution, &tiles, inputs, panel, panels, scratch);
  free(inputs);
  free(scratch);
  return true;
}

bool check_winograd_run(const fov_winograd_kernels *kernels, const void *convolution,
                        const winograd_shape *shape, uint64_t seed) {
  chance chance = {seed};
  const size_t rows = fov_winograd_tile_count(shape->rows);
  const size_t cut = chance_below(&chance, rows);
  if (cut > 0 && !run_band(kernels, convolution, shape, 0, cut, &chance)) return false;
  return run_band(kernels, convolution, shape, cut, rows, &chance);
}

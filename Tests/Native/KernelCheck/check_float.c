// Fovea - float kernels of one set against arithmetic in double.
// SPDX-License-Identifier: Apache-2.0
#include "check_float.h"

#include <stdio.h>

#include "weights/fov_float_packing.h"

// Sizes that overflow are refused. Others are those of the layout.
bool check_float_packing(void) {
  fov_float_packing packing;
  const size_t three[2] = {3, 3}, none[2] = {3, 0}, huge[2] = {SIZE_MAX / 2, 3};
  const bool refused = !fov_float_packing_plan(SIZE_MAX - 3, 3, three, &packing) &&
                       !fov_float_packing_plan(16, SIZE_MAX / 8, three, &packing) &&
                       !fov_float_packing_plan(16, 16, huge, &packing) &&
                       !fov_float_packing_plan(16, 16, none, &packing) &&
                       !fov_float_packing_plan(0, 16, three, &packing) &&
                       !fov_float_packing_plan(16, 0, three, &packing) &&
                       !fov_float_packing_plan_depthwise(SIZE_MAX - 3, three, &packing);
  const bool sized = fov_float_packing_plan(17, 5, three, &packing) && packing.panels == 2 &&
                     packing.panel_floats == 9 * 5 * 16 && packing.bytes == 2 * 9 * 5 * 16 * 4 &&
                     fov_float_packing_plan_depthwise(33, three, &packing) && packing.panels == 3 &&
                     packing.bytes == 3 * 9 * 16 * 4;
  if (!refused) fprintf(stderr, "packing: an impossible size was accepted\n");
  if (!sized) fprintf(stderr, "packing: a size is wrong\n");
  return refused && sized;
}

bool check_float(const fov_kernel_set *set, uint64_t seed, int count) {
  const fov_float_kernels *kernels = set->float32;
  return check_float_packing() && check_float_convolution(kernels, seed, count) &&
         check_float_depthwise(kernels, seed, count) &&
         (!set->float_winograd || check_float_winograd(set->float_winograd, seed, count)) &&
         check_float_elements(kernels, seed, count);
}

// Fovea - codes through a table, one by one.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/look_up/fov_look_up.h"

void fov_look_up_scalar(const fov_look_up *job) {
  const fov_look_up runs = fov_look_up_in_long_runs(job);
  for (size_t p = 0; p < runs.pixels; p++) {
    fov_look_up_rest(runs.table, runs.codes + (ptrdiff_t)p * runs.pixel,
                     runs.results + (ptrdiff_t)p * runs.result_pixel, runs.channels);
  }
}

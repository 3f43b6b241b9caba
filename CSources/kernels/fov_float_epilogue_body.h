// Fovea - from sums in registers to a convolution's result.
// SPDX-License-Identifier: Apache-2.0
//
// Included behind a vector header, by the body of a convolution.
#ifndef FOV_FLOAT_EPILOGUE_BODY_H
#define FOV_FLOAT_EPILOGUE_BODY_H

#include <math.h>
#include <stdbool.h>

#include "kernels/fov_float_kernels.h"

// Where the pixels of a tile go. Only `lanes` channels of each exist: the width of all vectors, or
// less in the last panel.
typedef struct fov_target {
  float *output;
  ptrdiff_t output_pixel;
  const float *residual;  // NULL: none
  ptrdiff_t residual_pixel;
  size_t lanes;
} fov_target;

// How many of the lanes are those of vector v.
FOV_INLINE size_t fov_target_lanes(const fov_target *target, size_t v) {
  const size_t before = v * FOV_VECTOR_WIDTH;
  if (target->lanes <= before) return 0;
  return target->lanes - before < FOV_VECTOR_WIDTH ? target->lanes - before : FOV_VECTOR_WIDTH;
}

FOV_INLINE void fov_target_add_residual(const fov_target *target, size_t pixels, size_t vectors,
                                        fov_vector *sums) {
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const size_t lanes = fov_target_lanes(target, v);
    const float *residual = target->residual + v * FOV_VECTOR_WIDTH;
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++, residual += target->residual_pixel) {
      const fov_vector there = lanes == FOV_VECTOR_WIDTH ? fov_vector_load(residual)
                                                         : fov_vector_load_part(residual, lanes);
      sums[p * vectors + v] = fov_vector_add(sums[p * vectors + v], there);
    }
  }
}

// pixels and vectors are constants; sums: [pixel][vector], with the bias in them.
FOV_INLINE void fov_target_write(const fov_target *target, const fov_float_epilogue *epilogue,
                                 size_t pixels, size_t vectors, fov_vector *sums) {
  if (epilogue->slope != 1) {
    const fov_vector slope = fov_vector_fill(epilogue->slope);
#pragma GCC unroll 32
    for (size_t i = 0; i < pixels * vectors; i++)
      sums[i] = fov_vector_maximum(fov_vector_multiply(sums[i], slope), sums[i]);
  }
  if (target->residual != NULL) fov_target_add_residual(target, pixels, vectors, sums);

  if (epilogue->lowest > -INFINITY || epilogue->highest < INFINITY) {
    const fov_vector lowest = fov_vector_fill(epilogue->lowest);
    const fov_vector highest = fov_vector_fill(epilogue->highest);
#pragma GCC unroll 32
    for (size_t i = 0; i < pixels * vectors; i++)
      sums[i] = fov_vector_minimum(highest, fov_vector_maximum(lowest, sums[i]));
  }

#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; v++) {
    const size_t lanes = fov_target_lanes(target, v);
    float *out = target->output + v * FOV_VECTOR_WIDTH;
#pragma GCC unroll 16
    for (size_t p = 0; p < pixels; p++, out += target->output_pixel) {
      if (lanes == FOV_VECTOR_WIDTH) {
        fov_vector_store(out, sums[p * vectors + v]);
      } else {
        fov_vector_store_part(out, sums[p * vectors + v], lanes);
      }
    }
  }
}

#endif

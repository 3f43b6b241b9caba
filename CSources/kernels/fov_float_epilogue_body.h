// Fovea - from sums in registers to a convolution's result.
// SPDX-License-Identifier: Apache-2.0
//
// Included behind a vector header, by the body of a convolution.
#ifndef FOV_FLOAT_EPILOGUE_BODY_H
#define FOV_FLOAT_EPILOGUE_BODY_H

#include <math.h>
#include <stdbool.h>

#include "kernels/fov_float_kernels.h"
#include "kernels/fov_inlining.h"

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

// Vectors of which only a part is there: with masks this costs nothing, in the same code. Without,
// sums go through memory, and few instructions finish them one by one.
FOV_INLINE fov_vector fov_target_load(const float *p, size_t lanes, bool part) {
  return part ? fov_vector_load_part(p, lanes) : fov_vector_load(p);
}

FOV_INLINE void fov_target_store(float *p, fov_vector v, size_t lanes, bool part) {
  if (part) {
    fov_vector_store_part(p, v, lanes);
  } else {
    fov_vector_store(p, v);
  }
}

// sums: [pixel][vector], with the bias in them. pixels and vectors are constants, and sums registers,
// where this is inlined.
FOV_INLINE void fov_target_finish(const fov_target *target, const fov_float_epilogue *epilogue,
                                  size_t pixels, size_t vectors, fov_vector *sums, bool part) {
  const ptrdiff_t output_pixel = target->output_pixel;
  if (epilogue->slope != 1) {
    const fov_vector slope = fov_vector_fill(epilogue->slope);
#pragma GCC unroll 32
    for (size_t i = 0; i < pixels * vectors; i++)
      sums[i] = fov_vector_maximum(fov_vector_multiply(sums[i], slope), sums[i]);
  }
  if (target->residual != NULL) {
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; v++) {
      const size_t lanes = fov_target_lanes(target, v);
      const float *residual = target->residual + v * FOV_VECTOR_WIDTH;
#pragma GCC unroll 16
      for (size_t p = 0; p < pixels; p++, residual += target->residual_pixel)
        sums[p * vectors + v] =
            fov_vector_add(sums[p * vectors + v], fov_target_load(residual, lanes, part));
    }
  }
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
    for (size_t p = 0; p < pixels; p++, out += output_pixel)
      fov_target_store(out, sums[p * vectors + v], lanes, part);
  }
}

// The same of sums in memory.
SEPARATE void fov_target_write_memory(const fov_target *target, const fov_float_epilogue *epilogue,
                                      size_t pixels, size_t vectors, const float *sums) {
  fov_target one = *target;
#pragma GCC unroll 1
  for (size_t v = 0; v < vectors; v++) {
    one.lanes = fov_target_lanes(target, v);
    if (one.lanes == 0) return;
    one.output = target->output + v * FOV_VECTOR_WIDTH;
    one.residual = target->residual == NULL ? NULL : target->residual + v * FOV_VECTOR_WIDTH;
#pragma GCC unroll 1
    for (size_t p = 0; p < pixels; p++, one.output += target->output_pixel) {
      fov_vector sum = fov_vector_load(sums + (p * vectors + v) * FOV_VECTOR_WIDTH);
      if (FOV_PARTS_ARE_MASKED || one.lanes < FOV_VECTOR_WIDTH) {
        fov_target_finish(&one, epilogue, 1, 1, &sum, true);
      } else {
        fov_target_finish(&one, epilogue, 1, 1, &sum, false);
      }
      if (one.residual != NULL) one.residual += target->residual_pixel;
    }
  }
}

FOV_INLINE void fov_target_write(const fov_target *target, const fov_float_epilogue *epilogue,
                                 size_t pixels, size_t vectors, fov_vector *sums) {
  if (FOV_PARTS_ARE_MASKED || target->lanes >= vectors * FOV_VECTOR_WIDTH) {
    fov_target_finish(target, epilogue, pixels, vectors, sums, FOV_PARTS_ARE_MASKED);
  } else {
    float memory[32 * FOV_VECTOR_WIDTH];
#pragma GCC unroll 32
    for (size_t i = 0; i < pixels * vectors; i++)
      fov_vector_store(memory + i * FOV_VECTOR_WIDTH, sums[i]);
    // Copies, so that the originals need not be in memory.
    const fov_target in_memory = *target;
    const fov_float_epilogue epilogue_in_memory = *epilogue;
    fov_target_write_memory(&in_memory, &epilogue_in_memory, pixels, vectors, memory);
  }
}

#endif

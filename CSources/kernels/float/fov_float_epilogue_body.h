// Fovea - from sums in registers to a convolution's result.
// SPDX-License-Identifier: Apache-2.0
//
// Included after a vector header, by the body of a convolution.
#ifndef FOV_FLOAT_EPILOGUE_BODY_H
#define FOV_FLOAT_EPILOGUE_BODY_H

#include <math.h>
#include <stdbool.h>

#include "kernels/float/fov_float_kernels.h"
#include "kernels/fov_inlining.h"

// Where the pixels of a tile are stored. Each has `lanes` channels: those of all vectors, or fewer
// in the last panel.
typedef struct store_target {
  float *output;
  ptrdiff_t output_pixel;
  const float *residual;  // NULL: none
  ptrdiff_t residual_pixel;
  size_t lanes;
} store_target;

// The number of channels in vector v.
INLINE size_t target_lanes(const store_target *target, size_t v) {
  const size_t before = v * VECTOR_LANES;
  if (target->lanes <= before) return 0;
  return target->lanes - before < VECTOR_LANES ? target->lanes - before : VECTOR_LANES;
}

// A vector may have fewer channels than lanes. With masks this takes the same code and no time.
// Without masks, sums are copied to memory and finished one by one.
INLINE vector target_load(const float *p, size_t lanes, bool part) {
  return part ? vector_load_part(p, lanes) : vector_load(p);
}

INLINE void target_store(float *p, vector v, size_t lanes, bool part) {
  if (part) {
    vector_store_part(p, v, lanes);
  } else {
    vector_store(p, v);
  }
}

// sums: [pixel][vector], bias included. pixels and vectors are constants where this is inlined, so
// that sums are registers.
INLINE void target_finish(const store_target *target, const fov_float_epilogue *epilogue,
                          size_t pixels, size_t vectors, vector *sums, bool part) {
  const ptrdiff_t output_pixel = target->output_pixel;
  if (epilogue->slope != 1) {
    const vector slope = vector_fill(epilogue->slope);
    UNROLLED for (size_t i = 0; i < pixels * vectors; i++) {
      sums[i] = vector_maximum(vector_multiply(sums[i], slope), sums[i]);
    }
  }
  if (target->residual != NULL) {
    UNROLLED for (size_t v = 0; v < vectors; v++) {
      const size_t lanes = target_lanes(target, v);
      const float *residual = target->residual + v * VECTOR_LANES;
      UNROLLED for (size_t p = 0; p < pixels; p++, residual += target->residual_pixel) {
        sums[p * vectors + v] =
            vector_add(sums[p * vectors + v], target_load(residual, lanes, part));
      }
    }
  }
  if (epilogue->lowest > -INFINITY || epilogue->highest < INFINITY) {
    const vector lowest = vector_fill(epilogue->lowest);
    const vector highest = vector_fill(epilogue->highest);
    UNROLLED for (size_t i = 0; i < pixels * vectors; i++) {
      sums[i] = vector_minimum(highest, vector_maximum(lowest, sums[i]));
    }
  }
  UNROLLED for (size_t v = 0; v < vectors; v++) {
    const size_t lanes = target_lanes(target, v);
    float *out = target->output + v * VECTOR_LANES;
    UNROLLED for (size_t p = 0; p < pixels; p++, out += output_pixel) {
      target_store(out, sums[p * vectors + v], lanes, part);
    }
  }
}

// The same for sums in memory.
SEPARATE void target_write_memory(const store_target *target, const fov_float_epilogue *epilogue,
                                  size_t pixels, size_t vectors, const float *sums) {
  store_target one = *target;
  ONE_BY_ONE for (size_t v = 0; v < vectors; v++) {
    one.lanes = target_lanes(target, v);
    if (one.lanes == 0) return;
    one.output = target->output + v * VECTOR_LANES;
    one.residual = target->residual == NULL ? NULL : target->residual + v * VECTOR_LANES;
    ONE_BY_ONE for (size_t p = 0; p < pixels; p++, one.output += target->output_pixel) {
      vector sum = vector_load(sums + (p * vectors + v) * VECTOR_LANES);
      if (PARTS_ARE_MASKED || one.lanes < VECTOR_LANES) {
        target_finish(&one, epilogue, 1, 1, &sum, true);
      } else {
        target_finish(&one, epilogue, 1, 1, &sum, false);
      }
      if (one.residual != NULL) one.residual += target->residual_pixel;
    }
  }
}

INLINE void target_write(const store_target *target, const fov_float_epilogue *epilogue,
                         size_t pixels, size_t vectors, vector *sums) {
  if (PARTS_ARE_MASKED || target->lanes >= vectors * VECTOR_LANES) {
    target_finish(target, epilogue, pixels, vectors, sums, PARTS_ARE_MASKED);
  } else {
    float memory[32 * VECTOR_LANES];
    UNROLLED for (size_t i = 0; i < pixels * vectors; i++) {
      vector_store(memory + i * VECTOR_LANES, sums[i]);
    }
    // Copies, so that the originals can stay in registers.
    const store_target in_memory = *target;
    const fov_float_epilogue epilogue_in_memory = *epilogue;
    target_write_memory(&in_memory, &epilogue_in_memory, pixels, vectors, memory);
  }
}

#endif

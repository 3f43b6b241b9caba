// Fovea - going through the rows of a result whose operands are repeated to its shape.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_BROADCAST_LOOP_H
#define FOV_BROADCAST_LOOP_H

#include "base/fov_error.h"
#include "tensor/fov_tensor.h"

#define FOV_BROADCAST_OPERANDS 3

// The result's dimensions, merged where all operands allow it. The innermost one is a row: operand
// k moves by steps[k], 1 or 0, from element to element. At least one operand moves.
//
//   fov_broadcast_loop loop = fov_broadcast_loop_make(run->inputs, 2, run->output.shape);
//   const float *at[FOV_BROADCAST_OPERANDS] = {left, right};
//   do { ... loop.count elements from at[k] ... } while (fov_broadcast_loop_next(&loop, at));
typedef struct fov_broadcast_loop {
  size_t operands;
  size_t count;  // elements of a row
  size_t steps[FOV_BROADCAST_OPERANDS];
  size_t outer;  // dimensions around the row
  size_t dims[FOV_MAX_RANK];
  size_t strides[FOV_BROADCAST_OPERANDS][FOV_MAX_RANK];
  size_t index[FOV_MAX_RANK];
} fov_broadcast_loop;

FOV_INTERNAL fov_broadcast_loop fov_broadcast_loop_make(const fov_tensor *inputs, size_t operands,
                                                        const fov_shape *output);

// Moves to the next row. false: there is none.
FOV_INTERNAL bool fov_broadcast_loop_next(fov_broadcast_loop *loop,
                                          const float *at[FOV_BROADCAST_OPERANDS]);

// The shape that all inputs broadcast to. Fails with a message where they do not fit.
FOV_INTERNAL fov_status fov_broadcast_shape(const fov_shape *inputs, size_t count,
                                            fov_shape *out_shape, fov_diagnostic *diagnostic);

#endif

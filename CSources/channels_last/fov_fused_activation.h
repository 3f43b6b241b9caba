// Fovea - the activation that a convolution applies to its sums.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FUSED_ACTIVATION_H
#define FOV_FUSED_ACTIVATION_H

#include <stdbool.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"
#include "kernels/float/fov_float_kernels.h"

// Computed before a sum of products is stored, in this order:
//
//   y = x + bias;  y = max(y, slope * y);  y = y + residual;  y = clamp(y)
//
// or, with a curve, which is for floats:
//
//   y = x + bias;  y = curve(y);  y = y * factor + offset;  y = y + residual
//
// Each channel has a factor and an offset. There are factors or a residual, not both.
//
// A curve and what follows it, and the table of codes, are computed where results were just stored,
// while they are in the first cache.
//
// The residual is input 1 of the operation, of the output's shape and type.
typedef struct fov_fused_activation {
  float slope;            // 0 to 1; 1: none
  float lowest, highest;  // -INFINITY, INFINITY: none
  bool has_residual;
  bool has_table;         // of a uint8 result only
  fov_float_curve curve;  // of a float32 result only, without slope and bounds
  float alpha, least;     // of the curve, see fov_float_finish
  bool has_factors;       // behind the curve; fov_equalize.h
} fov_fused_activation;

// One that changes nothing.
FOV_INTERNAL fov_fused_activation fov_fused_activation_none(void);

// The slope and the bounds that compute `unary`; false when it is another function.
FOV_INTERNAL bool fov_fused_activation_from_unary(const fov_unary *unary,
                                                  fov_fused_activation *out_activation);

// Whether there are neither slope nor bounds, nor a table. There may be a curve.
FOV_INTERNAL bool fov_fused_activation_is_linear(const fov_fused_activation *activation);

// In a compiled file.
FOV_INTERNAL void fov_fused_activation_archive(fov_archive *archive,
                                               fov_fused_activation *activation);

#endif

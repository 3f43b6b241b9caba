// Fovea - functions of one element, for other operations to apply to their results.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OP_UNARY_H
#define FOV_OP_UNARY_H

#include <stddef.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"
#include "kernels/float/fov_float_kernels.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// out[i] = function(in[i]). The arrays are the same one or do not overlap.
FOV_INTERNAL void fov_unary_apply(const fov_unary *unary, const float *in, float *out,
                                  size_t count);

// The curve that the kernels of the processor have for it, or fov_float_curve_none.
FOV_INTERNAL fov_float_curve fov_unary_curve(const fov_unary *unary);

// The same with the kernels of the run's processor, where they have the function.
FOV_INTERNAL void fov_unary_run(const fov_run *run, const float *in, float *out, size_t count);

// values[i] = function(values[i] + bias), after a matrix product. `unary` NULL: no function. Leaky
// ReLU, which detectors use most, takes one pass.
FOV_INTERNAL void fov_unary_finish(const fov_unary *unary, float bias, float *values, size_t count);

// A name for tables: "leaky_relu". Never NULL; static.
FOV_INTERNAL const char *fov_unary_name(fov_unary_function function);

// Whether the results are those of codes, and what the codes mean.
static inline bool fov_unary_is_quantized(const fov_unary *unary) {
  return unary->function == fov_unary_quantized;
}

static inline fov_quantization fov_unary_quantization(const fov_unary *unary) {
  return (fov_quantization){.scale = unary->alpha, .zero_point = (int32_t)unary->beta};
}

// A fov_unary in a compiled file.
FOV_INTERNAL void fov_unary_archive(fov_archive *archive, void *parameters);

#endif

// Fovea - convolution: the shape of its result, and the choice of how to run.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "ops/fov_convolution_direct.h"
#include "ops/fov_convolution_gemm.h"
#include "ops/fov_operation_table.h"

// floor((size + before + after - ((kernel - 1) * dilation + 1)) / stride) + 1
static fov_status output_size(const fov_convolution *c, int axis, size_t size, size_t *out_size,
                              fov_diagnostic *diagnostic) {
  size_t padded, window;
  if (!fov_size_add(size, c->before[axis], &padded) ||
      !fov_size_add(padded, c->after[axis], &padded) ||
      !fov_size_multiply(c->kernel[axis] - 1, c->dilation[axis], &window) ||
      !fov_size_add(window, 1, &window)) {
    return fov_fail(diagnostic, fov_status_overflow, "padding or dilation overflows");
  }
  if (window > padded) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "the kernel covers %zu %s, the padded input has %zu", window,
                    axis == 0 ? "rows" : "columns", padded);
  }
  *out_size = (padded - window) / c->stride[axis] + 1;
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  return fov_convolution_infer_shape(parameters, &inputs[0], output_size, out_shape, diagnostic);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_convolution_parameters *p = parameters;
  if (request->backend == fov_backend_blas && fov_convolution_suits_gemm(p)) {
    return fov_convolution_gemm_workspace(p, request->output, request->slots, out_bytes);
  }
  size_t floats;
  if (!fov_size_multiply(fov_convolution_taps(p), request->slots, &floats) ||
      !fov_size_multiply(floats, sizeof(float), out_bytes)) {
    return fov_status_overflow;
  }
  return fov_status_ok;
}

static void run_convolution(const fov_run *run) {
  if (run->backend == fov_backend_blas && fov_convolution_suits_gemm(run->parameters)) {
    fov_convolution_run_gemm(run);
  } else {
    fov_convolution_run_direct(run);
  }
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  (void)inputs;
  return (uint64_t)fov_shape_count(output) * fov_convolution_taps(parameters);
}

const fov_operation fov_operation_convolution = {
    .name = "convolution",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run_convolution,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = fov_convolution_weight_bytes,
    .release = fov_convolution_release,
    .archive = fov_convolution_parameters_archive,
    .parameter_bytes = sizeof(fov_convolution_parameters),
    .input_count = 1,
};

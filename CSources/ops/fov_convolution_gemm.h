// Fovea - convolution as tiles of im2col and matrix products.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CONVOLUTION_GEMM_H
#define FOV_CONVOLUTION_GEMM_H

#include "ops/fov_convolution_parameters.h"

// Whether sgemm is faster than loops.
FOV_INTERNAL bool fov_convolution_suits_gemm(const fov_convolution_parameters *parameters);

FOV_INTERNAL fov_status fov_convolution_gemm_workspace(const fov_convolution_parameters *parameters,
                                                       const fov_shape *output, size_t slots,
                                                       size_t *out_bytes);
FOV_INTERNAL void fov_convolution_run_gemm(const fov_run *run);

#endif

// Fovea - float kernels of one set against arithmetic in double.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHECK_FLOAT_H
#define FOV_CHECK_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/fov_kernel_set.h"

// `count` random convolutions, as many depthwise ones and as many runs of every other kernel. The
// same seed gives the same cases. false after the first wrong number, which goes to standard error.
bool check_float(const fov_kernel_set *set, uint64_t seed, int count);

// The parts of it.
bool check_float_packing(void);
bool check_float_convolution(const fov_float_kernels *kernels, uint64_t seed, int count);
bool check_float_depthwise(const fov_float_kernels *kernels, uint64_t seed, int count);
bool check_float_winograd(const fov_winograd_kernels *kernels, uint64_t seed, int count);
bool check_float_elements(const fov_float_kernels *kernels, uint64_t seed, int count);

#endif

// Fovea - convolution by loops.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CONVOLUTION_DIRECT_H
#define FOV_CONVOLUTION_DIRECT_H

#include "ops/fov_convolution_parameters.h"

// The workspace holds the weights of one output channel, as floats, for each slot.
FOV_INTERNAL void fov_convolution_run_direct(const fov_run *run);

#endif

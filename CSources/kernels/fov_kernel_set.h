// Fovea - kernels for one instruction set, chosen together.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_KERNEL_SET_H
#define FOV_KERNEL_SET_H

#include "base/fov_error.h"
#include "fovea/fov_types.h"
#include "kernels/fov_float_kernels.h"
#include "kernels/fov_int8_kernels.h"
#include "kernels/fov_sampling_kernels.h"
#include "kernels/fov_winograd.h"
#include "kernels/fov_int16_kernels.h"

typedef struct fov_kernel_set fov_kernel_set;

// Every set computes the same: integer and sampling kernels the same bytes, float kernels the same values
// within rounding. All read one packing of the weights (FOV_PANEL channels side by side, FOV_GROUP inputs of
// each next to one another), so that a packed model serves any processor and only pointers differ:
//
//   scalar        the specification, and the fallback of every processor
//   avx2          x86-64 with AVX2 and FMA
//   avx_vnni      ... and 256-bit dot products
//   avx512        x86-64 with AVX-512 F, BW, VL, DQ
//   avx512_vnni   ... and 512-bit dot products
//   neon          AArch64
//   dotprod       ... and sdot
//   i8mm          ... and usdot, usmmla
struct fov_kernel_set {
  fov_instruction_set instruction_set;
  const fov_int8_kernels *int8;
  const fov_int16_kernels *int16;
  const fov_float_kernels *float32;
  // NULL: a direct convolution is as fast, or nobody has written it.
  const fov_winograd_kernels *int8_winograd, *float_winograd;
  const fov_sampling_kernels *sampling;
};

// The set itself, or NULL when it was not built for this architecture or the processor lacks it.
// automatic: the best there is.
FOV_INTERNAL const fov_kernel_set *fov_kernel_set_find(fov_instruction_set instruction_set);

#endif

// Fovea - kernels for one instruction set, chosen together.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_KERNEL_SET_H
#define FOV_KERNEL_SET_H

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"
#include "kernels/float/fov_float_kernels.h"
#include "kernels/int8/fov_int16_kernels.h"
#include "kernels/int8/fov_int8_kernels.h"
#include "kernels/look_up/fov_look_up.h"
#include "kernels/sampling/fov_sampling_kernels.h"
#include "kernels/winograd/fov_winograd.h"

typedef struct fov_kernel_set fov_kernel_set;

// Every set computes the same: integer and sampling kernels the same bytes, float kernels the same
// values within rounding. All read the same packed weights (weights/fov_packed_weights.h), so that
// a model runs on any processor, and only these pointers differ.
//
//   set           processor                         int8, int16 vectors     float vectors
//   scalar        any; the specification            fov_int8_scalar.c       fov_float_scalar.c
//   avx2          x86-64 with AVX2 and FMA          fov_int8_vector_avx2    fov_float_vector_avx2
//   avx_vnni      ... and 256-bit dot products      fov_int8_vector_avx2    fov_float_vector_avx2
//   avx512        AVX-512 F, BW, VL, DQ             as avx2                 fov_float_vector_avx512
//   avx512_vnni   ... and 512-bit dot products      fov_int8_vector_avx512  fov_float_vector_avx512
//   neon          AArch64                           fov_int8_neon_widening  fov_float_vector_neon
//   dotprod       ... and sdot                      fov_int8_neon_dot       as neon
//   i8mm          ... and usdot                     fov_int8_neon_dot       as neon
//
// Tables of codes have kernels of their own (fov_look_up.h); avx512_vnni takes AVX-512 VBMI for
// them where the processor has it. int16 of AArch64 is always that of neon. A layer takes the first
// body of its row that applies. A body without a set in brackets belongs to all sets but scalar:
//
//   layer                          int8                                float
//   1x1, few channels              few_channels_avx512 (avx512_vnni)   few_channels (AVX-512)
//                                                                      pairs (AVX-512)
//   1x1                            convolution: tap_kind_run           convolution
//   3x3 of an image                convolution: tap_kind_image         few_channels (AVX-512)
//                                                                      convolution: tile_run_image
//   3x3, stride 1, many channels   winograd (avx2, avx512_vnni, neon)  winograd
//   any other                      convolution: tap_kind_any           convolution
//   depthwise 3x3, stride 1 or 2   depthwise_avx512 (avx512_vnni)      depthwise: depthwise_3x3
//                                  depthwise_avx2 (avx2, avx_vnni)
//                                  depthwise_3x3_5x5 (AArch64)
//   depthwise 5x5, stride 1 or 2   the same                            depthwise: depthwise_any
//   depthwise, any other           depthwise_row_loop                  depthwise: depthwise_any
//   int16, dense                   convolution: tap_kind_any
//
// A name stands for fov_int8_<name>.h or fov_int8_<name>_body.h, and for fov_float_<name>_body.h.
// Each body says when it applies. fov_channels_last_winograd.c decides on Winograd. Bodies are
// compiled once for each set, by fov_int8_<set>.c, fov_int16_<set>.c and fov_float_<set>.c.
struct fov_kernel_set {
  fov_instruction_set instruction_set;
  const fov_int8_kernels *int8;
  const fov_int16_kernels *int16;
  const fov_float_kernels *float32;
  // NULL: there are none, since direct convolutions are as fast.
  const fov_winograd_kernels *int8_winograd, *float_winograd;
  const fov_sampling_kernels *sampling;
  fov_look_up_kernel look_up;
};

// The set itself, or NULL if this build or this processor lacks it. automatic: the best set.
FOV_INTERNAL const fov_kernel_set *fov_kernel_set_find(fov_instruction_set instruction_set);

#endif

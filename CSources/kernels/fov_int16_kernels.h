// Fovea - convolutions of 16-bit activations with 16-bit weights: codes, layout, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT16_KERNELS_H
#define FOV_INT16_KERNELS_H

#include "kernels/fov_int8_kernels.h"

// Some layers of a network lose most of what 8 bits lose. They need not leave the integers: products of 16-bit integers, of
// 16 bits, take twice the instructions of those of bytes where there are dot products of bytes, a third more elsewhere,
// and are exact.
//
//   activations   real = word * scale, |word| <= FOV_LARGEST_INT16: zero is zero, borders are zeros
//   weights       real = word * scale, with a scale for each output channel, the finest for which sums fit:
//                 FOV_LARGEST_INT16 * sum |w| < 2^31
//
// Pixels and panels lie as those of bytes (fov_int8_kernels.h), where two bytes are a 16-bit integer. A group of four
// bytes is a pair of input channels, which is what an instruction multiplies and adds at once:
//
//   FOV_GROUP bytes      i0 i1 i2 i3      weights  [group][FOV_PANEL][i0 i1 i2 i3]
//   FOV_GROUP bytes      i0    i1         weights  [group][FOV_PANEL][i0    i1   ]
//
// so that the bodies that walk over windows are the same. `channels` and `block` count bytes; weight_sums and
// pairs_fit are not looked at; nothing is pooled. Sums wrap: those of weights that a file made too large mean
// nothing, and are the same everywhere.
typedef struct fov_int16_kernels {
  fov_int8_convolution_kernel convolution;
  // word = round(min(max(x * inverse_scale, -FOV_LARGEST_INT16), FOV_LARGEST_INT16)); NaN becomes the least.
  void (*quantize)(const float *x, float inverse_scale, int16_t *out, size_t count);
} fov_int16_kernels;

// 14 bits: fine enough to make the rounding of activations small beside that of weights of 11 bits, which are
// what is left of 32 for rows of some hundred weights.
#define FOV_LARGEST_INT16 8191

#endif

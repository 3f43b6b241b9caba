// Fovea - convolutions of 16-bit activations with 16-bit weights: codes, layout, entry points.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT16_KERNELS_H
#define FOV_INT16_KERNELS_H

#include "kernels/int8/fov_int8_kernels.h"

// A few layers of a network cause most of the loss of 8 bits. They can stay integer, with 16 bits.
// Their products are exact. They take twice as many instructions where there are dot products of
// bytes, and a third more elsewhere.
//
//   activations   real = integer * scale, |integer| <= FOV_LARGEST_INT16; the zero point is 0
//   weights       real = integer * scale; the scale of each output channel is the finest for which
//                 sums fit: FOV_LARGEST_INT16 * sum |w| < 2^31
//
// Pixels and panels have the layout of int8 (fov_int8_kernels.h), with two bytes for each integer.
// A group of four bytes is two input channels, whose products one instruction adds:
//
//   int8     i0 i1 i2 i3      weights  [group][FOV_PANEL][i0 i1 i2 i3]
//   int16    i0    i1         weights  [group][FOV_PANEL][i0    i1   ]
//
// So the same bodies loop over the windows. `channels` and `block` count bytes. weight_sums and
// pairs_fit are not used, and nothing is pooled. Sums wrap around. If a file has too large weights,
// results are meaningless, but the same on all processors.
typedef struct fov_int16_kernels {
  fov_int8_convolution_kernel convolution;
  // out = round(min(max(x * inverse_scale, -FOV_LARGEST_INT16), FOV_LARGEST_INT16)). NaN becomes
  // -FOV_LARGEST_INT16.
  void (*quantize)(const float *x, float inverse_scale, int16_t *out, size_t count);
} fov_int16_kernels;

// Activations have 14 bits. For rows of some hundred weights this leaves 11 bits for each weight,
// so that weights lose more by rounding than activations.
#define FOV_LARGEST_INT16 8191

#endif

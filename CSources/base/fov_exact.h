// Fovea - one rounding for each operation on floats, in the whole core.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_EXACT_H
#define FOV_EXACT_H

// Compilers may contract a product and a sum into one fused operation, which rounds once instead of
// twice. Clang does so for AArch64 and RISC-V, but not for baseline x86-64, so that the same source
// would give other bytes there. The core therefore switches contraction off, for every file: this
// header reaches all of them through fov_error.h. Kernels that want fused operations call them by
// name (fmaf, or an intrinsic).
//
//   a * b + c    contracted: round(a * b + c)      here: round(round(a * b) + c)
//
// A build with -ffast-math or -ffp-contract=fast would undo this.
#if defined(__FAST_MATH__)
#error "Fovea promises the same bytes on every processor: build it without -ffast-math."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
// GCC ignores the standard pragma. It contracts nothing under -std=c11, but does under -std=gnu11.
#pragma GCC optimize("fp-contract=off")
#endif

#endif

// Fovea - how the bodies of kernels are inlined and unrolled.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INLINING_H
#define FOV_INLINING_H

// Bodies are inlined with constant sizes, so that loops vanish and arrays become registers; a loop
// that goes ONE_BY_ONE stays, where copies of its body would gain nothing.
// Not without optimization, where each copy would have memory of its own: frames of megabytes.
#if defined(__OPTIMIZE__)
#define INLINE static inline __attribute__((always_inline, unused))
#else
#define INLINE static __attribute__((unused))
#endif
#define SEPARATE static __attribute__((noinline))

#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ONE_BY_ONE _Pragma("clang loop unroll(disable)")
#else
#define UNROLLED _Pragma("GCC unroll 64")
#define ONE_BY_ONE _Pragma("GCC unroll 1")
#endif

#endif

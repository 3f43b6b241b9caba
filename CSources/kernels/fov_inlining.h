// Fovea - how the bodies of kernels are inlined and unrolled.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INLINING_H
#define FOV_INLINING_H

// The bodies of kernels are inlined with constant sizes: loops vanish, and arrays become registers.
//
//   INLINE         a function that is always inlined
//   SEPARATE       a function that never is
//   UNROLLED       before a loop of a constant number of turns, at most 64: it is unrolled in full
//   ONE_BY_ONE     before a loop that is not unrolled, since copies of it would gain nothing
//   KEEP_REGISTER  keeps a value in a register: the compiler cannot see where it came from, and so
//                  cannot compute it anew
//
// Without optimization nothing is inlined. Each copy would have memory of its own, and frames of
// functions would take megabytes.
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

#define KEEP_REGISTER(value) __asm__("" : "+r"(value))

#endif

// Fovea - telling the compiler what a loop may assume.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOOP_H
#define FOV_LOOP_H

// FOV_INDEPENDENT_ITERATIONS: before a loop whose iterations each read and write one place only.
// The arrays may be one and the same (an operation in place), but they never overlap in part;
// without this, the compiler tests for overlap and takes the slow loop exactly when a result goes
// back where it came from.
//
// FOV_PLAIN_LOOP: before a loop that is rare or calls functions, and is to stay small.
#if defined(__clang__)
// The pragma is advice: builds that do not vectorize, as under a sanitizer, are not to warn of it.
#pragma clang diagnostic ignored "-Wpass-failed"
#define FOV_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#define FOV_PLAIN_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#elif defined(__GNUC__)
#define FOV_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#define FOV_PLAIN_LOOP _Pragma("GCC unroll 1")
#else
#define FOV_INDEPENDENT_ITERATIONS
#define FOV_PLAIN_LOOP
#endif

#endif

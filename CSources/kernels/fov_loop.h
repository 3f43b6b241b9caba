// Fovea - telling the compiler what a loop may assume.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOOP_H
#define FOV_LOOP_H

// Before a loop whose iterations each read and write one place only. The arrays may be one and the
// same (an operation in place), but they never overlap in part; without this, the compiler tests
// for overlap and takes the slow loop exactly when a result goes back where it came from.
#if defined(__clang__)
// The pragma is advice: builds that do not vectorize, as under a sanitizer, are not to warn of it.
#pragma clang diagnostic ignored "-Wpass-failed"
#define FOV_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define FOV_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define FOV_INDEPENDENT_ITERATIONS
#endif

#endif

// Fovea - compiling the functions that follow for the instructions of FOV_TARGET.
// SPDX-License-Identifier: Apache-2.0
//
// Included without a guard, once in a file, in front of the header of its vectors:
//
//   #define FOV_TARGET "avx2,fma"
//   #include "kernels/fov_target_begin.h"
//   ... functions ...
//   #include "kernels/fov_target_end.h"
//
// Include <immintrin.h> or <arm_neon.h> before it.
#define FOV_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define FOV_PRAGMA_OF(...) FOV_PRAGMA(__VA_ARGS__)  // macros in it are expanded
#if defined(__clang__)
FOV_PRAGMA_OF(clang attribute push(__attribute__((target(FOV_TARGET))), apply_to = function))
#else
FOV_PRAGMA_OF(GCC push_options)
FOV_PRAGMA_OF(GCC target(FOV_TARGET))
#endif

// Fovea - the end of what fov_target_begin.h began.
// SPDX-License-Identifier: Apache-2.0
#if defined(__clang__)
FOV_PRAGMA_OF(clang attribute pop)
#else
FOV_PRAGMA_OF(GCC pop_options)
#endif

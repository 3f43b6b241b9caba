// Fovea - the parts of a follower that compute much, for every processor.
// SPDX-License-Identifier: Apache-2.0
#include "fov_follow_kernels.h"

const fov_follow_kernels fov_follow_kernels_plain = FOV_FOLLOW_KERNELS;

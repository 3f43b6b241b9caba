// Fovea - a loop whose units need workspace of their own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PARALLEL_SLOTS_H
#define FOV_PARALLEL_SLOTS_H

#include "base/fov_error.h"
#include "fovea/spi/fov_parallel.h"

// Like fov_parallel_for, but at most `slots` units run at once, also on a larger pool. The body is
// given its slot, a number below `slots`, so that workspace can be planned before the pool is
// known. Units are claimed one by one. The slot of a unit must not change its result.
FOV_INTERNAL void fov_parallel_for_slots(fov_pool *pool, size_t units, size_t slots,
                                         fov_parallel_body body, void *context);

#endif

// Fovea - sharing out the units of a loop.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PARALLEL_H
#define FOV_PARALLEL_H

#include <stddef.h>

#include "fovea/core/fov_pool.h"
#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// One unit of a loop. `thread` is below fov_pool_thread_count and differs between units that run
// at the same time, so that it can choose a slice of workspace.
typedef void (*fov_parallel_body)(void *_Nullable context, size_t unit, size_t thread);

// Runs body for unit 0 ..< units, in any order, and returns when all are done. The caller takes
// part as thread 0. With no pool, one thread, one unit or a pool that serves someone else, all
// units run on the caller. Memory written by units is visible to the caller afterwards.
//
// Any number of workers may come to take part, or none: a unit must not wait for another. A loop
// inside a body is allowed and runs on the thread of that body, as its thread 0.
void fov_parallel_for(fov_pool *_Nullable pool, size_t units, fov_parallel_body body,
                      void *_Nullable context);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

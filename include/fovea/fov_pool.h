// Fovea - a pool of threads, shared by sessions.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_POOL_H
#define FOV_POOL_H

#include "fovea/fov_status.h"
#include "fovea/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Persistent workers that share out the units of one loop at a time.
//
// The caller of a parallel loop works too, so a pool of n threads starts n - 1 of them. Units are
// claimed one by one from an atomic counter: a worker that the system has put aside delays no
// more than the unit it holds, and nobody waits for one that holds none. A worker that finds
// nothing spins for some 20 microseconds and then sleeps in the kernel. Where other programs keep
// the cores busy, take fewer threads: a unit whose thread has lost its core to one of them holds
// up its loop for a slice of the system's scheduler, some milliseconds.
//
// Several sessions may use one pool at once. The pool serves one loop at a time; a session that
// finds it taken runs its loop alone, on its own thread, and gets the same bytes.
typedef struct fov_pool fov_pool;

// Threads that this process may use: the affinity mask, reduced by the quota of its control
// group where there is one; at least 1.
size_t fov_pool_default_thread_count(void);

// More threads than any machine this is meant for; a larger number is a mistake.
#define FOV_POOL_MAX_THREADS 1024

// Starts a pool. thread_count counts the caller: 1 starts no thread, 0 means the default.
// Workers leave signals to the threads of the program. When a thread cannot be started, those
// before it are stopped and nothing remains.
// invalid_argument: more than FOV_POOL_MAX_THREADS; out_of_memory; thread_failure.
FOV_NODISCARD fov_status fov_pool_create(size_t thread_count, fov_pool *_Nullable *_Nonnull out_pool);

// Stops and frees the threads. No loop may be running. NULL is allowed.
void fov_pool_destroy(fov_pool *_Nullable pool);

// The number of threads that may run units at once, the caller included; 1 for NULL.
size_t fov_pool_thread_count(const fov_pool *_Nullable pool);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

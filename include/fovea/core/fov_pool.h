// Fovea - a pool of threads, shared by sessions.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_POOL_H
#define FOV_POOL_H

#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Threads that share the units of one loop at a time.
//
// The caller of a parallel loop works, too: a pool of n threads starts n - 1 workers. Units are
// claimed from an atomic counter, several at once at first and one by one toward the end. The
// caller never waits for a worker that holds no unit. While workers wake up, the caller runs the
// loop.
//
//   caller   | serial | units of loop 1 | serial | units of loop 2 |   ... end of the frame
//   worker   | wakes    | units   | spins          | units      | spins | sleeps
//            ^ fov_pool_wake
//
// Waking a sleeping worker takes about 50 microseconds. A worker therefore spins between the loops
// of a frame: at most 100 microseconds at a time, and in total at most half the time that it has
// worked plus 100 microseconds for each time that it was woken. Then it sleeps until a loop or
// fov_pool_wake wakes it. A process that runs no loops uses no processor time. A pool with more
// threads than the process has cores does not spin.
//
// Another program may take a worker's core while the worker holds a unit. The loop then waits some
// milliseconds. On Linux a worker that notices this works for a while in stretches of 0.6
// milliseconds, with pauses in which the caller runs alone.
//
// Several sessions may use one pool at once, on several threads. The pool serves one loop at a
// time. A session that finds the pool busy runs its loop on its own thread; the result has the same
// bytes.
typedef struct fov_pool fov_pool;

// The number of threads that this process may use: its affinity mask, reduced by the quota of its
// control group if there is one. At least 1.
size_t fov_pool_default_thread_count(void);

// The greatest number of threads of a pool.
#define FOV_POOL_MAX_THREADS 1024

// Starts a pool. thread_count includes the caller: 1 starts no thread, 0 means the default. Workers
// block signals, so that other threads of the program receive them. If a thread cannot be started,
// those before it are stopped and nothing remains.
// invalid_argument: more than FOV_POOL_MAX_THREADS; out_of_memory; thread_failure.
FOV_NODISCARD fov_status fov_pool_create(size_t thread_count,
                                         fov_pool *_Nullable *_Nonnull out_pool);

// Wakes sleeping workers, so that they are there when a loop begins within the next 100
// microseconds or so. Call it where a frame begins with serial work. It takes some microseconds for
// each sleeping worker, almost nothing for others. Any thread may call it before fov_pool_destroy.
// NULL is allowed.
void fov_pool_wake(fov_pool *_Nullable pool);

// Stops the threads and frees the pool. No loop may be running. In a child of fork(), which has
// none of the threads, it only frees the pool. NULL is allowed.
void fov_pool_destroy(fov_pool *_Nullable pool);

// The number of threads that may run units at once, the caller included; 1 for NULL.
size_t fov_pool_thread_count(const fov_pool *_Nullable pool);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

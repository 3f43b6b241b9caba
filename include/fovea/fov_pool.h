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
// claimed from an atomic counter, several at once while there are many and one by one toward the
// end. Nobody waits for a worker that holds no unit: while workers wake up, or run on a core
// that is slow to come, the caller runs the loop.
//
//   caller   | serial | units of loop 1 | serial | units of loop 2 |   ... end of the frame
//   worker   | wakes    | units   | spins          | units      | spins | sleeps
//            ^ fov_pool_wake
//
// To wake a sleeping worker takes some 50 microseconds. Between the loops of a frame a worker
// therefore spins, for at most 100 microseconds at a time and in all for at most half the time
// that it has worked plus 100 microseconds for each time that it was woken. Then it sleeps until
// a loop or fov_pool_wake wakes it; a process that runs no loops uses no processor time. A pool of
// more threads than the process has cores does not spin.
//
// A worker whose core is wanted by another program can lose it while it holds a unit, and its
// loop then waits some milliseconds for it. A worker that notices this (on Linux) works for a while
// in stretches of 0.6 milliseconds with pauses in between, in which the caller runs alone.
//
// Several sessions may use one pool at once, on several threads. The pool serves one loop at a
// time; a session that finds it taken runs its loop alone, on its own thread, and gets the same
// bytes.
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

// Says that loops will come within the next 100 microseconds or so: workers that sleep are woken,
// and are there when the first loop comes. To be called where a frame begins with serial work; it
// takes some microseconds for each worker that sleeps, almost nothing for others. Any thread may
// call it at any time before fov_pool_destroy. NULL is allowed.
void fov_pool_wake(fov_pool *_Nullable pool);

// Stops and frees the threads. No loop may be running. NULL is allowed.
void fov_pool_destroy(fov_pool *_Nullable pool);

// The number of threads that may run units at once, the caller included; 1 for NULL.
size_t fov_pool_thread_count(const fov_pool *_Nullable pool);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

// Fovea - a word that one thread sleeps on until another changes it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WAIT_WORD_H
#define FOV_WAIT_WORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fov_error.h"

// On Linux a futex; elsewhere a lock and a condition variable beside the word. Both are built and
// tested on Linux: define FOV_WAIT_WORD_PORTABLE for the second.
#if !defined(__linux__) && !defined(FOV_WAIT_WORD_PORTABLE)
#define FOV_WAIT_WORD_PORTABLE 1
#endif

#ifdef FOV_WAIT_WORD_PORTABLE
#include <pthread.h>
#endif

// The owner loads, stores and exchanges the value (sequentially consistent where a sleeper and a
// waker must see each other). A thread that changes the value calls wake afterwards.
typedef struct fov_wait_word {
  _Atomic uint32_t value;
#ifdef FOV_WAIT_WORD_PORTABLE
  pthread_mutex_t mutex;  // held only between the last read of the value and the sleep
  pthread_cond_t changed;
#endif
} fov_wait_word;

#define FOV_WAIT_FOREVER UINT64_MAX

// false when the system refuses a lock.
FOV_INTERNAL bool fov_wait_word_initialize(fov_wait_word *word, uint32_t value);
FOV_INTERNAL void fov_wait_word_deinitialize(fov_wait_word *word);

// Sleeps while the word holds `value`, for about the given time at most. May return early without a
// reason: the caller reads the value again.
FOV_INTERNAL void fov_wait_word_wait(fov_wait_word *word, uint32_t value, uint64_t nanoseconds);

// Wakes the thread that sleeps on the word, if there is one.
FOV_INTERNAL void fov_wait_word_wake(fov_wait_word *word);

#endif

// Fovea - sleeping on a word by futex, or by condition variable.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pool/fov_wait_word.h"

#include <time.h>

#ifndef FOV_WAIT_WORD_PORTABLE

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

bool fov_wait_word_initialize(fov_wait_word *word, uint32_t value) {
  atomic_init(&word->value, value);
  return true;
}

void fov_wait_word_deinitialize(fov_wait_word *word) { (void)word; }

void fov_wait_word_wait(fov_wait_word *word, uint32_t value, uint64_t nanoseconds) {
  const struct timespec timeout = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                                   .tv_nsec = (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, &word->value, FUTEX_WAIT_PRIVATE, value,
          nanoseconds == FOV_WAIT_FOREVER ? NULL : &timeout, NULL, 0);
}

void fov_wait_word_wake(fov_wait_word *word) {
  syscall(SYS_futex, &word->value, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#else

bool fov_wait_word_initialize(fov_wait_word *word, uint32_t value) {
  atomic_init(&word->value, value);
  if (pthread_mutex_init(&word->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&word->changed, NULL) == 0) return true;
  pthread_mutex_destroy(&word->mutex);
  return false;
}

void fov_wait_word_deinitialize(fov_wait_word *word) {
  pthread_cond_destroy(&word->changed);
  pthread_mutex_destroy(&word->mutex);
}

// The wall clock is the only one that condition variables can use on every system. If it is set,
// one limited sleep ends early or late.
static struct timespec deadline_after(uint64_t nanoseconds) {
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  const uint64_t fraction = (uint64_t)deadline.tv_nsec + nanoseconds % 1000000000u;
  deadline.tv_sec += (time_t)(nanoseconds / 1000000000u + fraction / 1000000000u);
  deadline.tv_nsec = (long)(fraction % 1000000000u);
  return deadline;
}

void fov_wait_word_wait(fov_wait_word *word, uint32_t value, uint64_t nanoseconds) {
  pthread_mutex_lock(&word->mutex);
  if (atomic_load(&word->value) == value) {
    if (nanoseconds == FOV_WAIT_FOREVER) {
      pthread_cond_wait(&word->changed, &word->mutex);
    } else {
      const struct timespec deadline = deadline_after(nanoseconds);
      pthread_cond_timedwait(&word->changed, &word->mutex, &deadline);
    }
  }
  pthread_mutex_unlock(&word->mutex);
}

// Takes the lock, so that the signal cannot come between the sleeper's last read and its wait.
void fov_wait_word_wake(fov_wait_word *word) {
  pthread_mutex_lock(&word->mutex);
  pthread_mutex_unlock(&word->mutex);
  pthread_cond_signal(&word->changed);
}

#endif

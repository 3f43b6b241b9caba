// Fovea - threads and locks of the pool, which a test can refuse.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>

#include "failing_memory.h"

// What a system call that makes something returned, and whether that is there now.
static int made(int error) {
  if (error == 0) fault_count(1);
  return error;
}

static int unmade(int error) {
  if (error == 0) fault_count(-1);
  return error;
}

int failing_pthread_attr_init(pthread_attr_t *attributes) {
  return fault_refuses() ? ENOMEM : made(pthread_attr_init(attributes));
}

int failing_pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
  return fault_refuses() ? EINVAL : pthread_attr_setstacksize(attributes, bytes);
}

int failing_pthread_attr_destroy(pthread_attr_t *attributes) {
  return unmade(pthread_attr_destroy(attributes));
}

int failing_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*body)(void *), void *context) {
  return fault_refuses() ? EAGAIN : made(pthread_create(thread, attributes, body, context));
}

int failing_pthread_join(pthread_t thread, void **result) {
  return unmade(pthread_join(thread, result));
}

int failing_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  return fault_refuses() ? ENOMEM : made(pthread_mutex_init(mutex, attributes));
}

int failing_pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return unmade(pthread_mutex_destroy(mutex));
}

int failing_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  return fault_refuses() ? ENOMEM : made(pthread_cond_init(condition, attributes));
}

int failing_pthread_cond_destroy(pthread_cond_t *condition) {
  return unmade(pthread_cond_destroy(condition));
}

// Fovea - put in front of the pool's sources: their requests to the system go to failing_threads.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef FAILING_THREADS_H
#define FAILING_THREADS_H

// Names alone: <pthread.h> then declares these, behind the feature macros of each source.
#define pthread_attr_init failing_pthread_attr_init
#define pthread_attr_setstacksize failing_pthread_attr_setstacksize
#define pthread_attr_destroy failing_pthread_attr_destroy
#define pthread_create failing_pthread_create
#define pthread_join failing_pthread_join
#define pthread_mutex_init failing_pthread_mutex_init
#define pthread_mutex_destroy failing_pthread_mutex_destroy
#define pthread_cond_init failing_pthread_cond_init
#define pthread_cond_destroy failing_pthread_cond_destroy

#endif

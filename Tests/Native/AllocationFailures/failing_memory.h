// Fovea - the core's memory and threads, refused at a chosen point.
// SPDX-License-Identifier: Apache-2.0
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// failing_memory.c stands in for base/fov_alloc.c, failing_threads.c for what the pool asks of the
// system. Every such request is a point; points are numbered from 1 in the order of the calls. The
// core makes them on the thread that calls it.
typedef enum fault_kind {
  fault_none,
  fault_single,   // one point is refused
  fault_lasting,  // it and all behind it
} fault_kind;

// Counts points from here on.
void fault_begin(fault_kind kind, size_t point);

// Points since fault_begin, and how many of them were refused.
size_t fault_points(void);
size_t fault_refusals(void);

// Blocks, threads and locks that are there now.
long fault_live(void);

// MARK: for those who stand in

// Passes a point: whether it is refused.
bool fault_refuses(void);

// Something came into being (1) or was given back (-1).
void fault_count(long change);

#endif

// Fovea - counting what a process takes from the heap, for tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

// Linking this target puts counters in front of malloc and its relatives, for the whole process:
// Swift, the C core and libraries alike. Memory that is mapped without malloc is not seen.
typedef struct allocation_counts {
  size_t calls;       // malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign
  size_t live_bytes;  // usable bytes of everything not yet freed
  size_t peak_bytes;  // the largest live_bytes since allocation_counter_mark
} allocation_counts;

// false where a sanitizer has taken malloc for itself, or the C library is not glibc.
bool allocation_counter_works(void);

// Starts a new peak.
void allocation_counter_mark(void);

allocation_counts allocation_counter_read(void);

#endif

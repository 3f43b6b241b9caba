// Fovea - malloc with a counter in front of it.
// SPDX-License-Identifier: Apache-2.0
#include "allocation_counter.h"

#include <stdatomic.h>

static atomic_size_t calls, live_bytes, peak_bytes;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) || (defined(__linux__) && __has_include(<gnu/libc-version.h>))
#define HAS_GLIBC 1
#endif

#if defined(HAS_GLIBC) && !defined(SANITIZED)
#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *memory);

static void *taken(void *memory) {
  atomic_fetch_add(&calls, 1);
  if (!memory) return memory;
  const size_t bytes = malloc_usable_size(memory);
  const size_t live = atomic_fetch_add(&live_bytes, bytes) + bytes;
  size_t peak = atomic_load(&peak_bytes);
  while (live > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, live)) {
  }
  return memory;
}

static void given_back(void *memory) {
  if (memory) atomic_fetch_sub(&live_bytes, malloc_usable_size(memory));
}

void *malloc(size_t bytes) { return taken(__libc_malloc(bytes)); }

void *calloc(size_t count, size_t bytes) { return taken(__libc_calloc(count, bytes)); }

void *realloc(void *memory, size_t bytes) {
  const size_t before = memory ? malloc_usable_size(memory) : 0;
  void *moved = __libc_realloc(memory, bytes);
  if (moved || bytes == 0) atomic_fetch_sub(&live_bytes, before);
  return taken(moved);
}

void *memalign(size_t alignment, size_t bytes) { return taken(__libc_memalign(alignment, bytes)); }

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **out_memory, size_t alignment, size_t bytes) {
  void *memory = memalign(alignment, bytes);
  if (!memory) return ENOMEM;
  *out_memory = memory;
  return 0;
}

void free(void *memory) {
  given_back(memory);
  __libc_free(memory);
}

bool allocation_counter_works(void) { return true; }

#else

bool allocation_counter_works(void) { return false; }

#endif

void allocation_counter_mark(void) { atomic_store(&peak_bytes, atomic_load(&live_bytes)); }

allocation_counts allocation_counter_read(void) {
  return (allocation_counts){.calls = atomic_load(&calls),
                             .live_bytes = atomic_load(&live_bytes),
                             .peak_bytes = atomic_load(&peak_bytes)};
}

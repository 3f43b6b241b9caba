// Fovea - slots over a pool.
// SPDX-License-Identifier: Apache-2.0
#include "pool/fov_parallel_slots.h"

#include <stdatomic.h>

#include "base/fov_size.h"

typedef struct lane_loop {
  atomic_size_t next;
  size_t units;
  fov_parallel_body body;
  void *context;
} lane_loop;

static void run_lane(void *opaque, size_t slot, size_t thread) {
  (void)thread;
  lane_loop *loop = opaque;
  for (;;) {
    const size_t unit = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
    if (unit >= loop->units) return;
    loop->body(loop->context, unit, slot);
  }
}

void fov_parallel_for_slots(fov_pool *pool, size_t units, size_t slots, fov_parallel_body body,
                            void *context) {
  if (fov_pool_thread_count(pool) <= slots) {
    fov_parallel_for(pool, units, body, context);
    return;
  }
  const size_t threads = fov_size_min(fov_size_min(slots, units), fov_pool_thread_count(pool));
  if (threads <= 1) {
    for (size_t unit = 0; unit < units; unit++) body(context, unit, 0);
    return;
  }
  lane_loop loop = {.units = units, .body = body, .context = context};
  atomic_init(&loop.next, 0);
  fov_parallel_for(pool, threads, run_lane, &loop);
}

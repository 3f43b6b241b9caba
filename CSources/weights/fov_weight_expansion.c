// Fovea - weights that stay codes become floats shortly before they are multiplied.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_expansion.h"

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"

bool fov_weight_expansion_plan(const fov_packed_weights *weights, size_t panels_each, size_t slots,
                               fov_weight_expansion *out_expansion) {
  *out_expansion = (fov_weight_expansion){.is_needed = weights->coded};
  if (!weights->coded) return true;
  const bool is_shared = panels_each == 0;
  const size_t panels = is_shared ? weights->panels : panels_each;
  size_t count, bytes;
  if (!fov_size_multiply(weights->panel_weights, panels, &count) ||
      !fov_size_multiply(count, sizeof(float), &bytes) || !fov_size_align(bytes, &bytes)) {
    return false;
  }
  out_expansion->is_shared = is_shared;
  out_expansion->slot_bytes = is_shared ? 0 : bytes;
  return fov_size_multiply(bytes, is_shared ? 1 : slots, &out_expansion->bytes);
}

typedef struct job {
  const fov_packed_weights *weights;
  size_t first_panel;
  float *floats;
} job;

static void expand_panel(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const size_t count = job->weights->panel_weights, panel = job->first_panel + unit;
  fov_coded_weights_expand(&job->weights->coding, count, panel, panel + 1,
                           job->floats + unit * count);
}

void fov_weight_expansion_begin(const fov_weight_expansion *expansion,
                                const fov_packed_weights *weights, size_t group, fov_pool *pool,
                                uint8_t *memory) {
  if (!expansion->is_shared) return;
  job job = {weights, group * weights->panels, (float *)(void *)memory};
  fov_parallel_for(pool, weights->panels, expand_panel, &job);
}

void fov_weight_expansion_take(const fov_weight_expansion *expansion,
                               const fov_packed_weights *weights, size_t group,
                               const size_t panels[2], size_t slot, uint8_t *memory) {
  if (expansion->slot_bytes == 0) return;
  const size_t first = group * weights->panels;
  fov_coded_weights_expand(&weights->coding, weights->panel_weights, first + panels[0],
                           first + panels[1],
                           (float *)(void *)(memory + slot * expansion->slot_bytes));
}

const float *fov_weight_expansion_floats(const fov_weight_expansion *expansion,
                                         const fov_packed_weights *weights, size_t group,
                                         size_t first_panel, size_t slot, const uint8_t *memory) {
  if (!expansion->is_needed) {
    return (const float *)weights->panel_data + group * weights->panels * weights->panel_weights;
  }
  if (expansion->is_shared) return (const float *)(const void *)memory;
  // As a number, since panels before the first have no memory. They are not read.
  const uintptr_t first = (uintptr_t)(memory + slot * expansion->slot_bytes);
  return (const float *)(first - first_panel * weights->panel_weights * sizeof(float));
}

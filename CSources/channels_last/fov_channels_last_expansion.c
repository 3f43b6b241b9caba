// Fovea - weights that stay codes become floats shortly before they are multiplied.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_expansion.h"

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"

bool fov_channels_last_expansion_plan(const fov_channels_last_convolution *layer, size_t panels_each,
                               size_t slots, fov_channels_last_expansion *out_expansion) {
  *out_expansion = (fov_channels_last_expansion){.is_needed = layer->coded};
  if (!layer->coded) return true;
  const bool is_shared = panels_each == 0;
  const size_t panels = is_shared ? layer->panels : panels_each;
  size_t weights, bytes;
  if (!fov_size_multiply(layer->panel_weights, panels, &weights) ||
      !fov_size_multiply(weights, sizeof(float), &bytes) || !fov_size_align(bytes, &bytes)) {
    return false;
  }
  out_expansion->is_shared = is_shared;
  out_expansion->lane_bytes = is_shared ? 0 : bytes;
  return fov_size_multiply(bytes, is_shared ? 1 : slots, &out_expansion->bytes);
}

typedef struct job {
  const fov_channels_last_convolution *layer;
  size_t first_panel;
  float *floats;
} job;

static void expand_panel(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const size_t weights = job->layer->panel_weights, panel = job->first_panel + unit;
  fov_coded_weights_expand(&job->layer->coding, weights, panel, panel + 1,
                           job->floats + unit * weights);
}

void fov_channels_last_expansion_begin(const fov_channels_last_expansion *expansion,
                                const fov_channels_last_convolution *layer, size_t group, fov_pool *pool,
                                uint8_t *memory) {
  if (!expansion->is_shared) return;
  job job = {layer, group * layer->panels, (float *)(void *)memory};
  fov_parallel_for(pool, layer->panels, expand_panel, &job);
}

void fov_channels_last_expansion_take(const fov_channels_last_expansion *expansion,
                               const fov_channels_last_convolution *layer, size_t group,
                               const size_t panels[2], size_t slot, uint8_t *memory) {
  if (expansion->lane_bytes == 0) return;
  const size_t first = group * layer->panels;
  fov_coded_weights_expand(&layer->coding, layer->panel_weights, first + panels[0],
                           first + panels[1],
                           (float *)(void *)(memory + slot * expansion->lane_bytes));
}

const float *fov_channels_last_expansion_weights(const fov_channels_last_expansion *expansion,
                                          const fov_channels_last_convolution *layer, size_t group,
                                          size_t first_panel, size_t slot, const uint8_t *memory) {
  if (!expansion->is_needed) {
    return (const float *)layer->weights + group * layer->panels * layer->panel_weights;
  }
  if (expansion->is_shared) return (const float *)(const void *)memory;
  // As a number: panels before the first have no memory, and nobody reads them.
  const uintptr_t first = (uintptr_t)(memory + slot * expansion->lane_bytes);
  return (const float *)(first - first_panel * layer->panel_weights * sizeof(float));
}

// Fovea - channels-last convolutions by Winograd's algorithm: which, in what parts, in what memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_WINOGRAD_H
#define FOV_CHANNELS_LAST_WINOGRAD_H

#include "kernels/fov_kernel_set.h"
#include "fovea/fov_pool.h"
#include "ops/fov_operation.h"
#include "channels_last/fov_channels_last_call.h"

// Tiles (kernels/fov_winograd.h) are taken in bands of rows, so that what is transformed stays in
// the caches. Two ways to share the work:
//
//   many channels   bands one after another: threads transform rows of tiles into common inputs,
//                   then multiply them by panels of their own
//   few channels    each thread takes bands of its own, with inputs of their own
//
// Each tile's sums are the same in both, and whatever the bands. What lies behind the last tiles is
// direct.
typedef struct fov_channels_last_winograd {
  const fov_winograd_kernels *kernels;  // NULL: the convolution is direct, and the rest is 0
  size_t slots;                         // threads at once
  size_t channels, block, panels;
  size_t tile_rows, tile_columns;
  size_t rows, columns;                 // of the result
  size_t bands;
  bool shares_inputs;
  size_t inputs_bytes, scratch_bytes;   // of a band, of a slot
  size_t bytes;                         // of everything
} fov_channels_last_winograd;

// `result` is the convolution's, after pooling. false when sizes overflow.
FOV_INTERNAL bool fov_channels_last_winograd_plan(const fov_channels_last_convolution *layer,
                                           const fov_kernel_set *kernels, const fov_planes *result,
                                           size_t slots, fov_channels_last_winograd *out_winograd);

// One group of one image, by those who know its memory.
typedef struct fov_channels_last_work {
  const void *context;
  // The convolution as `slot` is to compute it, with the weights of panels from panels[0] up to
  // panels[1] in memory.
  void (*take)(const void *context, const size_t panels[2], size_t slot, fov_channels_last_call *out_call);
  // Direct sums from, and up to, these rows, columns and panels, which the slot took last.
  void (*direct)(const void *context, const size_t rows[2], const size_t columns[2],
                 const size_t panels[2], size_t slot);
} fov_channels_last_work;

// `memory` is aligned to FOV_ALIGNMENT.
FOV_INTERNAL void fov_channels_last_winograd_run(const fov_channels_last_winograd *winograd,
                                          const fov_channels_last_work *work, fov_pool *pool,
                                          uint8_t *memory);

#endif

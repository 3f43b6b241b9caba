// Fovea - planning and running channels-last convolutions with Winograd's algorithm.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_WINOGRAD_H
#define FOV_CHANNELS_LAST_WINOGRAD_H

#include "channels_last/fov_channels_last_call.h"
#include "fovea/core/fov_pool.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_operation.h"

// Tiles (fov_winograd.h) are computed in bands of rows, so that transformed inputs stay in
// the caches. There are two ways to share the work:
//
//   many channels   bands one after another: threads transform rows of tiles into common inputs,
//                   then multiply them by panels of their own
//   few channels    each thread takes bands of its own, with inputs of their own
//
// The sums of a tile are the same in both, and for all sizes of bands. Pixels after the last tiles
// are computed directly.
typedef struct fov_channels_last_winograd {
  const fov_winograd_kernels *kernels;  // NULL: the convolution is direct, and the rest is 0
  size_t slots;                         // threads at once
  size_t channels, block, panels;
  size_t tile_rows, tile_columns;
  size_t rows, columns;  // of the result
  size_t bands;
  bool shares_inputs;
  size_t inputs_bytes, scratch_bytes;  // of a band, of a slot
  size_t bytes;                        // of everything
} fov_channels_last_winograd;

// `result` is the convolution's, after pooling. false when sizes overflow.
FOV_INTERNAL bool fov_channels_last_winograd_plan(const fov_channels_last_convolution *layer,
                                                  const fov_kernel_set *kernels,
                                                  const fov_planes *result, size_t slots,
                                                  fov_channels_last_winograd *out_winograd);

// The rows and panels of the largest block whose results a slot makes at once.
FOV_INTERNAL void fov_channels_last_winograd_block(const fov_channels_last_winograd *winograd,
                                                   size_t *out_rows, size_t *out_panels);

// Functions of the caller, for one group of one image.
typedef struct fov_channels_last_work {
  const void *context;
  // Gives the kernel's arguments for a block of `slot`, and expands the weights of its panels.
  void (*take)(const void *context, const fov_channels_last_block *block, size_t slot,
               fov_channels_last_call *out_call);
  // Computes these rows, columns and panels directly. The slot took the panels last.
  void (*direct)(const void *context, const size_t rows[2], const size_t columns[2],
                 const size_t panels[2], size_t slot);
  // Computes the curve on the sums of tiles.
  void (*finish)(const void *context, const fov_channels_last_block *block, size_t slot);
} fov_channels_last_work;

// `memory` is aligned to FOV_ALIGNMENT.
FOV_INTERNAL void fov_channels_last_winograd_run(const fov_channels_last_winograd *winograd,
                                                 const fov_channels_last_work *work, fov_pool *pool,
                                                 uint8_t *memory);

#endif

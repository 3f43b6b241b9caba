// Fovea - packed weights of float convolutions that stay codes of the file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODED_WEIGHTS_H
#define FOV_CODED_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// Panels in the order of fov_float_packing.h, one byte a weight:
//
//   codes    [panel][block][kernel row][kernel column][channel of the block][FOV_PANEL]
//
//   weight of output channel c at position p of a panel
//       = table[begin + code] * factor[c]                           look-up tables
//       = (code * scale[begin] + offset[begin]) * factor[c]         linear
//   begin = channel_begin[c] + position_begin[p]
//
// The parts are those of fov_weight_parts.h. Roundings are those of fov_weight_store_panel, so that
// an expanded panel has the same bits as one that was packed as floats. Missing channels of the
// last panel have a factor of 0.
typedef struct fov_coded_weights {
  const uint8_t *codes;
  // Tables one behind the other, and room behind the last: any byte finds an entry, whatever bytes
  // a compiled file has for codes. NULL: linear.
  const float *table;           // (numbers,)
  const float *scale, *offset;  // linear: (numbers,)
  size_t numbers;
  const float *factor;             // (panels * FOV_PANEL,)
  const uint32_t *channel_begin;   // (panels * FOV_PANEL,)
  const uint32_t *position_begin;  // (panel weights / FOV_PANEL,), NULL: all zero
} fov_coded_weights;

// Entries that a byte may name.
#define FOV_TABLE_ROOM 256

// Whether all weights find their numbers. channels: panels * FOV_PANEL; positions: of a panel.
FOV_INTERNAL bool fov_coded_weights_are_valid(const fov_coded_weights *weights, size_t channels,
                                              size_t positions);

// Writes the floats of panels [begin, end), of panel_weights each.
FOV_INTERNAL void fov_coded_weights_expand(const fov_coded_weights *weights, size_t panel_weights,
                                           size_t begin, size_t end, float *restrict out);

#endif

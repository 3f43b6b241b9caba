// Fovea - packed weights of float convolutions that stay codes of the file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODED_WEIGHTS_H
#define FOV_CODED_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// Panels in the order of fov_float_packing.h, one byte a weight:
//
//   codes    [panel][block][kernel row][kernel column][channel of the block][FOV_PANEL]
//
//   weight of output channel c = table[code] * factor[c]                      look-up table
//                              = (code * scale[c] + offset[c]) * factor[c]    linear
//
// Roundings are those of fov_weight_store_panel, so that an expanded panel has the same bits as one
// that was packed as floats. Missing channels of the last panel have a factor of 0.
typedef struct fov_coded_weights {
  const uint8_t *codes;
  const float *table;           // (256,); NULL: linear
  const float *scale, *offset;  // linear: (panels * FOV_PANEL,)
  const float *factor;          // (panels * FOV_PANEL,)
} fov_coded_weights;

// Writes the floats of panels [begin, end), of panel_weights each.
FOV_INTERNAL void fov_coded_weights_expand(const fov_coded_weights *weights, size_t panel_weights,
                                           size_t begin, size_t end, float *restrict out);

#endif

// Fovea - what a filter sees of a window: gradients by direction, brightness and color.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FEATURES_H
#define FOV_FEATURES_H

#include "fov_patch.h"

#define FOV_CELL 4        // pixels of a cell's side, in a patch
#define FOV_CELLS_MAX 64  // cells of a window's side
#define FOV_BINS_MAX 24   // directions of a cell in memory: 18 and padding

typedef struct fov_feature_scratch {
  fov_patch_scratch patch;
  float magnitude[2][FOV_PATCH_MAX];
  int32_t bin[2][FOV_PATCH_MAX];
  float energy[(FOV_CELLS_MAX + 2) * (FOV_CELLS_MAX + 2)];
  fov_lanes row[(FOV_CELLS_MAX + 2) * 3];
  float pixels[FOV_PATCH_MAX * FOV_PATCH_MAX];
  float blue[FOV_CELLS_MAX * FOV_CELLS_MAX], red[FOV_CELLS_MAX * FOV_CELLS_MAX];
  fov_lanes cells[(FOV_CELLS_MAX + 2) * FOV_CELLS_MAX * 3];
} fov_feature_scratch;

// Channels of a cell. groups 2: 9 directions without sign, 3 colors, 4 measures of texture.
// groups 4: 18 directions with sign, 9 without, 3 colors, 2 measures of texture.
FOV_HIDDEN void fov_features(fov_feature_scratch *scratch, const fov_picture *picture,
                             const fov_follow_box *window, size_t cells, size_t groups,
                             fov_lanes *out_map);

// Multiplies by taper[x] taper[y].
FOV_HIDDEN void fov_features_taper(size_t cells, size_t groups, const float *taper, fov_lanes *map);

#endif

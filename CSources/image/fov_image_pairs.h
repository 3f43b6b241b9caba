// Fovea - pixels of a row and their right neighbors, which bilinear sampling mixes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_PAIRS_H
#define FOV_IMAGE_PAIRS_H

#include "image/fov_image_reader.h"

// Columns whose positions are computed once for all rows. Few blocks are better: processors fetch
// long runs of memory ahead.
#define FOV_MOST_PAIRS 448

// The windows of one plane, or of two that are laid out alike.
typedef struct fov_plane_windows {
  size_t row_bytes;  // from the first to the last sample of a row
  size_t count;
  fov_sample_window windows[FOV_MOST_PAIRS];
} fov_plane_windows;

// The columns left[i], which do not turn back, and their neighbors left[i] + step.
typedef struct fov_image_pairs {
  size_t count, step;  // step: 0 or 1
  size_t plane_bytes;  // see fov_image_pairs_read
  size_t left[FOV_MOST_PAIRS];
  fov_plane_windows luma, chroma;  // of formats with planes of bytes
} fov_image_pairs;

// Luma and chroma of the row that was read last, [left, right]. Rows that share chroma follow each
// other.
#define FOV_PAIR_BYTES (FOV_MOST_PAIRS + FOV_SAMPLING_SLACK)
typedef struct fov_pair_planes {
  const uint8_t *chroma;  // where the row's U begins; NULL: none yet
  uint8_t y[2][FOV_PAIR_BYTES], u[2][FOV_PAIR_BYTES], v[2][FOV_PAIR_BYTES];
} fov_pair_planes;

// Once `count`, `step` and `left` are set.
FOV_INTERNAL void fov_image_pairs_prepare(const fov_image_reader *reader, fov_image_pairs *pairs);

// The pixels of a row into `left` and `right`, of FOV_READER_BYTES(3 * FOV_MOST_PAIRS). The samples
// of a pixel lie side by side; or, where plane_bytes is not 0, all reds come first, from
// plane_bytes on all greens, and then all blues.
FOV_INTERNAL void fov_image_pairs_read(const fov_image_reader *reader, const fov_image_pairs *pairs,
                                       size_t row, fov_pair_planes *planes, uint8_t *left,
                                       uint8_t *right);

#endif

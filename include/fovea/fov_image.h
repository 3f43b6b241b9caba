// Fovea - sampling a picture into the input of a network.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_H
#define FOV_IMAGE_H

#include "fovea/fov_status.h"
#include "fovea/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A picture of bytes, row-major, channels interleaved (3: red, green, blue; 1: grey). Borrowed.
typedef struct fov_image {
  const uint8_t *data;
  size_t data_bytes;  // at least (height - 1) * row_bytes + width * channels
  size_t width;
  size_t height;
  size_t channels;    // 1 or 3
  size_t row_bytes;   // at least width * channels
} fov_image;

// Scales both axes independently to width x height (bilinear, half-pixel centres, no low-pass
// filter) and writes dense bytes [height, width, channels]:
//   x(X) = (X + 0.5) * source width / width - 0.5, clamped to [0, source width - 1]; rows alike
//   out  = floor(mix of the four neighbours + 0.5), in double precision
// Colours become grey by 0.299 R + 0.587 G + 0.114 B of the three mixes, before the rounding, when
// channels is 1 and the source has 3; grey becomes colour by repetition. The same bytes on every
// machine. Source and output must not overlap. Allocates nothing.
// invalid_argument: a size of 0, channels other than 1 and 3, row_bytes less than a row;
// buffer_too_small: data_bytes or out_bytes; overflow: a picture of more than SIZE_MAX bytes.
FOV_NODISCARD fov_status fov_image_resize(const fov_image *source, size_t width, size_t height,
                                          size_t channels, uint8_t *out_data, size_t out_bytes);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

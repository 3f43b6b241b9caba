// Fovea - pixels of any quadrilateral as an upright picture.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_RECTIFY_H
#define FOV_RECTIFY_H

#include <stddef.h>
#include <stdint.h>

// A picture of 8-bit samples, rows from the top. Borrows its bytes.
typedef struct fov_still_image {
  const uint8_t *bytes;
  size_t row_bytes;
  int width, height;
  int channels;  // 1 or 3
} fov_still_image;

// The map from a point (x, y) of the result to a point of the picture, in pixels; centers of pixels
// lie at halves:
//
//   x' = (m[0] x + m[1] y + m[2]) / w    y' = (m[3] x + m[4] y + m[5]) / w
//   w  =  m[6] x + m[7] y + m[8]
typedef struct fov_perspective {
  double m[9];
} fov_perspective;

// Writes `width` x `height` pixels of as many channels as the picture has, without padding. A pixel
// is the mean of samples * samples bilinear ones, evenly spaced in it: take as many (1 to 8) as the
// picture's pixels on a side of one. Points outside the picture repeat its edge. Where w is not
// above 0 nothing can be seen: the pixel is 0.
//
// Returns 0, or -1 for an argument that is out of range. Allocates nothing.
int fov_rectify(const fov_still_image *picture, const fov_perspective *map, int width, int height,
                int samples, uint8_t *out_pixels);

#endif

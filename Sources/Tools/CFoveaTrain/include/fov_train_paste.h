// Fovea - pasting flat sheets into pictures that are learned from, as a camera sees them.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_PASTE_H
#define FOV_TRAIN_PASTE_H

#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_core.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// What is pasted into. Pixel (x, y) covers [x, x + 1) and [y, y + 1).
typedef struct fov_train_canvas {
  uint8_t *colors;       // red, green and blue of each pixel, in rows
  uint8_t *owners;       // which sheet is seen in each pixel; 0 for none
  size_t width, height;  // 1 ... 2^15
} fov_train_canvas;

// A flat sheet that is pasted. Its bytes are borrowed.
typedef struct fov_train_sheet {
  const uint8_t *colors;           // red, green and blue, multiplied by the opacity
  const uint8_t *_Nullable alpha;  // the opacity of each pixel; NULL where all are opaque
  size_t width, height;            // 1 ... 2^15
  size_t row_pixels;               // from row to row of both, at least the width
} fov_train_sheet;

// How bright a sheet is: each color is multiplied by gain (1 + across u + down v). u and v are -0.5
// at the left and upper edge of the sheet, and 0.5 at the others.
typedef struct fov_train_light {
  float gains[3];
  float across, down;
} fov_train_light;

// The pixels in which a sheet is seen.
typedef struct fov_train_part {
  size_t count;
  fov_pixel_range columns, rows;  // empty where the count is 0
} fov_train_part;

// Pastes a sheet. `map` has nine numbers and leads from the canvas to the sheet. With
// w = m6 x + m7 y + m8, (x, y) goes to ((m0 x + m1 y + m2) / w, (m3 x + m4 y + m5) / w). Only the
// given columns and rows are touched, and of these what lies in front of the camera: w is above 0.
//
// Each pixel is the mean of four samples, each of them bilinear. The sheet owns a pixel where the
// mean opacity of its samples is half or more.
//
// invalid_argument: sizes or ranges that are not as above, an owner of 0, a number that is not
// finite.
FOV_NODISCARD fov_status fov_train_paste(const fov_train_canvas *canvas,
                                         const fov_train_sheet *sheet, const double *map,
                                         fov_pixel_range columns, fov_pixel_range rows,
                                         const fov_train_light *light, uint8_t owner);

// The pixels that a sheet owns.
fov_train_part fov_train_part_of(const fov_train_canvas *canvas, uint8_t owner);

// Blurs pixels of red, green and blue in place, by bells of these variances in square pixels, each
// 0 ... 100.
void fov_train_blur(uint8_t *colors, size_t width, size_t height, float across, float down);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

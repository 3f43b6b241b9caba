// Fovea - sampling an image pixel by pixel, as fov_image.h describes it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_IMAGE_ORACLE_H
#define FUZZ_IMAGE_ORACLE_H

#include <stdbool.h>

#include "fovea/core/fov_image.h"

// Whether the numbers of a sampling that was accepted are such that doubles can follow the words:
// no product overflows, and rounding to multiples of 2^-20 has a meaning.
bool fuzz_image_is_plain(const fov_image_sampling *sampling);

// The bytes of one pixel of the content, `channels` of them.
void fuzz_image_pixel(const fov_image *image, const fov_image_sampling *sampling, size_t column,
                      size_t row, uint8_t *out);

// Whether the pixel is the mean of an area, which may differ by 1.
bool fuzz_image_is_mean(const fov_image_sampling *sampling);

#endif

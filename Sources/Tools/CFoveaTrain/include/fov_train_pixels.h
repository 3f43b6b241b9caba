// Fovea - changing the colors of pictures that are learned from.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_PIXELS_H
#define FOV_TRAIN_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_core.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Changes pixels of red, green and blue in place: `hue` turns are added to the hue, saturation and
// value are multiplied by their factors and cut at 1.
void fov_train_change_colors(uint8_t *pixels, size_t count, float hue, float saturation,
                             float value);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

// Fovea - what of an image and of a sampling can be wrong.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_CHECK_H
#define FOV_IMAGE_CHECK_H

#include "base/fov_error.h"
#include "fovea/core/fov_image.h"

// Every row of every plane lies in data.
FOV_INTERNAL fov_status fov_image_check(const fov_image *image);

// The output holds what is written, and ranges lie in their images. The map is not looked at.
FOV_INTERNAL fov_status fov_image_sampling_check(const fov_image *image,
                                                 const fov_image_sampling *sampling,
                                                 size_t out_bytes);

#endif

// Fovea - the bytes of the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
#include "still_image.h"

// C23's #embed is an extension in C11; its warning would say no more than that.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char still_image[] = {
#embed "StillImage.mlmodel"
};

const unsigned char *fov_still_image_bytes(size_t *out_count) {
  *out_count = sizeof still_image;
  return still_image;
}

// Fovea - the bytes of the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
#include "codes_and_text.h"

// C23's #embed is an extension in C11; its warning would say no more than that.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char codes_and_text[] = {
#embed "CodesAndText.mlmodel"
};

const unsigned char *fov_codes_and_text_bytes(size_t *out_count) {
  *out_count = sizeof codes_and_text;
  return codes_and_text;
}

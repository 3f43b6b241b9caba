// Fovea - the bytes of the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODES_AND_TEXT_H
#define FOV_CODES_AND_TEXT_H

#include <stddef.h>

// The Core ML file CodesAndText.mlmodel, `*out_count` bytes that live as long as the program. They
// are part of the program's read-only data: no file has to be found when it runs, and nobody pays
// for them who does not call this.
const unsigned char *fov_codes_and_text_bytes(size_t *out_count);

#endif

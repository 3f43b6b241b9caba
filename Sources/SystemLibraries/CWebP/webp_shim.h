// Fovea - libwebp, as a system library.
// SPDX-License-Identifier: Apache-2.0
#include <webp/decode.h>

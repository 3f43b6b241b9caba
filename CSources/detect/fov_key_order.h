// Fovea - sorting numbers by their upper halves.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_KEY_ORDER_H
#define FOV_KEY_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/fov_error.h"

// Sorts keys by their upper 32 bits. The lower ones ascend before the call, and do so among equals
// afterwards. Returns where the sorted keys are: `keys`, or `spare`, which is as large. O(count).
FOV_INTERNAL uint64_t *fov_keys_sort(uint64_t *keys, uint64_t *spare, size_t count);

#endif

// Fovea - from stored codes to floats.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_DECODE_H
#define FOV_WEIGHT_DECODE_H

#include "weights/fov_weight_store.h"

// Decodes elements [column, column + count) of a row, without the row's factor. Linear codes are
// scaled in double precision, where the product is exact, and rounded once. So the results are the
// same on every machine.
FOV_INTERNAL void fov_weight_decode(const fov_weight_store *store, size_t row, size_t column,
                                    size_t count, float *restrict out);

// The codes of elements [first, first + count) as bytes; a look-up table or linear.
FOV_INTERNAL void fov_weight_codes(const fov_weight_store *store, size_t first, size_t count,
                                   uint8_t *restrict out);

// Prefetches elements that will be decoded soon. Rows of a panel are further apart than the
// processor prefetches by itself. Without this, a panel waits for each of its rows.
FOV_INTERNAL void fov_weight_prefetch(const fov_weight_store *store, size_t first, size_t count);

#endif

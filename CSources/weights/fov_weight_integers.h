// Fovea - weights that a file stores as integers of 8 bits times a scale.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_INTEGERS_H
#define FOV_WEIGHT_INTEGERS_H

#include "weights/fov_weight_store.h"

// Whether row `row` is integers in -128 ... 127 times one scale above 0, exactly; and these. A row
// of linear codes with one zero point is. Factors of rows multiply the scale. out_integers:
// (columns,), or NULL.
FOV_INTERNAL bool fov_weight_integers(const fov_weight_store *store, size_t row,
                                      int8_t *out_integers, float *out_scale);

#endif

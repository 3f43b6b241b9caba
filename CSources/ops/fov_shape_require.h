// Fovea - checks of input shapes, with messages.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SHAPE_REQUIRE_H
#define FOV_SHAPE_REQUIRE_H

#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

// Requires rank 3 or more: [..., channels, rows, columns].
FOV_INTERNAL fov_status fov_shape_require_planes(const fov_shape *shape,
                                                 fov_diagnostic *diagnostic);

// Requires an axis below the rank.
FOV_INTERNAL fov_status fov_shape_require_axis(const fov_shape *shape, size_t axis,
                                               fov_diagnostic *diagnostic);

// Requires a rank.
FOV_INTERNAL fov_status fov_shape_require_rank(const fov_shape *shape, size_t rank,
                                               const char *what, fov_diagnostic *diagnostic);

// Requires dimensions of two inputs to be equal.
FOV_INTERNAL fov_status fov_shape_require_equal(const fov_shape *a, size_t a_dimension,
                                                const fov_shape *b, size_t b_dimension,
                                                fov_diagnostic *diagnostic);

// Refuses an axis of more than FOV_INDEX_LIMIT elements: float32 cannot hold all its indices.
#define FOV_INDEX_LIMIT ((size_t)1 << 24)
FOV_INTERNAL fov_status fov_shape_require_indices(size_t size, fov_diagnostic *diagnostic);

// Requires a number of an enumeration to be 0 ... greatest. `what` is the noun of the message.
FOV_INTERNAL fov_status fov_require_choice(size_t value, size_t greatest, const char *what,
                                           fov_diagnostic *diagnostic);

#endif

// Fovea - checks of input shapes, with messages.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SHAPE_REQUIRE_H
#define FOV_SHAPE_REQUIRE_H

#include "base/fov_error.h"
#include "fovea/fov_types.h"

// Requires rank 3 or more: [..., channels, rows, columns].
FOV_INTERNAL fov_status fov_shape_require_planes(const fov_shape *shape,
                                                 fov_diagnostic *diagnostic);

// Requires an axis below the rank.
FOV_INTERNAL fov_status fov_shape_require_axis(const fov_shape *shape, size_t axis,
                                               fov_diagnostic *diagnostic);

#endif

// Fovea - the C core in one header.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CORE_H
#define FOV_CORE_H

#include "fovea/core/fov_compiled.h"
#include "fovea/core/fov_detector.h"
#include "fovea/core/fov_graph.h"
#include "fovea/core/fov_image.h"
#include "fovea/core/fov_model.h"
#include "fovea/core/fov_operations.h"
#include "fovea/core/fov_pool.h"
#include "fovea/core/fov_program_operations.h"
#include "fovea/core/fov_session.h"
#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"
#include "fovea/core/fov_version.h"

#endif

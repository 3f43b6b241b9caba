// Fovea - the C interface in one header.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_H
#define FOVEA_H

#include "fovea/fov_compiled.h"
#include "fovea/fov_detector.h"
#include "fovea/fov_graph.h"
#include "fovea/fov_image.h"
#include "fovea/fov_model.h"
#include "fovea/fov_operations.h"
#include "fovea/fov_pool.h"
#include "fovea/fov_program_operations.h"
#include "fovea/fov_session.h"
#include "fovea/fov_status.h"
#include "fovea/fov_types.h"
#include "fovea/fov_version.h"

#endif

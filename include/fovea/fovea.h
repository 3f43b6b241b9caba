// Fovea - the C interface of the whole in one header.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_H
#define FOVEA_H

// Link with -lfovea. The C core alone has headers of its own, in the folder core.
#include "fovea/fovea_base.h"
#include "fovea/fovea_detect.h"
#include "fovea/fovea_model.h"
#include "fovea/fovea_picture.h"
#include "fovea/fovea_run.h"
#include "fovea/fovea_video.h"

#endif

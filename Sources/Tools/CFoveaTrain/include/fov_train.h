// Fovea - training detectors in C: the network, what it is judged by, and one step.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_H
#define FOV_TRAIN_H

#include "fov_train_loss.h"
#include "fov_train_paste.h"
#include "fov_train_pixels.h"
#include "fov_train_step.h"
#include "fov_train_tape.h"

#endif

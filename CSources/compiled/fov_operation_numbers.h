// Fovea - the numbers that operations have in compiled files.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OPERATION_NUMBERS_H
#define FOV_OPERATION_NUMBERS_H

#include "ops/fov_operation.h"

// The number of an operation never changes. New operations get new numbers, also after others were
// removed. 0 is no operation.
FOV_INTERNAL const fov_operation *fov_operation_of_number(uint32_t number);
FOV_INTERNAL uint32_t fov_operation_number(const fov_operation *operation);

#endif

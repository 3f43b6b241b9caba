// Fovea - the numbers that operations have in compiled files.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OPERATION_NUMBERS_H
#define FOV_OPERATION_NUMBERS_H

#include "ops/fov_operation.h"

// A number means one operation for ever: new operations get new numbers, and those of dropped ones
// are not given again. 0 is none.
FOV_INTERNAL const fov_operation *fov_operation_of_number(uint32_t number);
FOV_INTERNAL uint32_t fov_operation_number(const fov_operation *operation);

#endif

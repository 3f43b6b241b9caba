// Fovea - the version of the library.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_VERSION_H
#define FOV_VERSION_H

#include <stdint.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// The version of these headers, by the rules of semantic versioning. While the major number is 0,
// a new minor number may change the interface.
#define FOV_VERSION_MAJOR 0
#define FOV_VERSION_MINOR 2
#define FOV_VERSION_PATCH 0

// One number that grows with the version: major * 1,000,000 + minor * 1,000 + patch.
#define FOV_VERSION (FOV_VERSION_MAJOR * 1000000 + FOV_VERSION_MINOR * 1000 + FOV_VERSION_PATCH)

// FOV_VERSION of the library that the program runs with. A program that loads the library at run
// time compares it with the FOV_VERSION that it was compiled with.
uint32_t fov_version(void);

// The same as text, for example "0.2.0". Static storage.
const char *fov_version_string(void);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif

// Fovea - the version of the library.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/core/fov_version.h"

#define TEXT(number) #number
#define JOINED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

uint32_t fov_version(void) { return FOV_VERSION; }

const char *fov_version_string(void) {
  return JOINED(FOV_VERSION_MAJOR, FOV_VERSION_MINOR, FOV_VERSION_PATCH);
}

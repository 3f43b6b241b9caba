// Fovea - the cores that this process may use.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CPU_H
#define FOV_CPU_H

#include <stddef.h>

#include "base/fov_error.h"

// Cores that this process may use at once: those of its affinity mask, but no more than the quota
// of its control group rounded up. At least 1. Reads small files under /proc and /sys on Linux.
FOV_INTERNAL size_t fov_cpu_available(void);

#endif

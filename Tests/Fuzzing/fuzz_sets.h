// Fovea - instruction sets that the fuzzed core is checked with.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_SETS_H
#define FUZZ_SETS_H

#include "fovea/core/fov_types.h"

// Those that are here: scalar first, then the ones whose kernels sanitizers watch, then the others,
// which Scripts/fuzz compiles without because it would take an hour.
size_t fuzz_set_count(void);
fov_instruction_set fuzz_set(size_t index);

// The best one that is watched.
fov_instruction_set fuzz_watched_set(void);

#endif

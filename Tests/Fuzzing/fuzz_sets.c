// Fovea - instruction sets that the fuzzed core is checked with.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_sets.h"

static const fov_instruction_set wanted[] = {
    fov_instruction_set_scalar,      fov_instruction_set_avx2, fov_instruction_set_neon,
    fov_instruction_set_dotprod,     fov_instruction_set_i8mm, fov_instruction_set_avx_vnni,
    fov_instruction_set_avx512_vnni,
};

size_t fuzz_set_count(void) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    count += fov_instruction_set_is_available(wanted[i]);
  }
  return count;
}

fov_instruction_set fuzz_set(size_t index) {
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    if (fov_instruction_set_is_available(wanted[i]) && index-- == 0) return wanted[i];
  }
  return fov_instruction_set_scalar;
}

fov_instruction_set fuzz_watched_set(void) {
  static const fov_instruction_set watched[] = {fov_instruction_set_i8mm,
                                                fov_instruction_set_dotprod,
                                                fov_instruction_set_neon, fov_instruction_set_avx2};
  for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) {
    if (fov_instruction_set_is_available(watched[i])) return watched[i];
  }
  return fov_instruction_set_scalar;
}

// Fovea - the table of kernel sets, and the choice of one for this processor.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_kernel_set.h"

#include <stddef.h>

#include "base/fov_size.h"
#include "cpu/fov_cpu_features.h"
#include "kernels/float/fov_float_sets.h"

FOV_INTERNAL extern const fov_int8_kernels fov_int8_kernels_scalar, fov_int8_kernels_avx2,
    fov_int8_kernels_avx_vnni, fov_int8_kernels_avx512_vnni, fov_int8_kernels_neon,
    fov_int8_kernels_dotprod, fov_int8_kernels_i8mm;
FOV_INTERNAL extern const fov_int16_kernels fov_int16_kernels_scalar, fov_int16_kernels_avx2,
    fov_int16_kernels_avx512_vnni, fov_int16_kernels_neon;
FOV_INTERNAL extern const fov_winograd_kernels fov_int8_winograd_avx2,
    fov_int8_winograd_avx512_vnni, fov_int8_winograd_neon;
FOV_INTERNAL extern const fov_sampling_kernels fov_sampling_kernels_scalar,
    fov_sampling_kernels_avx2, fov_sampling_kernels_avx512, fov_sampling_kernels_neon;

// Best first: automatic takes the first that the processor has, as does the name of a set.
static const fov_kernel_set sets[] = {
#if defined(__x86_64__)
    {fov_instruction_set_avx512_vnni, &fov_int8_kernels_avx512_vnni, &fov_int16_kernels_avx512_vnni,
     &fov_float_kernels_avx512, &fov_int8_winograd_avx512_vnni, &fov_float_winograd_avx512,
     &fov_sampling_kernels_avx512, fov_look_up_avx512_vbmi},
    {fov_instruction_set_avx512_vnni, &fov_int8_kernels_avx512_vnni, &fov_int16_kernels_avx512_vnni,
     &fov_float_kernels_avx512, &fov_int8_winograd_avx512_vnni, &fov_float_winograd_avx512,
     &fov_sampling_kernels_avx512, fov_look_up_avx2},
    {fov_instruction_set_avx_vnni, &fov_int8_kernels_avx_vnni, &fov_int16_kernels_avx2,
     &fov_float_kernels_avx2, NULL, &fov_float_winograd_avx2, &fov_sampling_kernels_avx2,
     fov_look_up_avx2},
    // Wider vectors, but no dot products: bytes are multiplied as AVX2 does.
    {fov_instruction_set_avx512, &fov_int8_kernels_avx2, &fov_int16_kernels_avx2,
     &fov_float_kernels_avx512, &fov_int8_winograd_avx2, &fov_float_winograd_avx512,
     &fov_sampling_kernels_avx512, fov_look_up_avx2},
    {fov_instruction_set_avx2, &fov_int8_kernels_avx2, &fov_int16_kernels_avx2,
     &fov_float_kernels_avx2, &fov_int8_winograd_avx2, &fov_float_winograd_avx2,
     &fov_sampling_kernels_avx2, fov_look_up_avx2},
#elif defined(__aarch64__)
    {fov_instruction_set_i8mm, &fov_int8_kernels_i8mm, &fov_int16_kernels_neon,
     &fov_float_kernels_neon, NULL, &fov_float_winograd_neon, &fov_sampling_kernels_neon,
     fov_look_up_neon},
    {fov_instruction_set_dotprod, &fov_int8_kernels_dotprod, &fov_int16_kernels_neon,
     &fov_float_kernels_neon, NULL, &fov_float_winograd_neon, &fov_sampling_kernels_neon,
     fov_look_up_neon},
    {fov_instruction_set_neon, &fov_int8_kernels_neon, &fov_int16_kernels_neon,
     &fov_float_kernels_neon, &fov_int8_winograd_neon, &fov_float_winograd_neon,
     &fov_sampling_kernels_neon, fov_look_up_neon},
#endif
    {fov_instruction_set_scalar, &fov_int8_kernels_scalar, &fov_int16_kernels_scalar,
     &fov_float_kernels_scalar, NULL, NULL, &fov_sampling_kernels_scalar, fov_look_up_scalar},
};

static bool processor_has(const fov_kernel_set *set, fov_cpu_features features) {
#if defined(__x86_64__)
  if (set->look_up == fov_look_up_avx512_vbmi && !features.avx512_vbmi) return false;
#endif
  switch (set->instruction_set) {
    case fov_instruction_set_automatic:
    case fov_instruction_set_scalar: return true;
    case fov_instruction_set_avx2: return features.avx2;
    case fov_instruction_set_avx_vnni: return features.avx_vnni;
    case fov_instruction_set_avx512: return features.avx512;
    case fov_instruction_set_avx512_vnni: return features.avx512_vnni;
    case fov_instruction_set_neon: return features.neon;
    case fov_instruction_set_dotprod: return features.dotprod;
    case fov_instruction_set_i8mm: return features.i8mm;
  }
  return false;
}

const fov_kernel_set *fov_kernel_set_find(fov_instruction_set instruction_set) {
  const bool automatic = instruction_set == fov_instruction_set_automatic;
  const fov_cpu_features features = fov_cpu_features_detect();
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    if (!automatic && sets[i].instruction_set != instruction_set) continue;
    if (processor_has(&sets[i], features)) return &sets[i];
  }
  return NULL;
}

const char *fov_instruction_set_name(fov_instruction_set instruction_set) {
  static const char *const names[FOV_INSTRUCTION_SET_COUNT] = {
      [fov_instruction_set_automatic] = "automatic",
      [fov_instruction_set_scalar] = "scalar",
      [fov_instruction_set_avx2] = "avx2",
      [fov_instruction_set_avx_vnni] = "avx-vnni",
      [fov_instruction_set_avx512] = "avx512",
      [fov_instruction_set_avx512_vnni] = "avx512-vnni",
      [fov_instruction_set_neon] = "neon",
      [fov_instruction_set_dotprod] = "dotprod",
      [fov_instruction_set_i8mm] = "i8mm",
  };
  const size_t index = (size_t)instruction_set;
  return index < FOV_INSTRUCTION_SET_COUNT ? names[index] : NULL;
}

bool fov_instruction_set_is_available(fov_instruction_set instruction_set) {
  return fov_kernel_set_find(instruction_set) != NULL;
}

fov_instruction_set fov_instruction_set_best(void) {
  return fov_kernel_set_find(fov_instruction_set_automatic)->instruction_set;
}

// Fovea - which vector instructions the processor and the system let this process use.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CPU_FEATURES_H
#define FOV_CPU_FEATURES_H

#include <stdbool.h>

#include "base/fov_error.h"

// All false on an architecture that no kernels are written for. On x86 a feature counts only when
// the system also saves the registers that it needs.
typedef struct fov_cpu_features {
  bool avx2;      // with FMA
  bool avx_vnni;  // 256-bit dot products outside AVX-512
  bool avx512;    // F, BW, VL, DQ
  bool avx512_vnni;
  bool avx512_vbmi;  // permutations of bytes
  bool neon;
  bool dotprod;  // sdot
  bool i8mm;     // usdot, usmmla
} fov_cpu_features;

FOV_INTERNAL fov_cpu_features fov_cpu_features_detect(void);

#endif

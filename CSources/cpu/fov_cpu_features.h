// Fovea - which vector instructions the processor and the system let this process use.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CPU_FEATURES_H
#define FOV_CPU_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

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

// What the instruction CPUID says of an x86 processor, and which registers the system saves.
//
//   leaf 1     ECX  bits 12 FMA, 27 XGETBV may be used, 28 AVX
//   leaf 7     EBX  bits 5 AVX2, 16 AVX-512 F, 17 DQ, 30 BW, 31 VL
//              ECX  bits 1 VBMI, 11 AVX-512 VNNI
//   leaf 7, 1  EAX  bit 4 AVX-VNNI
//   XCR0            bits 1 xmm, 2 ymm, 5 to 7 masks and zmm
typedef struct fov_x86_words {
  uint32_t leaf1_c;
  uint32_t leaf7_b;
  uint32_t leaf7_c;
  uint32_t leaf7_1_a;
  uint32_t saved;  // XCR0
} fov_x86_words;

// The features that words stand for. It runs on every architecture.
FOV_INTERNAL fov_cpu_features fov_cpu_features_read(const fov_x86_words *words);

#if defined(__x86_64__)

// Asks the processor. In a virtual machine each of its questions takes 7 us and more.
FOV_INTERNAL void fov_x86_words_ask(fov_x86_words *out_words);

// What the C library learned when the program started, less what it was told not to use. False
// where it does not say. Pictures are sampled more often than programs start.
FOV_INTERNAL bool fov_x86_words_recall(fov_x86_words *out_words);

#endif

#endif

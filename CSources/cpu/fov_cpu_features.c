// Fovea - asking the processor for its features, or the system where programs may not ask it.
// SPDX-License-Identifier: Apache-2.0
#include "cpu/fov_cpu_features.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define FOV_LIBRARY_KNOWS
#endif
#endif

#if defined(__x86_64__) && defined(FOV_LIBRARY_KNOWS)

#include <sys/platform/x86.h>

// The C library asked when the program started. The instruction that asks leaves a virtual machine,
// for 7 us and more, and pictures are sampled more often than programs start.
fov_cpu_features fov_cpu_features_detect(void) {
  fov_cpu_features features = {.avx2 = CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA)};
  if (!features.avx2) return features;
  features.avx_vnni = CPU_FEATURE_ACTIVE(AVX_VNNI);
  features.avx512 = CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512DQ) &&
                    CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512VL);
  features.avx512_vnni = features.avx512 && CPU_FEATURE_ACTIVE(AVX512_VNNI);
  features.avx512_vbmi = features.avx512 && CPU_FEATURE_ACTIVE(AVX512_VBMI);
  return features;
}

#elif defined(__x86_64__)

#include <cpuid.h>

// Registers that the system saves when it switches between processes (XCR0).
#define SAVES_YMM 0x06u  // xmm and upper halves
#define SAVES_ZMM 0xE6u  // ... and masks, upper halves of zmm, zmm16-31

static uint32_t saved_registers(void) {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static bool has(uint32_t word, int bit) { return (word >> bit & 1) != 0; }

fov_cpu_features fov_cpu_features_detect(void) {
  fov_cpu_features features = {.avx2 = false};
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return features;
  const bool os_saves = has(c, 27), avx = has(c, 28), fma = has(c, 12);
  if (!os_saves || !avx || !fma) return features;
  const uint32_t saved = saved_registers();
  if ((saved & SAVES_YMM) != SAVES_YMM) return features;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return features;
  const uint32_t subleaves = a;
  features.avx2 = has(b, 5);
  if (!features.avx2) return features;
  if ((saved & SAVES_ZMM) == SAVES_ZMM) {
    features.avx512 = has(b, 16) && has(b, 17) && has(b, 30) && has(b, 31);
    features.avx512_vnni = features.avx512 && has(c, 11);
    features.avx512_vbmi = features.avx512 && has(c, 1);
  }
  if (subleaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) features.avx_vnni = has(a, 4);
  return features;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

// From the kernel's asm/hwcap.h, which older systems have without the newer bits.
#define CAPABILITY_DOTPROD (1ul << 20)  // HWCAP_ASIMDDP
#define CAPABILITY_I8MM (1ul << 13)     // HWCAP2_I8MM

fov_cpu_features fov_cpu_features_detect(void) {
  const bool dotprod = (getauxval(AT_HWCAP) & CAPABILITY_DOTPROD) != 0;
  const bool i8mm = (getauxval(AT_HWCAP2) & CAPABILITY_I8MM) != 0;
  return (fov_cpu_features){.neon = true, .dotprod = dotprod, .i8mm = dotprod && i8mm};
}

#elif defined(__aarch64__) && defined(__APPLE__)

#include <sys/sysctl.h>

static bool has(const char *name) {
  int value = 0;
  size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, NULL, 0) == 0 && value != 0;
}

fov_cpu_features fov_cpu_features_detect(void) {
  const bool dotprod = has("hw.optional.arm.FEAT_DotProd");
  const bool i8mm = has("hw.optional.arm.FEAT_I8MM");
  return (fov_cpu_features){.neon = true, .dotprod = dotprod, .i8mm = dotprod && i8mm};
}

#elif defined(__aarch64__)

fov_cpu_features fov_cpu_features_detect(void) { return (fov_cpu_features){.neon = true}; }

#else

fov_cpu_features fov_cpu_features_detect(void) { return (fov_cpu_features){.neon = false}; }

#endif

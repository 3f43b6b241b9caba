// Fovea - asking the processor for its features, or the system where programs may not ask it.
// SPDX-License-Identifier: Apache-2.0
#include "cpu/fov_cpu_features.h"

#include <stddef.h>

// MARK: The words of an x86 processor

// Registers that the system saves when it switches between processes (XCR0).
#define SAVES_YMM 0x06u  // xmm and upper halves
#define SAVES_ZMM 0xE6u  // ... and masks, upper halves of zmm, zmm16-31

static bool has(uint32_t word, unsigned bit) { return (word >> bit & 1u) != 0; }

fov_cpu_features fov_cpu_features_read(const fov_x86_words *words) {
  fov_cpu_features features = {.avx2 = false};
  const uint32_t basic = words->leaf1_c;
  const bool os_saves = has(basic, 27), avx = has(basic, 28), fma = has(basic, 12);
  if (!os_saves || !avx || !fma || (words->saved & SAVES_YMM) != SAVES_YMM) return features;
  features.avx2 = has(words->leaf7_b, 5);
  if (!features.avx2) return features;
  features.avx_vnni = has(words->leaf7_1_a, 4);
  if ((words->saved & SAVES_ZMM) != SAVES_ZMM) return features;
  const uint32_t wide = words->leaf7_b;
  features.avx512 = has(wide, 16) && has(wide, 17) && has(wide, 30) && has(wide, 31);
  features.avx512_vnni = features.avx512 && has(words->leaf7_c, 11);
  features.avx512_vbmi = features.avx512 && has(words->leaf7_c, 1);
  return features;
}

// MARK: Asking

#if defined(__x86_64__)

#include <cpuid.h>

static uint32_t saved_registers(void) {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

void fov_x86_words_ask(fov_x86_words *out_words) {
  *out_words = (fov_x86_words){0};
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return;
  out_words->leaf1_c = c;
  if (has(c, 27)) out_words->saved = saved_registers();
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
  out_words->leaf7_b = b;
  out_words->leaf7_c = c;
  if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) out_words->leaf7_1_a = a;
}

#if defined(__linux__)

// glibc since 2.33: what the processor says of a leaf, and what of that programs may use. The name
// is weak, and declared here: an object that was compiled with glibc links with any C library.
typedef struct library_leaf {
  uint32_t said[4];    // EAX, EBX, ECX, EDX
  uint32_t active[4];  // the same
} library_leaf;

enum { library_leaf_1 = 0, library_leaf_7 = 1, library_leaf_7_1 = 6 };

extern const library_leaf *__x86_get_cpuid_feature_leaf(unsigned leaf) __attribute__((weak));

bool fov_x86_words_recall(fov_x86_words *out_words) {
  if (__x86_get_cpuid_feature_leaf == NULL) return false;
  const uint32_t *leaf7 = __x86_get_cpuid_feature_leaf(library_leaf_7)->active;
  *out_words = (fov_x86_words){
      .leaf1_c = __x86_get_cpuid_feature_leaf(library_leaf_1)->active[2],
      .leaf7_b = leaf7[1],
      .leaf7_c = leaf7[2],
      .leaf7_1_a = __x86_get_cpuid_feature_leaf(library_leaf_7_1)->active[0],
  };
  if (has(out_words->leaf1_c, 27)) out_words->saved = saved_registers();
  return true;
}

#else

bool fov_x86_words_recall(fov_x86_words *out_words) {
  (void)out_words;
  return false;
}

#endif

fov_cpu_features fov_cpu_features_detect(void) {
  fov_x86_words words;
  if (!fov_x86_words_recall(&words)) fov_x86_words_ask(&words);
  return fov_cpu_features_read(&words);
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

static bool system_has(const char *name) {
  int value = 0;
  size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, NULL, 0) == 0 && value != 0;
}

fov_cpu_features fov_cpu_features_detect(void) {
  const bool dotprod = system_has("hw.optional.arm.FEAT_DotProd");
  const bool i8mm = system_has("hw.optional.arm.FEAT_I8MM");
  return (fov_cpu_features){.neon = true, .dotprod = dotprod, .i8mm = dotprod && i8mm};
}

#elif defined(__aarch64__)

fov_cpu_features fov_cpu_features_detect(void) { return (fov_cpu_features){.neon = true}; }

#else

fov_cpu_features fov_cpu_features_detect(void) { return (fov_cpu_features){.neon = false}; }

#endif

// Fovea - tests of which features the words of a processor stand for.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cpu/fov_cpu_features.h"
#include "fovea/core/fov_types.h"
#include "native_test.h"

// What the instruction CPUID says on machines that are sold, as their makers document it.
static const fov_x86_words ivy_bridge = {0x7FBAE3BF, 0x00000281, 0x00000000, 0x00000000, 0x07};
static const fov_x86_words zen3 = {0x7EFA320B, 0x219C97A9, 0x0040069C, 0x00000000, 0x207};
static const fov_x86_words ice_lake = {0xFFFAFBFF, 0xF2BF27EF, 0x40405F5E, 0x00000000, 0xE7};
static const fov_x86_words zen5 = {0xFFFA3203, 0xF1BF97AB, 0x08405FCE, 0x00000030, 0xE7};
// A processor of notebooks after AVX-512 was left out, with dot products of 256 bits.
static const fov_x86_words alder_lake = {0x7FFAFBFF, 0x239C27EB, 0x98C027AC, 0x00400810, 0x207};

static void check(fov_x86_words words, fov_cpu_features expected) {
  const fov_cpu_features found = fov_cpu_features_read(&words);
  CHECK_EQUAL(found.avx2, expected.avx2);
  CHECK_EQUAL(found.avx_vnni, expected.avx_vnni);
  CHECK_EQUAL(found.avx512, expected.avx512);
  CHECK_EQUAL(found.avx512_vnni, expected.avx512_vnni);
  CHECK_EQUAL(found.avx512_vbmi, expected.avx512_vbmi);
  CHECK(!found.neon && !found.dotprod && !found.i8mm);
}

static void machines(void) {
  check(ivy_bridge, (fov_cpu_features){.avx2 = false});
  check(zen3, (fov_cpu_features){.avx2 = true});
  check(alder_lake, (fov_cpu_features){.avx2 = true, .avx_vnni = true});
  check(ice_lake,
        (fov_cpu_features){.avx2 = true, .avx512 = true, .avx512_vnni = true, .avx512_vbmi = true});
  check(zen5, (fov_cpu_features){.avx2 = true,
                                 .avx_vnni = true,
                                 .avx512 = true,
                                 .avx512_vnni = true,
                                 .avx512_vbmi = true});
}

// Skylake's servers multiply no bytes: AVX-512 alone.
static void wide_vectors_without_dot_products(void) {
  check((fov_x86_words){0x7FFEFBFF, 0xD39FFFFB, 0x00000008, 0, 0xE7},
        (fov_cpu_features){.avx2 = true, .avx512 = true});
}

// A system that does not save the registers takes their features away.
static void systems_that_save_less(void) {
  fov_x86_words words = zen5;
  words.saved = 0x07;
  check(words, (fov_cpu_features){.avx2 = true, .avx_vnni = true});
  words.saved = 0x67;  // no zmm16 to 31
  check(words, (fov_cpu_features){.avx2 = true, .avx_vnni = true});
  words.saved = 0x03;
  check(words, (fov_cpu_features){.avx2 = false});
  words = zen5;
  words.leaf1_c &= ~(UINT32_C(1) << 27);  // nobody can ask what is saved
  check(words, (fov_cpu_features){.avx2 = false});
}

// Each bit that a feature needs is read from its place, the highest of a word, too.
static void single_bits(void) {
  static const struct {
    unsigned word, bit;
    bool keeps_avx2, keeps_avx512;
  } bits[] = {
      {0, 12, false, false}, {0, 28, false, false}, {1, 5, false, false}, {1, 16, true, false},
      {1, 17, true, false},  {1, 30, true, false},  {1, 31, true, false}, {1, 29, true, true},
  };
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
    fov_x86_words words = zen5;
    uint32_t *const word = bits[i].word == 0 ? &words.leaf1_c : &words.leaf7_b;
    *word &= ~(UINT32_C(1) << bits[i].bit);
    const fov_cpu_features found = fov_cpu_features_read(&words);
    CHECK_EQUAL(found.avx2, bits[i].keeps_avx2);
    CHECK_EQUAL(found.avx512, bits[i].keeps_avx512);
    CHECK_EQUAL(found.avx512_vnni, bits[i].keeps_avx512);
  }
  fov_x86_words words = zen5;
  words.leaf7_c = UINT32_C(1) << 11;
  CHECK(fov_cpu_features_read(&words).avx512_vnni && !fov_cpu_features_read(&words).avx512_vbmi);
  words.leaf7_c = UINT32_C(1) << 1;
  CHECK(!fov_cpu_features_read(&words).avx512_vnni && fov_cpu_features_read(&words).avx512_vbmi);
}

#if defined(__x86_64__)

// Both ways of learning the words agree, unless the C library was told to leave out features.
static void library_and_processor_agree(void) {
  fov_x86_words asked, recalled;
  fov_x86_words_ask(&asked);
  if (!fov_x86_words_recall(&recalled)) {
    printf("*** SKIPPED: the C library does not say what the processor has ***\n");
    return;
  }
  const fov_cpu_features one = fov_cpu_features_read(&asked);
  check(recalled, one);
  const fov_cpu_features detected = fov_cpu_features_detect();
  CHECK(memcmp(&one, &detected, sizeof one) == 0);
}

#endif

// In a virtual machine a question to the processor takes longer than a small picture. Where the C
// library has the words, they come from there.
static void detection_asks_the_library(void) {
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(FOVEA_STATIC)
#if __GLIBC_PREREQ(2, 33)
  fov_x86_words words;
  CHECK(fov_x86_words_recall(&words));
#endif
#endif
}

// MARK: Instruction sets

#if defined(__linux__) && defined(__x86_64__)
static char flags[8192];  // of the first processor, between spaces

// What the kernel lets processes use is an answer of its own.
static void check_flags(fov_instruction_set set, const char *const *needed, size_t count) {
  bool has_all = true;
  for (size_t i = 0; i < count; i++) has_all = has_all && strstr(flags, needed[i]);
  CHECK_EQUAL(fov_instruction_set_is_available(set), has_all);
}

static void sets_are_those_of_the_kernel(void) {
  static const char *const names[] = {" avx2 ",     " fma ",      " avx512f ",    " avx512bw ",
                                      " avx512vl ", " avx512dq ", " avx512_vnni "};
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!CHECK(file != NULL)) return;
  while (strncmp(flags, "flags", 5) != 0 && fgets(flags, sizeof flags, file)) continue;
  fclose(file);
  CHECK(strncmp(flags, "flags", 5) == 0);
  flags[strcspn(flags, "\n")] = ' ';
  check_flags(fov_instruction_set_avx2, names, 2);
  check_flags(fov_instruction_set_avx_vnni, (const char *const[]){names[0], names[1], " avx_vnni "},
              3);
  check_flags(fov_instruction_set_avx512, names, 6);
  check_flags(fov_instruction_set_avx512_vnni, names, 7);
}
#endif

int main(void) {
#if defined(__linux__) && defined(__x86_64__)
  RUN(sets_are_those_of_the_kernel);
#endif
  RUN(machines);
  RUN(wide_vectors_without_dot_products);
  RUN(systems_that_save_less);
  RUN(single_bits);
#if defined(__x86_64__)
  RUN(library_and_processor_agree);
#endif
  RUN(detection_asks_the_library);
  return native_test_end();
}

// Fovea - loops that do nothing but multiply and add.
// SPDX-License-Identifier: Apache-2.0
// For clock_gettime.
#define _POSIX_C_SOURCE 200809L
#include "fov_peak_loop.h"

#include <stddef.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

// Enough independent sums for a latency of 5 cycles on 2 units, and to spare.
enum { SUMS = 12 };

// Makes a register's content unknown to the compiler, so that no step is left out or moved.
#if defined(__x86_64__)
#define FOV_OPAQUE(value) __asm__ volatile("" : "+x"(value))
#elif defined(__aarch64__)
#define FOV_OPAQUE(value) __asm__ volatile("" : "+w"(value))
#endif

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// One loop: runs `steps` times SUMS instructions.
typedef void (*peak_loop)(size_t steps);

// multiply_adds: of one instruction.
static double rate(peak_loop loop, double multiply_adds) {
  const size_t steps = 20000;
  loop(steps / 10);
  double best = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    double start = seconds();
    loop(steps);
    double elapsed = seconds() - start;
    double found = (double)steps * SUMS * multiply_adds / elapsed;
    if (elapsed > 0 && found > best) best = found;
  }
  return best;
}

#define FOV_LOOP(name, type, features, zero, factor, step)                     \
  __attribute__((target(features), noinline)) static void name(size_t steps) { \
    type sum[SUMS], left = factor, right = factor;                             \
    for (int i = 0; i < SUMS; ++i) sum[i] = zero;                              \
    for (size_t n = 0; n < steps; ++n) {                                       \
      _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; ++i) {                \
        FOV_OPAQUE(left);                                                      \
        sum[i] = step;                                                         \
      }                                                                        \
    }                                                                          \
    for (int i = 0; i < SUMS; ++i) FOV_OPAQUE(sum[i]);                         \
    (void)right;                                                               \
  }

#if defined(__x86_64__)

FOV_LOOP(fma_256, __m256, "avx2,fma", _mm256_setzero_ps(), _mm256_set1_ps(1e-9f),
         _mm256_fmadd_ps(left, right, sum[i]))
FOV_LOOP(fma_512, __m512, "avx512f", _mm512_setzero_ps(), _mm512_set1_ps(1e-9f),
         _mm512_fmadd_ps(left, right, sum[i]))
FOV_LOOP(bytes_256, __m256i, "avx2", _mm256_setzero_si256(), _mm256_set1_epi8(1),
         _mm256_add_epi32(sum[i], _mm256_madd_epi16(_mm256_maddubs_epi16(left, right),
                                                    _mm256_set1_epi16(1))))
FOV_LOOP(int16_256, __m256i, "avx2", _mm256_setzero_si256(), _mm256_set1_epi16(1),
         _mm256_add_epi32(sum[i], _mm256_madd_epi16(left, right)))
FOV_LOOP(dot_512, __m512i, "avx512f,avx512vnni", _mm512_setzero_si512(), _mm512_set1_epi32(1),
         _mm512_dpbusd_epi32(sum[i], left, right))
FOV_LOOP(dot_256, __m256i, "avx2,avxvnni", _mm256_setzero_si256(), _mm256_set1_epi32(1),
         _mm256_dpbusd_avx_epi32(sum[i], left, right))

double fov_peak_float32(void) {
  if (__builtin_cpu_supports("avx512f")) return rate(fma_512, 16);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return rate(fma_256, 8);
  return 0;
}

// CPUID leaf 7, subleaf 1, EAX bit 4: compilers do not know the name everywhere.
static int has_avx_vnni(void) {
  unsigned eax = 7, ebx = 0, ecx = 1, edx = 0;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return __builtin_cpu_supports("avx2") && (eax >> 4 & 1);
}

double fov_peak_int8(void) {
  if (__builtin_cpu_supports("avx512vnni")) return rate(dot_512, 64);
  if (has_avx_vnni()) return rate(dot_256, 32);
  if (!__builtin_cpu_supports("avx2")) return 0;
  double bytes = rate(bytes_256, 32), words = rate(int16_256, 16);
  return bytes > words ? bytes : words;
}

#elif defined(__aarch64__)

FOV_LOOP(fma_128, float32x4_t, "arch=armv8-a", vdupq_n_f32(0), vdupq_n_f32(1e-9f),
         vfmaq_f32(sum[i], left, right))

double fov_peak_float32(void) { return rate(fma_128, 4); }

#if defined(__linux__) && defined(HWCAP_ASIMDDP)
FOV_LOOP(dot_128, int32x4_t, "arch=armv8.2-a+dotprod", vdupq_n_s32(0), vdupq_n_s32(1),
         vdotq_s32(sum[i], vreinterpretq_s8_s32(left), vreinterpretq_s8_s32(right)))

double fov_peak_int8(void) { return getauxval(AT_HWCAP) & HWCAP_ASIMDDP ? rate(dot_128, 16) : 0; }
#else
double fov_peak_int8(void) { return 0; }
#endif

#else

double fov_peak_float32(void) { return 0; }
double fov_peak_int8(void) { return 0; }

#endif

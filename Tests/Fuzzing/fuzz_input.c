// Fovea - numbers from the bytes that a fuzzer has chosen.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_input.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

uint8_t fuzz_byte(fuzz_input *input) {
  if (input->left == 0) return 0;
  input->left--;
  return *input->at++;
}

uint32_t fuzz_u32(fuzz_input *input) {
  uint32_t bits = 0;
  for (int i = 0; i < 4; i++) bits |= (uint32_t)fuzz_byte(input) << (8 * i);
  return bits;
}

size_t fuzz_between(fuzz_input *input, size_t low, size_t high) {
  return low + fuzz_byte(input) % (high - low + 1);
}

bool fuzz_bool(fuzz_input *input) { return fuzz_byte(input) & 1; }

// MARK: Numbers

size_t fuzz_wild_size(fuzz_input *input) {
  static const size_t boundaries[] = {
      16,
      63,
      64,
      255,
      256,
      65535,
      65536,
      (size_t)1 << 20,
      (size_t)INT32_MAX - 1,
      INT32_MAX,
      (size_t)INT32_MAX + 1,
      UINT32_MAX,
      (size_t)UINT32_MAX + 1,
      (size_t)1 << 40,
      SIZE_MAX / 8,
      SIZE_MAX / 4,
      SIZE_MAX / 4 + 1,
      SIZE_MAX / 2,
      SIZE_MAX / 2 + 1,
      SIZE_MAX - 63,
      SIZE_MAX - 1,
      SIZE_MAX,
  };
  const uint8_t choice = fuzz_byte(input);
  return choice < 128 ? choice % 9 : boundaries[choice % COUNT(boundaries)];
}

int64_t fuzz_wild_integer(fuzz_input *input) {
  static const int64_t boundaries[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, INT32_MAX,
                                       INT64_MAX, INT64_MAX - 1, -65536,    65536};
  const uint8_t choice = fuzz_byte(input);
  return choice < 128 ? choice % 17 - 8 : boundaries[choice % COUNT(boundaries)];
}

float fuzz_tame_float(fuzz_input *input) {
  const uint8_t choice = fuzz_byte(input);
  const float magnitude = ldexpf(1.0f + (float)(choice & 3) * 0.25f, (choice >> 2) % 19 - 10);
  return choice == 0 ? 0.0f : choice & 0x80 ? -magnitude : magnitude;
}

static const float wild_floats[] = {
    NAN,       INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN,       -FLT_MIN,       1e-45f,
    0x1p-126f, 1e30f,    -1e30f,    1e-30f,  1e9f,     -1e9f,         0.0f,           -0.0f,
    1.0f,      -1.0f,    0.5f,      255.0f,  256.0f,   2147483648.0f, -2147483648.0f, 16777217.0f,
};

float fuzz_wild_float(fuzz_input *input) {
  const uint8_t choice = fuzz_byte(input);
  if (choice < 0xC0) return wild_floats[choice % COUNT(wild_floats)];
  const uint32_t bits = fuzz_u32(input);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double fuzz_wild_double(fuzz_input *input) {
  static const double boundaries[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 1e300,  -1e300,  1e-300, 0x1p-20,
                                      0x1p31,  -0x1p31,  0x1p53,  0x1p63, -0x1p63, 1e18,   1e-9};
  const uint8_t choice = fuzz_byte(input);
  if (choice < 64) return fuzz_wild_float(input);
  if (choice < 192) return boundaries[choice % COUNT(boundaries)];
  const uint64_t low = fuzz_u32(input), bits = low | (uint64_t)fuzz_u32(input) << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// MARK: Noise

uint32_t fuzz_noise_bits(fuzz_noise *noise) {
  noise->state = noise->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(noise->state >> 32);
}

float fuzz_noise_float(fuzz_noise *noise) {
  return (float)(fuzz_noise_bits(noise) >> 8) * 0x1p-23f - 1.0f;
}

// MARK: Findings

void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("finding: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

void *fuzz_allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, bytes ? bytes : 1) != 0) {
    fputs("no memory for an input\n", stderr);
    exit(1);
  }
  return memory;
}

void *fuzz_copy(const void *bytes, size_t count) {
  void *copy = fuzz_allocate(count);
  if (count > 0) memcpy(copy, bytes, count);
  return copy;
}

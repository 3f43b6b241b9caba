// Fovea - numbers from the bytes that a fuzzer has chosen.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is left of an input. Behind its end there are zeros.
typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input);
uint32_t fuzz_u32(fuzz_input *input);

// low ... high, from one byte.
size_t fuzz_between(fuzz_input *input, size_t low, size_t high);
bool fuzz_bool(fuzz_input *input);

// A number at which sizes go wrong: 0, 1, small ones, powers of two and their neighbors, the
// greatest.
size_t fuzz_wild_size(fuzz_input *input);
int64_t fuzz_wild_integer(fuzz_input *input);

// A number that arithmetic bears: 0 or a magnitude of 2^-10 ... 2^8.
float fuzz_tame_float(fuzz_input *input);
// Any: not-a-number, infinities, the greatest, the least, subnormal, or four bytes as they are.
float fuzz_wild_float(fuzz_input *input);
double fuzz_wild_double(fuzz_input *input);

// MARK: Noise

// Numbers that follow from a seed, for arrays: bytes of an input would be spent on them in vain.
typedef struct fuzz_noise {
  uint64_t state;
} fuzz_noise;

uint32_t fuzz_noise_bits(fuzz_noise *noise);
// -1 ... 1
float fuzz_noise_float(fuzz_noise *noise);

// MARK: Findings

// Says what is wrong and ends the program, as a sanitizer does.
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Memory of exactly so many bytes, at a multiple of 64: a sanitizer sees what reaches beyond. The
// caller frees it.
void *fuzz_allocate(size_t bytes);
void *fuzz_copy(const void *bytes, size_t count);

#endif

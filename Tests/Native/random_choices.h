// Fovea - random choices of tests in C, which depend on nothing but their seed.
// SPDX-License-Identifier: Apache-2.0
#ifndef RANDOM_CHOICES_H
#define RANDOM_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct chance {
  uint64_t state;
} chance;

static inline uint32_t chance_bits(chance *chance) {
  // splitmix64
  uint64_t z = chance->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ (z >> 31)) >> 16);
}

// 0 ... bound - 1
static inline size_t chance_below(chance *chance, size_t bound) {
  return chance_bits(chance) % bound;
}

// low ... high
static inline size_t chance_between(chance *chance, size_t low, size_t high) {
  return low + chance_below(chance, high - low + 1);
}

static inline bool chance_bool(chance *chance) { return chance_bits(chance) & 1; }

static inline float chance_float(chance *chance, float low, float high) {
  return low + (high - low) * (float)(chance_bits(chance) >> 8) * 0x1p-24f;
}

// Puts the elements in any order.
static inline void chance_shuffle(chance *chance, size_t *elements, size_t count) {
  for (size_t i = count; i > 1; i--) {
    const size_t j = chance_below(chance, i), kept = elements[i - 1];
    elements[i - 1] = elements[j];
    elements[j] = kept;
  }
}

#endif

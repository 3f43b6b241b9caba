// Fovea - sorting numbers by their upper halves.
// SPDX-License-Identifier: Apache-2.0
#include "detect/fov_key_order.h"

#include <stdbool.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

// Up to so many keys, clearing the counts of the digits takes longer than all.
#define FEW 64

static void insertion_sort(uint64_t *keys, size_t count) {
  for (size_t end = 1; end < count; end++) {
    const uint64_t key = keys[end];
    size_t place = end;
    for (; place > 0 && keys[place - 1] > key; place--) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

static size_t digit_of(uint64_t key, unsigned shift) { return key >> shift & (DIGITS - 1); }

// A stable sort by one digit. False if all keys have the same one: nothing is written then.
static bool sort_by_digit(const uint64_t *keys, uint64_t *out_keys, size_t count, unsigned shift) {
  uint32_t starts[DIGITS] = {0};
  for (size_t i = 0; i < count; i++) starts[digit_of(keys[i], shift)]++;
  if (starts[digit_of(keys[0], shift)] == count) return false;
  uint32_t start = 0;
  for (size_t digit = 0; digit < DIGITS; digit++) {
    start += starts[digit];
    starts[digit] = start - starts[digit];
  }
  for (size_t i = 0; i < count; i++) out_keys[starts[digit_of(keys[i], shift)]++] = keys[i];
  return true;
}

uint64_t *fov_keys_sort(uint64_t *keys, uint64_t *spare, size_t count) {
  if (count <= FEW) {
    insertion_sort(keys, count);
    return keys;
  }
  for (unsigned shift = 32; shift < 64; shift += DIGIT_BITS) {
    if (!sort_by_digit(keys, spare, count, shift)) continue;
    uint64_t *sorted = spare;
    spare = keys;
    keys = sorted;
  }
  return keys;
}

// Fovea - a checksum that finds damaged bytes.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_checksum.h"

#include <string.h>

#define LANES (FOV_CHECKSUM_BLOCK / 8)

// An odd number with bits that look random.
#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static inline uint64_t mix(uint64_t lane, uint64_t word) {
  return rotate((lane ^ word) * FACTOR, 29);
}

// Little-endian on every machine.
static inline uint64_t int16_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

void fov_checksum_begin(fov_checksum *checksum) {
  for (uint64_t i = 0; i < LANES; i++) checksum->lanes[i] = (i + 1) * FACTOR;
  checksum->count = 0;
}

static void add_blocks(uint64_t lanes[LANES], const uint8_t *bytes, size_t blocks) {
  uint64_t a[LANES];
  memcpy(a, lanes, sizeof a);
  for (size_t i = 0; i < blocks; i++, bytes += FOV_CHECKSUM_BLOCK) {
    for (size_t j = 0; j < LANES; j++) a[j] = mix(a[j], int16_at(bytes + 8 * j));
  }
  memcpy(lanes, a, sizeof a);
}

void fov_checksum_add(fov_checksum *checksum, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  const size_t blocks = count / FOV_CHECKSUM_BLOCK, rest = count % FOV_CHECKSUM_BLOCK;
  add_blocks(checksum->lanes, from, blocks);
  if (rest > 0) {
    uint8_t last[FOV_CHECKSUM_BLOCK] = {0};
    memcpy(last, from + blocks * FOV_CHECKSUM_BLOCK, rest);
    add_blocks(checksum->lanes, last, 1);
  }
  checksum->count += count;
}

uint64_t fov_checksum_finish(const fov_checksum *checksum) {
  uint64_t result = checksum->count;
  for (size_t i = 0; i < LANES; i++) result = mix(result, checksum->lanes[i]);
  result = (result ^ result >> 32) * FACTOR;
  return result ^ result >> 29;
}

uint64_t fov_checksum_of(const void *bytes, size_t count) {
  fov_checksum checksum;
  fov_checksum_begin(&checksum);
  fov_checksum_add(&checksum, bytes, count);
  return fov_checksum_finish(&checksum);
}

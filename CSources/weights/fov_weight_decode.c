// Fovea - decoding codes of 1 to 8 bits, and half-precision floats.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_decode.h"

#include <string.h>

#include "base/fov_size.h"

// Codes that are decoded together on the stack: enough to make the loop cheap, few enough for the
// stack of any thread.
#define CODE_RUN 256

// IEEE binary16 to binary32, exactly, infinities and not-a-number included.
static float half_to_float(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1Fu;
  uint32_t fraction = half & 0x3FFu;
  uint32_t bits;
  if (exponent == 0x1F) {
    bits = sign | 0x7F800000u | (fraction << 13);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112) << 23) | (fraction << 13);
  } else if (fraction != 0) {
    uint32_t shift = 0;
    while (!(fraction & 0x400u)) {
      fraction <<= 1;
      shift++;
    }
    bits = sign | ((113 - shift) << 23) | ((fraction & 0x3FFu) << 13);
  } else {
    bits = sign;
  }
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The store has a spare byte, so that two can be read.
void fov_weight_codes(const fov_weight_store *store, size_t first, size_t count,
                      uint8_t *restrict out) {
  const uint32_t bits = store->bits;
  if (bits == 8) {
    memcpy(out, store->codes + first, count);
    return;
  }
  const uint32_t mask = (1u << bits) - 1;
  // The bit position is split so that it cannot overflow: 8 codes take exactly `bits` bytes.
  const uint8_t *bytes = store->codes + first / 8 * bits;
  uint32_t position = (uint32_t)(first % 8) * bits;
  for (size_t i = 0; i < count; i++, position += bits) {
    const uint8_t *at = bytes + position / 8;
    const uint32_t pair = ((uint32_t)at[0] << 8) | at[1];
    out[i] = (uint8_t)((pair >> (16 - position % 8 - bits)) & mask);
  }
}

// Eight codes at a time: one load for all of them instead of one for each.
static void decode_table(const float *restrict table, const uint8_t *restrict codes, size_t count,
                         float *restrict out) {
  size_t i = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; i + 8 <= count; i += 8) {
    uint64_t word;
    memcpy(&word, codes + i, sizeof word);
    for (size_t k = 0; k < 8; k++) out[i + k] = table[(word >> (8 * k)) & 0xFF];
  }
#endif
  for (; i < count; i++) out[i] = table[codes[i]];
}

// Elements of one channel are neighbors. A run of codes ends where the channel changes.
static void decode_linear(const fov_weight_store *store, const uint8_t *codes, size_t first,
                          size_t count, float *restrict out) {
  size_t done = 0;
  while (done < count) {
    const size_t index = first + done;
    const size_t channel = index / store->channel_stride % store->channel_count;
    const size_t left = store->channel_stride - index % store->channel_stride;
    const size_t run = fov_size_min(left, count - done);
    const double scale = store->scale[channel];
    const double bias = store->bias[channel];
    for (size_t i = 0; i < run; i++) out[done + i] = (float)(codes[done + i] * scale + bias);
    done += run;
  }
}

static void decode_bytes(const fov_weight_store *store, const uint8_t *codes, size_t first,
                         size_t count, float *restrict out) {
  if (store->encoding == fov_weight_encoding_lookup_table) {
    decode_table(store->table, codes, count, out);
  } else {
    decode_linear(store, codes, first, count, out);
  }
}

static void decode_codes(const fov_weight_store *store, size_t first, size_t count,
                         float *restrict out) {
  if (store->bits == 8) {
    decode_bytes(store, store->codes + first, first, count, out);
    return;
  }
  uint8_t unpacked[CODE_RUN];
  for (size_t done = 0; done < count; done += CODE_RUN) {
    const size_t run = fov_size_min(CODE_RUN, count - done);
    fov_weight_codes(store, first + done, run, unpacked);
    decode_bytes(store, unpacked, first + done, run, out + done);
  }
}

void fov_weight_decode(const fov_weight_store *store, size_t first, size_t count,
                       float *restrict out) {
  switch (store->encoding) {
    case fov_weight_encoding_float32:
      memcpy(out, store->codes + first * sizeof(float), count * sizeof(float));
      return;
    case fov_weight_encoding_float16:
      for (size_t i = 0; i < count; i++) {
        const uint8_t *at = store->codes + (first + i) * 2;
        out[i] = half_to_float((uint16_t)(at[0] | at[1] << 8));
      }
      return;
    case fov_weight_encoding_lookup_table:
    case fov_weight_encoding_linear: decode_codes(store, first, count, out); return;
  }
}

void fov_weight_prefetch(const fov_weight_store *store, size_t first, size_t count) {
#if defined(__GNUC__)
  const uint8_t *bytes = store->codes + first / 8 * store->bits;
  for (size_t offset = 0; offset < count / 8 * store->bits; offset += FOV_ALIGNMENT) {
    __builtin_prefetch(bytes + offset);
  }
#else
  (void)store, (void)first, (void)count;
#endif
}

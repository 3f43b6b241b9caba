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

// Codes [first, first + count). The store has a spare byte, so that two can be read.
static void unpack(const fov_weight_store *store, size_t first, size_t count,
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

// Codes of vectors are repeated: those of `code_step` weights follow one another.
void fov_weight_codes(const fov_weight_store *store, size_t first, size_t count,
                      uint8_t *restrict out) {
  const fov_weight_parts *parts = &store->parts;
  if (parts->vector == 1) {
    unpack(store, first, count, out);
    return;
  }
  for (size_t done = 0; done < count;) {
    const size_t left = parts->code_step - (first + done) % parts->code_step;
    const size_t run = fov_size_min(left, count - done);
    unpack(store, fov_weight_parts_code(parts, first + done), run, out + done);
    done += run;
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

static void decode_linear(double scale, double bias, const uint8_t *restrict codes, size_t count,
                          float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (float)(codes[i] * scale + bias);
}

// Codes of one part, whose table or scale is at `begin`.
static inline void decode_part(const fov_weight_store *store, size_t begin, const uint8_t *codes,
                               size_t count, float *restrict out) {
  if (store->encoding == fov_weight_encoding_lookup_table) {
    decode_table(store->table + begin, codes, count, out);
  } else {
    decode_linear(store->scale[begin], store->bias[begin], codes, count, out);
  }
}

// Every weight has another part than its neighbors.
static void decode_alone(const fov_weight_store *store, size_t row_begin, const uint32_t *columns,
                         const uint8_t *codes, size_t count, float *restrict out) {
  if (store->encoding == fov_weight_encoding_lookup_table) {
    const float *table = store->table + row_begin;
    for (size_t i = 0; i < count; i++) out[i] = table[columns[i] + codes[i]];
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t begin = row_begin + columns[i];
    out[i] = (float)(codes[i] * (double)store->scale[begin] + (double)store->bias[begin]);
  }
}

// Codes of weights of one row.
static inline void decode_row(const fov_weight_store *store, size_t row, size_t column,
                              const uint8_t *codes, size_t count, float *restrict out) {
  const fov_weight_parts *parts = &store->parts;
  const size_t row_begin = fov_weight_parts_row(parts, row);
  if (!parts->columns) {
    decode_part(store, row_begin, codes, count, out);
    return;
  }
  if (parts->run == 1) {
    decode_alone(store, row_begin, parts->columns + column, codes, count, out);
    return;
  }
  const uint32_t *begin = parts->columns + column / parts->run;
  size_t left = parts->run - column % parts->run;
  if (count <= left) {
    decode_part(store, row_begin + *begin, codes, count, out);
    return;
  }
  for (size_t done = 0; done < count; begin++, left = parts->run) {
    const size_t run = fov_size_min(left, count - done);
    decode_part(store, row_begin + *begin, codes + done, run, out + done);
    done += run;
  }
}

// Codes of one table need no rows.
static void decode_one_table(const fov_weight_store *store, size_t first, size_t count,
                             float *restrict out) {
  if (store->bits == 8) {
    decode_table(store->table, store->codes + first, count, out);
    return;
  }
  uint8_t unpacked[CODE_RUN];
  for (size_t done = 0; done < count; done += CODE_RUN) {
    const size_t run = fov_size_min(CODE_RUN, count - done);
    unpack(store, first + done, run, unpacked);
    decode_table(store->table, unpacked, run, out + done);
  }
}

static void decode_codes(const fov_weight_store *store, size_t row, size_t column, size_t count,
                         float *restrict out) {
  const size_t first = row * store->columns + column;
  if (store->table && store->parts.numbers == store->parts.entries) {
    decode_one_table(store, first, count, out);
    return;
  }
  if (store->bits == 8 && store->parts.vector == 1) {
    decode_row(store, row, column, store->codes + first, count, out);
    return;
  }
  uint8_t unpacked[CODE_RUN];
  for (size_t done = 0; done < count; done += CODE_RUN) {
    const size_t run = fov_size_min(CODE_RUN, count - done);
    if (store->parts.vector == 1) {
      unpack(store, first + done, run, unpacked);
    } else {
      fov_weight_codes(store, first + done, run, unpacked);
    }
    decode_row(store, row, column + done, unpacked, run, out + done);
  }
}

void fov_weight_decode(const fov_weight_store *store, size_t row, size_t column, size_t count,
                       float *restrict out) {
  const size_t first = row * store->columns + column;
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
    case fov_weight_encoding_linear: decode_codes(store, row, column, count, out); return;
  }
}

void fov_weight_prefetch(const fov_weight_store *store, size_t first, size_t count) {
#if defined(__GNUC__)
  const size_t code = fov_weight_parts_code(&store->parts, first);
  const uint8_t *bytes = store->codes + code / 8 * store->bits;
  for (size_t offset = 0; offset < count / 8 * store->bits; offset += FOV_ALIGNMENT) {
    __builtin_prefetch(bytes + offset);
  }
#else
  (void)store, (void)first, (void)count;
#endif
}

// Fovea - keeping weights in the encoding of the file.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_store.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "weights/fov_weight_decode.h"

// Bits of one stored element; 0 for an encoding with a number of bits that it cannot have.
static uint32_t element_bits(const fov_weights *weights) {
  switch (weights->encoding) {
    case fov_weight_encoding_float32: return 32;
    case fov_weight_encoding_float16: return 16;
    case fov_weight_encoding_lookup_table:
    case fov_weight_encoding_linear: return weights->bits <= 8 ? weights->bits : 0;
  }
  return 0;
}

// ceil(elements * bits / 8); false when it does not fit.
static bool encoded_bytes(size_t elements, uint32_t bits, size_t *out_bytes) {
  size_t whole, rest = (elements % 8) * bits;
  if (!fov_size_multiply(elements / 8, bits, &whole)) return false;
  return fov_size_add(whole, (rest + 7) / 8, out_bytes);
}

static fov_status check_quantization(const fov_weights *weights, size_t channel_count,
                                     fov_diagnostic *diagnostic) {
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    const size_t entries = (size_t)1 << weights->bits;
    if (!weights->table || weights->table_count != entries) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "a table for %u-bit codes has %zu entries, found %zu", weights->bits, entries,
                      weights->table_count);
    }
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    if (!weights->scale || (weights->scale_count != 1 && weights->scale_count != channel_count)) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "expected 1 scale or one for each of %zu output channels, found %zu",
                      channel_count, weights->scale_count);
    }
    if (weights->bias_count != 0 && weights->bias_count != weights->scale_count) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "expected as many quantization biases as scales (%zu) or none, found %zu",
                      weights->scale_count, weights->bias_count);
    }
  }
  return fov_status_ok;
}

static fov_status check_weights(const fov_weights *weights, size_t rows, size_t columns,
                                size_t channel_count, size_t *out_bytes,
                                fov_diagnostic *diagnostic) {
  const uint32_t bits = element_bits(weights);
  if (bits == 0) {
    return fov_fail(diagnostic, fov_status_invalid_weights, "codes have 1 to 8 bits, found %u",
                    weights->bits);
  }
  size_t elements;
  if (!fov_size_multiply(rows, columns, &elements) || !encoded_bytes(elements, bits, out_bytes)) {
    return fov_fail(diagnostic, fov_status_overflow, "%zu x %zu weights overflow", rows, columns);
  }
  if (weights->data_bytes < *out_bytes) {
    return fov_fail(diagnostic, fov_status_invalid_weights,
                    "%zu x %zu weights need %zu bytes, found %zu", rows, columns, *out_bytes,
                    weights->data_bytes);
  }
  return check_quantization(weights, channel_count, diagnostic);
}

// One value per channel from one value or one per channel; NULL without memory.
static float *expand(const float *values, size_t count, size_t channel_count) {
  float *expanded = fov_allocate_array(channel_count, sizeof(float));
  if (!expanded || count == 0) return expanded;
  for (size_t c = 0; c < channel_count; c++) expanded[c] = values[count == 1 ? 0 : c];
  return expanded;
}

fov_status fov_weight_store_create(const fov_weights *weights, size_t rows, size_t columns,
                                   size_t channel_stride, size_t channel_count,
                                   fov_weight_store *out_store, fov_diagnostic *diagnostic) {
  size_t bytes = 0;
  *out_store = (fov_weight_store){0};
  FOV_FORWARD(check_weights(weights, rows, columns, channel_count, &bytes, diagnostic));
  fov_weight_store store = {
      .encoding = weights->encoding,
      .bits = element_bits(weights),
      .rows = rows,
      .columns = columns,
      .channel_stride = channel_stride,
      .channel_count = channel_count,
      .code_bytes = bytes,
  };
  // With a spare byte, the last code too can be read as part of two bytes.
  bool complete = (store.codes = fov_allocate(bytes + 1)) != NULL;
  if (complete) memcpy(store.codes, weights->data, bytes);
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    store.table = fov_allocate_copy(weights->table, weights->table_count * sizeof(float));
    complete = complete && store.table;
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    store.scale = expand(weights->scale, weights->scale_count, channel_count);
    store.bias = expand(weights->bias, weights->bias_count, channel_count);
    complete = complete && store.scale && store.bias;
  }
  if (!complete) {
    fov_weight_store_release(&store);
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for %zu bytes of weights",
                    bytes);
  }
  *out_store = store;
  return fov_status_ok;
}

void fov_weight_store_release(fov_weight_store *store) {
  fov_release(store->codes);
  fov_release(store->table);
  fov_release(store->scale);
  fov_release(store->bias);
  fov_release(store->row_factor);
  *store = (fov_weight_store){0};
}

fov_status fov_weight_store_scale_rows(fov_weight_store *store, const float *factor) {
  if (store->encoding == fov_weight_encoding_float32) {
    float *weights = (float *)(void *)store->codes;
    for (size_t r = 0; r < store->rows; r++) {
      for (size_t c = 0; c < store->columns; c++) weights[r * store->columns + c] *= factor[r];
    }
    return fov_status_ok;
  }
  if (!store->row_factor) {
    store->row_factor = fov_allocate_copy(factor, store->rows * sizeof(float));
    return store->row_factor ? fov_status_ok : fov_status_out_of_memory;
  }
  for (size_t r = 0; r < store->rows; r++) store->row_factor[r] *= factor[r];
  return fov_status_ok;
}

fov_status fov_weight_store_expand(fov_weight_store *store) {
  if (store->encoding == fov_weight_encoding_float32) return fov_status_ok;
  size_t bytes;
  if (!fov_size_multiply(store->rows * store->columns, sizeof(float), &bytes)) {
    return fov_status_overflow;
  }
  uint8_t *floats = fov_allocate(bytes + 1);
  if (!floats) return fov_status_out_of_memory;
  fov_weight_store_panel(store, 0, store->rows, 0, store->columns, (float *)(void *)floats);
  const fov_weight_store expanded = {
      .encoding = fov_weight_encoding_float32,
      .bits = 32,
      .rows = store->rows,
      .columns = store->columns,
      .channel_stride = store->channel_stride,
      .channel_count = store->channel_count,
      .codes = floats,
      .code_bytes = bytes,
  };
  fov_weight_store_release(store);
  *store = expanded;
  return fov_status_ok;
}

size_t fov_weight_store_bytes(const fov_weight_store *store) {
  size_t bytes = store->code_bytes;
  if (store->table) bytes += sizeof(float) << store->bits;
  if (store->scale) bytes += 2 * store->channel_count * sizeof(float);
  if (store->row_factor) bytes += store->rows * sizeof(float);
  return bytes;
}

const float *fov_weight_store_floats(const fov_weight_store *store) {
  return store->encoding == fov_weight_encoding_float32 ? (const float *)(void *)store->codes
                                                        : NULL;
}

void fov_weight_store_panel(const fov_weight_store *store, size_t row, size_t row_count,
                            size_t column, size_t column_count, float *restrict out_panel) {
  for (size_t r = 0; r < row_count; r++) {
    float *restrict out = out_panel + r * column_count;
    const size_t first = (row + r) * store->columns + column;
    if (r + 1 < row_count) fov_weight_prefetch(store, first + store->columns, column_count);
    fov_weight_decode(store, first, column_count, out);
    if (!store->row_factor) continue;
    const float factor = store->row_factor[row + r];
    for (size_t c = 0; c < column_count; c++) out[c] *= factor;
  }
}

static void archive_floats(fov_archive *archive, float **floats, size_t count) {
  fov_archive_block_owned(archive, (void **)floats, count, sizeof(float), 0);
}

void fov_weight_store_archive(fov_archive *archive, fov_weight_store *store) {
  bool has_factors = store->row_factor != NULL;
  FOV_ARCHIVE_ENUM(archive, store->encoding, fov_weight_encoding_linear);
  fov_archive_u32(archive, &store->bits);
  fov_archive_bool(archive, &has_factors);
  if (fov_archive_reads(archive)) {
    const fov_weights claimed = {.encoding = store->encoding, .bits = store->bits};
    size_t elements;
    if (element_bits(&claimed) == 0 || element_bits(&claimed) != store->bits ||
        !fov_size_multiply(store->rows, store->columns, &elements) ||
        !encoded_bytes(elements, store->bits, &store->code_bytes)) {
      fov_archive_fail(archive, fov_status_invalid_weights,
                       "weights in the file have no encoding that exists");
    }
  }
  fov_archive_block_owned(archive, (void **)&store->codes, store->code_bytes, 1, 1);
  if (store->encoding == fov_weight_encoding_lookup_table) {
    archive_floats(archive, &store->table, (size_t)1 << (store->bits & 15));
  }
  if (store->encoding == fov_weight_encoding_linear) {
    archive_floats(archive, &store->scale, store->channel_count);
    archive_floats(archive, &store->bias, store->channel_count);
  }
  if (has_factors) archive_floats(archive, &store->row_factor, store->rows);
}

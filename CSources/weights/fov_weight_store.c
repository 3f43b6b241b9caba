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

static bool has_codes(fov_weight_encoding encoding) {
  return encoding == fov_weight_encoding_lookup_table || encoding == fov_weight_encoding_linear;
}

// ceil(elements * bits / 8); false when it does not fit.
static bool encoded_bytes(size_t elements, uint32_t bits, size_t *out_bytes) {
  size_t whole, rest = (elements % 8) * bits;
  if (!fov_size_multiply(elements / 8, bits, &whole)) return false;
  return fov_size_add(whole, (rest + 7) / 8, out_bytes);
}

// Sizes that follow from the dimensions and the vectors.
static bool measure(fov_weight_store *store) {
  const size_t *dims = store->parts.dims;
  size_t elements;
  store->rows = dims[0];
  return fov_size_multiply(dims[1], dims[2], &store->columns) &&
         fov_size_multiply(store->columns, dims[3], &store->columns) &&
         fov_size_multiply(store->rows, store->columns, &elements) &&
         encoded_bytes(elements / store->parts.vector, store->bits, &store->code_bytes);
}

static size_t entries_of(const fov_weight_store *store) {
  return store->encoding == fov_weight_encoding_lookup_table ? (size_t)1 << store->bits : 1;
}

// What the description says of parts, and what its zeros mean.
static fov_weight_parts describe_parts(const fov_weights *weights, const size_t dims[4],
                                       size_t channel_axis) {
  fov_weight_parts parts = {.vector = weights->vector ? weights->vector : 1,
                            .vector_axis = weights->vector_axis};
  bool are_given = false;
  for (size_t axis = 0; axis < 4; axis++) {
    are_given = are_given || weights->parts[axis] != 0;
    parts.dims[axis] = dims[axis];
    parts.counts[axis] = weights->parts[axis] ? weights->parts[axis] : 1;
  }
  const bool is_linear = weights->encoding == fov_weight_encoding_linear;
  if (!are_given && is_linear && weights->scale_count == dims[channel_axis]) {
    parts.counts[channel_axis] = dims[channel_axis] ? dims[channel_axis] : 1;
  }
  return parts;
}

static fov_status check_quantization(const fov_weights *weights, const fov_weight_parts *parts,
                                     size_t channels, fov_diagnostic *diagnostic) {
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    if (!weights->table || weights->table_count != parts->numbers) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "%zu of %zu entries in the tables of %u-bit codes", weights->table_count,
                      parts->numbers, weights->bits);
    }
    return fov_status_ok;
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    if (!weights->scale || weights->scale_count != parts->numbers) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "%zu scales in %zu parts of weights with %zu output channels",
                      weights->scale_count, parts->numbers, channels);
    }
    if (weights->bias_count != 0 && weights->bias_count != weights->scale_count) {
      return fov_fail(diagnostic, fov_status_invalid_weights,
                      "expected as many quantization biases as scales (%zu) or none, found %zu",
                      weights->scale_count, weights->bias_count);
    }
  }
  if (weights->encoding != fov_weight_encoding_lookup_table && parts->vector > 1) {
    return fov_fail(diagnostic, fov_status_invalid_weights, "vectors of %zu without tables",
                    parts->vector);
  }
  if (!has_codes(weights->encoding) && parts->numbers > 1) {
    return fov_fail(diagnostic, fov_status_invalid_weights, "%zu parts of floats", parts->numbers);
  }
  return fov_status_ok;
}

static fov_status check_weights(const fov_weights *weights, fov_weight_store *store,
                                size_t channel_axis, fov_diagnostic *diagnostic) {
  const size_t *dims = store->parts.dims;
  if (store->bits == 0) {
    return fov_fail(diagnostic, fov_status_invalid_weights, "codes have 1 to 8 bits, found %u",
                    weights->bits);
  }
  if (!measure(store)) {
    return fov_fail(diagnostic, fov_status_overflow, "%zu x %zu x %zu x %zu weights overflow",
                    dims[0], dims[1], dims[2], dims[3]);
  }
  if (weights->data_bytes < store->code_bytes) {
    return fov_fail(diagnostic, fov_status_invalid_weights,
                    "%zu x %zu weights need %zu bytes, found %zu", store->rows, store->columns,
                    store->code_bytes, weights->data_bytes);
  }
  store->parts.entries = entries_of(store);
  FOV_FORWARD(fov_weight_parts_plan(&store->parts, diagnostic));
  return check_quantization(weights, &store->parts, dims[channel_axis], diagnostic);
}

// Tables of vectors become tables of their first numbers, of their second numbers and so on.
static float *copy_tables(const float *from, const fov_weight_parts *parts) {
  const size_t vector = parts->vector, entries = parts->entries;
  float *tables = fov_allocate_array(parts->numbers, sizeof(float));
  for (size_t i = 0; tables && i < parts->numbers; i++) {
    const size_t part = i / (entries * vector), place = i / entries % vector, code = i % entries;
    tables[i] = from[(part * entries + code) * vector + place];
  }
  return tables;
}

// Copies of numbers, zeros without any; NULL without memory.
static float *copy_numbers(const float *from, size_t count, size_t numbers) {
  return count ? fov_allocate_copy(from, numbers * sizeof(float))
               : fov_allocate_array(numbers, sizeof(float));
}

static bool copy(const fov_weights *weights, fov_weight_store *store) {
  const size_t numbers = store->parts.numbers;
  // With a spare byte, the last code too can be read as part of two bytes.
  bool complete = (store->codes = fov_allocate(store->code_bytes + 1)) != NULL;
  if (complete) memcpy(store->codes, weights->data, store->code_bytes);
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    store->table = copy_tables(weights->table, &store->parts);
    complete = complete && store->table;
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    store->scale = copy_numbers(weights->scale, weights->scale_count, numbers);
    store->bias = copy_numbers(weights->bias, weights->bias_count, numbers);
    complete = complete && store->scale && store->bias;
  }
  return complete && fov_weight_parts_fill(&store->parts) == fov_status_ok;
}

fov_status fov_weight_store_create(const fov_weights *weights, const size_t dims[4],
                                   size_t channel_axis, fov_weight_store *out_store,
                                   fov_diagnostic *diagnostic) {
  *out_store = (fov_weight_store){0};
  fov_weight_store store = {
      .encoding = weights->encoding,
      .bits = element_bits(weights),
      .parts = describe_parts(weights, dims, channel_axis),
  };
  FOV_FORWARD(check_weights(weights, &store, channel_axis, diagnostic));
  if (!copy(weights, &store)) {
    const size_t bytes = store.code_bytes;
    fov_weight_store_release(&store);
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for %zu bytes of weights",
                    bytes);
  }
  *out_store = store;
  return fov_status_ok;
}

void fov_weight_store_release(fov_weight_store *store) {
  fov_release(store->parts.columns);
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
  const size_t *dims = store->parts.dims;
  fov_weight_store expanded = {
      .encoding = fov_weight_encoding_float32,
      .bits = 32,
      .rows = store->rows,
      .columns = store->columns,
      .parts = {.dims = {dims[0], dims[1], dims[2], dims[3]},
                .counts = {1, 1, 1, 1},
                .vector = 1,
                .entries = 1},
      .code_bytes = bytes,
  };
  FOV_FORWARD(fov_weight_parts_plan(&expanded.parts, NULL));
  expanded.codes = fov_allocate(bytes + 1);
  if (!expanded.codes) return fov_status_out_of_memory;
  fov_weight_store_panel(store, 0, store->rows, 0, store->columns,
                         fov_weight_store_mutable_floats(&expanded));
  fov_weight_store_release(store);
  *store = expanded;
  return fov_status_ok;
}

size_t fov_weight_store_bytes(const fov_weight_store *store) {
  size_t bytes = store->code_bytes;
  if (store->table) bytes += store->parts.numbers * sizeof(float);
  if (store->scale) bytes += 2 * store->parts.numbers * sizeof(float);
  if (store->parts.columns) bytes += fov_weight_parts_runs(&store->parts) * sizeof(uint32_t);
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
    fov_weight_decode(store, row + r, column, column_count, out);
    if (!store->row_factor) continue;
    const float factor = store->row_factor[row + r];
    for (size_t c = 0; c < column_count; c++) out[c] *= factor;
  }
}

static void archive_floats(fov_archive *archive, float **floats, size_t count) {
  fov_archive_block_owned(archive, (void **)floats, count, sizeof(float), 0);
}

static void fail_without_encoding(fov_archive *archive) {
  fov_archive_fail(archive, fov_status_invalid_weights,
                   "weights in the file have no encoding that exists");
}

// Everything that the parts of the file are checked against.
static void read_sizes(fov_archive *archive, fov_weight_store *store) {
  const fov_weights claimed = {.encoding = store->encoding, .bits = store->bits};
  if (element_bits(&claimed) == 0 || element_bits(&claimed) != store->bits) {
    fail_without_encoding(archive);
    return;
  }
  fov_weight_parts *parts = &store->parts;
  for (size_t axis = 0; axis < 4; axis++) parts->counts[axis] = 1;
  parts->vector = 1;
  parts->entries = entries_of(store);
  if (!measure(store)) {
    fail_without_encoding(archive);
    return;
  }
  archive->status = fov_weight_parts_plan(parts, archive->diagnostic);
}

void fov_weight_store_archive(fov_archive *archive, fov_weight_store *store) {
  bool has_factors = store->row_factor != NULL;
  FOV_ARCHIVE_ENUM(archive, store->encoding, fov_weight_encoding_linear);
  fov_archive_u32(archive, &store->bits);
  fov_archive_bool(archive, &has_factors);
  if (fov_archive_reads(archive)) read_sizes(archive, store);
  if (has_codes(store->encoding)) fov_weight_parts_archive(archive, &store->parts);
  if (fov_archive_reads(archive) && !measure(store)) fail_without_encoding(archive);
  const size_t numbers = store->parts.numbers;
  fov_archive_block_owned(archive, (void **)&store->codes, store->code_bytes, 1, 1);
  if (store->encoding == fov_weight_encoding_lookup_table) {
    archive_floats(archive, &store->table, numbers);
  }
  if (store->encoding == fov_weight_encoding_linear) {
    archive_floats(archive, &store->scale, numbers);
    archive_floats(archive, &store->bias, numbers);
  }
  if (has_factors) archive_floats(archive, &store->row_factor, store->rows);
  // The file has as many codes as they say: now memory may be taken for them.
  if (fov_archive_reads(archive) && fov_weight_parts_fill(&store->parts) != fov_status_ok) {
    fov_archive_fail(archive, fov_status_out_of_memory, "no memory for a compiled model");
  }
}

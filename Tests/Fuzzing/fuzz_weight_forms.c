// Fovea - fuzzing stored weights: every encoding, number of bits and layout of channels.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"
#include "fuzz_input.h"
#include "fuzz_weight_oracle.h"
#include "weights/fov_weight_decode.h"
#include "weights/fov_weight_store.h"

// Bytes, tables, scales and biases lie in memory of exactly their sizes. Decoded weights are those
// of fuzz_weight_oracle.c, whichever way they are asked for: one run, panels, expanded, through the
// fields and blocks of a compiled file. What does not fit is refused with a reason.

#define MOST_ELEMENTS 4096

typedef struct form {
  fov_weights weights;
  fuzz_weight_shape shape;
  size_t rows, columns;
  size_t elements;  // 0: too many, or none
} form;

// MARK: Choosing

// Output channels are rows, lie within rows as transposed convolutions have them, or are the
// outermost dimension of a constant.
static void choose_layout(fuzz_input *input, form *form) {
  size_t *dims = form->shape.dims;
  dims[0] = fuzz_between(input, 1, 20);
  dims[1] = fuzz_between(input, 1, 12);
  dims[2] = fuzz_between(input, 1, 8);
  dims[3] = fuzz_between(input, 1, 6);
  const uint8_t kind = fuzz_byte(input) % 8;
  form->shape.channel_axis = kind > 2 && kind < 7;
  if (kind == 5 || kind == 6) dims[0] = 1;
  if (kind == 7) {
    dims[0] = fuzz_wild_size(input);
    dims[1] = fuzz_wild_size(input);
    dims[3] = 1;
  }
  form->rows = dims[0];
  if (fov_size_multiply(dims[1], dims[2] * dims[3], &form->columns) &&
      fov_size_multiply(form->rows, form->columns, &form->elements) &&
      form->elements <= MOST_ELEMENTS) {
    return;
  }
  form->elements = 0;
}

// Mostly such as divide the dimension.
static size_t choose_parts(fuzz_input *input, size_t dim) {
  const uint8_t kind = fuzz_byte(input);
  if (kind < 96) return kind % 2;
  if (kind < 150) return dim < MOST_ELEMENTS ? dim : 1;
  if (kind >= 244) return kind == 255 ? fuzz_wild_size(input) : kind % 12;
  for (size_t count = 2 + kind % 3; count < 20; count++) {
    if (dim % count == 0) return count;
  }
  return 1;
}

// What there ought to be of them; 0: too many to be made.
static size_t choose_all_parts(fuzz_input *input, form *form) {
  fov_weights *weights = &form->weights;
  const uint8_t kind = fuzz_byte(input);
  size_t total = 1;
  if (kind < 128) return total;
  const bool has_tables = weights->encoding == fov_weight_encoding_lookup_table;
  if ((kind & 3) == 3 && (has_tables || kind > 250)) {
    weights->vector_axis = fuzz_byte(input) % (kind > 240 ? 5 : 4);
    const size_t dim = form->shape.dims[weights->vector_axis % 4];
    weights->vector = choose_parts(input, dim);
    if (weights->vector > 0 && !fov_size_multiply(total, weights->vector, &total)) total = 0;
  }
  for (size_t axis = 0; axis < 4; axis++) {
    const bool shares = weights->vector > 0 && axis == weights->vector_axis;
    const size_t codes = form->shape.dims[axis] / (shares ? weights->vector : 1);
    weights->parts[axis] = choose_parts(input, codes);
    if (weights->parts[axis] == 0) continue;
    if (!fov_size_multiply(total, weights->parts[axis], &total)) total = 0;
  }
  return total <= MOST_ELEMENTS ? total : 0;
}

static bool has_parts(const fov_weights *weights) {
  return weights->parts[0] || weights->parts[1] || weights->parts[2] || weights->parts[3];
}

static const float *choose_floats(fuzz_input *input, size_t count) {
  float *floats = fuzz_allocate(count * sizeof *floats);
  const bool wild = fuzz_bool(input);
  fuzz_noise noise = {fuzz_byte(input)};
  for (size_t i = 0; i < count; i++) {
    floats[i] = wild && input->left > 0 ? fuzz_wild_float(input) : fuzz_noise_float(&noise);
  }
  return floats;
}

// Mostly as many as there ought to be.
static size_t choose_count(fuzz_input *input, size_t right) {
  const uint8_t kind = fuzz_byte(input);
  return kind < 224 ? right : kind < 240 ? 0 : fuzz_between(input, 0, 20);
}

static void choose_meaning(fuzz_input *input, form *form) {
  fov_weights *weights = &form->weights;
  const size_t total = choose_all_parts(input, form);
  if (weights->encoding == fov_weight_encoding_lookup_table) {
    weights->table_count = choose_count(input, total << (weights->bits & 15));
    weights->table = choose_floats(input, weights->table_count);
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    const bool one = fuzz_bool(input), has_bias = fuzz_bool(input);
    const size_t channels = form->elements > 0 ? form->shape.dims[form->shape.channel_axis] : 1;
    weights->scale_count = choose_count(input, has_parts(weights) ? total : one ? 1 : channels);
    weights->bias_count = choose_count(input, has_bias ? weights->scale_count : 0);
    weights->scale = choose_floats(input, weights->scale_count);
    weights->bias = weights->bias_count ? choose_floats(input, weights->bias_count) : NULL;
  }
}

static size_t bytes_for(const form *form) {
  const size_t vector = form->weights.vector ? form->weights.vector : 1;
  const size_t bits = form->weights.encoding == fov_weight_encoding_float32   ? 32
                      : form->weights.encoding == fov_weight_encoding_float16 ? 16
                                                                              : form->weights.bits;
  return (form->elements / vector * (bits & 63) + 7) / 8;
}

static void choose_bytes(fuzz_input *input, form *form) {
  size_t count = bytes_for(form);
  const uint8_t kind = fuzz_byte(input);
  if (kind >= 240) count += kind % 8;
  if (kind >= 248 && count > 0) count = (count - 1) * (kind & 3) / 3;
  uint8_t *bytes = fuzz_allocate(count);
  fuzz_noise noise = {kind};
  for (size_t i = 0; i < count; i++) {
    bytes[i] = input->left > 0 ? fuzz_byte(input) : (uint8_t)(fuzz_noise_bits(&noise) >> 24);
  }
  form->weights.data = bytes;
  form->weights.data_bytes = count;
}

static form choose(fuzz_input *input) {
  form form = {.weights.encoding = fuzz_byte(input) & 3};
  const uint8_t bits = fuzz_byte(input);
  if (form.weights.encoding >= fov_weight_encoding_lookup_table) {
    form.weights.bits = bits < 240 ? 1 + bits % 8 : bits % 16;
  }
  choose_layout(input, &form);
  choose_meaning(input, &form);
  choose_bytes(input, &form);
  return form;
}

static void release(form *form) {
  free((void *)form->weights.data);
  free((void *)form->weights.table);
  free((void *)form->weights.scale);
  free((void *)form->weights.bias);
}

// The product of the parts; 0 unless they divide the weights.
static size_t count_parts(const form *form) {
  const fov_weights *weights = &form->weights;
  const size_t vector = weights->vector ? weights->vector : 1;
  if (weights->vector_axis > 3 || vector > 64) return 0;
  size_t total = 1;
  for (size_t axis = 0; axis < 4; axis++) {
    const size_t dim = form->shape.dims[axis], shared = axis == weights->vector_axis ? vector : 1;
    const size_t count = weights->parts[axis] ? weights->parts[axis] : 1;
    if (dim % shared != 0 || dim / shared % count != 0) return 0;
    if (!fov_size_multiply(total, count, &total)) return 0;
  }
  return total;
}

// Whether the words of fov_types.h allow it.
static bool is_in_order(const form *form) {
  const fov_weights *weights = &form->weights;
  const bool has_codes = weights->encoding >= fov_weight_encoding_lookup_table;
  if (has_codes && (weights->bits < 1 || weights->bits > 8)) return false;
  if (form->elements == 0) return false;
  const size_t parts = count_parts(form), vector = weights->vector ? weights->vector : 1;
  if (parts == 0 || (!has_codes && parts > 1)) return false;
  if (weights->encoding != fov_weight_encoding_lookup_table && vector > 1) return false;
  if (weights->encoding == fov_weight_encoding_lookup_table &&
      weights->table_count != (parts * vector) << weights->bits) {
    return false;
  }
  if (weights->encoding == fov_weight_encoding_linear) {
    const size_t channels = form->shape.dims[form->shape.channel_axis];
    if (weights->scale_count != parts && (has_parts(weights) || weights->scale_count != channels)) {
      return false;
    }
    if (weights->bias_count != 0 && weights->bias_count != weights->scale_count) return false;
  }
  return weights->data_bytes >= bytes_for(form);
}

// MARK: Comparing

static float expected(const form *form, const float *factors, size_t index) {
  const float value = fuzz_weight_value(&form->weights, &form->shape, index);
  return factors ? value * factors[index / form->columns] : value;
}

static void compare(const char *what, const form *form, const float *factors, size_t index,
                    float found) {
  const float wanted = expected(form, factors, index);
  if (fuzz_floats_agree(wanted, found)) return;
  fuzz_fail("%s: element %zu is %a, expected %a", what, index, found, wanted);
}

// Elements of a row, without its factor.
static void check_run(const fov_weight_store *store, const form *form, size_t row, size_t column,
                      size_t count) {
  const size_t first = row * form->columns + column;
  float *out = fuzz_allocate(count * sizeof *out);
  fov_weight_decode(store, row, column, count, out);
  for (size_t i = 0; i < count; i++) compare("run", form, NULL, first + i, out[i]);
  free(out);
}

static void check_codes(const fov_weight_store *store, const form *form, size_t first,
                        size_t count) {
  if (form->weights.bits == 0) return;
  uint8_t *codes = fuzz_allocate(count);
  fov_weight_codes(store, first, count, codes);
  for (size_t i = 0; i < count; i++) {
    if (codes[i] != fuzz_weight_code(&form->weights, &form->shape, first + i)) {
      fuzz_fail("code %zu is %u", first + i, codes[i]);
    }
  }
  free(codes);
}

static void check_panel(const fov_weight_store *store, const form *form, const float *factors,
                        size_t row, size_t rows, size_t column, size_t columns) {
  float *panel = fuzz_allocate(rows * columns * sizeof *panel);
  fov_weight_store_panel(store, row, rows, column, columns, panel);
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < columns; c++) {
      compare("panel", form, factors, (row + r) * form->columns + column + c,
              panel[r * columns + c]);
    }
  }
  free(panel);
}

static void check_parts(fuzz_input *input, const fov_weight_store *store, const form *form) {
  for (int i = 0; i < 3; i++) {
    const size_t first = fuzz_u32(input) % form->elements;
    check_codes(store, form, first, fuzz_u32(input) % (form->elements - first + 1));
    const size_t row = fuzz_byte(input) % form->rows, column = fuzz_u32(input) % form->columns;
    const size_t columns = fuzz_u32(input) % (form->columns - column + 1);
    check_run(store, form, row, column, columns);
    check_panel(store, form, NULL, row, fuzz_byte(input) % (form->rows - row + 1), column, columns);
  }
  check_codes(store, form, 0, form->elements);
  check_panel(store, form, NULL, 0, form->rows, 0, form->columns);
}

// MARK: Compiled files

// The blocks of an archive, each at a multiple of 64.
static uint8_t *lay_out_blocks(const fov_archive *archive, size_t *out_bytes) {
  size_t end = 0;
  for (size_t i = 0; i < archive->block_count; i++) {
    end = fov_size_parts(end, 64) * 64 + archive->list[i].bytes;
  }
  uint8_t *blocks = fuzz_allocate(end);
  size_t at = 0;
  for (size_t i = 0; i < archive->block_count; i++) {
    at = fov_size_parts(at, 64) * 64;
    if (archive->list[i].bytes > 0)
      memcpy(blocks + at, archive->list[i].data, archive->list[i].bytes);
    at += archive->list[i].bytes;
  }
  *out_bytes = end;
  return blocks;
}

static void read_back(const uint8_t *fields, size_t field_bytes, const uint8_t *blocks,
                      size_t block_bytes, const form *form, const float *factors, bool is_whole) {
  fov_diagnostic diagnostic = {""};
  fov_weight_store store = {0};
  memcpy(store.parts.dims, form->shape.dims, sizeof store.parts.dims);
  fov_archive reader = fov_archive_reader(fields, field_bytes, blocks, block_bytes, &diagnostic);
  fov_weight_store_archive(&reader, &store);
  if (reader.status == fov_status_ok) {
    check_panel(&store, form, factors, 0, form->rows, 0, form->columns);
  } else if (is_whole || diagnostic.message[0] == 0) {
    fuzz_fail("read back: %s, %s", fov_status_name(reader.status), diagnostic.message);
  }
  fov_weight_store_release(&store);
}

// Written and read back; and once more with bytes missing at the end.
static void check_archive(fuzz_input *input, fov_weight_store *store, const form *form,
                          const float *factors) {
  fov_archive writer = fov_archive_writer(NULL);
  fov_weight_store_archive(&writer, store);
  if (writer.status != fov_status_ok) fuzz_fail("not written");
  size_t block_bytes;
  uint8_t *blocks = lay_out_blocks(&writer, &block_bytes);
  uint8_t *fields = fuzz_copy(writer.fields, writer.position);
  read_back(fields, writer.position, blocks, block_bytes, form, factors, true);
  const size_t fewer = fuzz_u32(input) % (block_bytes + 1);
  uint8_t *cut = fuzz_copy(blocks, fewer);
  read_back(fields, writer.position, cut, fewer, form, factors, fewer == block_bytes);
  free(cut);
  free(blocks);
  free(fields);
  fov_archive_release(&writer);
}

// MARK: The target

static void check_store(fuzz_input *input, fov_weight_store *store, const form *form) {
  check_parts(input, store, form);
  check_archive(input, store, form, NULL);
  const float *factors = choose_floats(input, form->rows);
  if (fov_weight_store_scale_rows(store, factors) != fov_status_ok) fuzz_fail("not scaled");
  check_panel(store, form, factors, 0, form->rows, 0, form->columns);
  check_archive(input, store, form, factors);
  if (fov_weight_store_expand(store) != fov_status_ok) fuzz_fail("not expanded");
  check_panel(store, form, factors, 0, form->rows, 0, form->columns);
  free((void *)factors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {data, size};
  form form = choose(&input);
  fov_weight_store store;
  fov_diagnostic diagnostic = {""};
  const fov_status status = fov_weight_store_create(&form.weights, form.shape.dims,
                                                    form.shape.channel_axis, &store, &diagnostic);
  if (status == fov_status_ok && form.elements > 0) {
    if (!is_in_order(&form)) fuzz_fail("accepted what is not in order");
    check_store(&input, &store, &form);
  } else if (status != fov_status_ok && (is_in_order(&form) || diagnostic.message[0] == 0)) {
    fuzz_fail("%s, %s", fov_status_name(status), diagnostic.message);
  }
  fov_weight_store_release(&store);
  release(&form);
  return 0;
}

// Fovea - weights with their input channels outermost, put in the order of a convolution's.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_transposition.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "weights/fov_weight_decode.h"

// Codes that are moved together.
#define CODE_RUN 256

// Writes codes of 1 to 8 bits to memory of zeros, the first in the highest bits, as they are read.
static void pack(const uint8_t *codes, size_t first, size_t count, uint32_t bits, uint8_t *out) {
  uint8_t *bytes = out + first / 8 * bits;
  uint32_t position = (uint32_t)(first % 8) * bits;
  for (size_t i = 0; i < count; i++, position += bits) {
    const uint32_t pair = (uint32_t)codes[i] << (16 - position % 8 - bits);
    bytes[position / 8] |= (uint8_t)(pair >> 8);
    bytes[position / 8 + 1] |= (uint8_t)pair;
  }
}

static void move_weights(const fov_weight_store *from, size_t first, size_t count,
                         fov_weight_store *to, size_t at) {
  if (from->bits > 8) {
    const size_t bytes = from->bits / 8;
    memcpy(to->codes + at * bytes, from->codes + first * bytes, count * bytes);
    return;
  }
  uint8_t codes[CODE_RUN];
  for (size_t done = 0; done < count; done += CODE_RUN) {
    const size_t run = fov_size_min(CODE_RUN, count - done);
    fov_weight_codes(from, first + done, run, codes);
    pack(codes, at + done, run, from->bits, to->codes);
  }
}

// How often the numbers of a group stand in a row: groups share the parts of their outputs.
static size_t repeats_of(const fov_weight_parts *parts, size_t groups) {
  return parts->counts[1] > 1 ? groups : 1;
}

// Numbers of parts, whose first two axes are swapped. NULL without numbers, or without memory.
static float *swap_parts(const float *numbers, const fov_weight_parts *parts, size_t groups) {
  const size_t rows = parts->counts[0], columns = parts->counts[1];
  const size_t run = parts->numbers / rows / columns, repeats = repeats_of(parts, groups);
  float *swapped = numbers ? fov_allocate_array(parts->numbers, repeats * sizeof(float)) : NULL;
  for (size_t i = 0; swapped && i < repeats * rows * columns; i++) {
    const size_t to = i / columns % rows + (i % columns + i / (rows * columns) * columns) * rows;
    memcpy(swapped + to * run, numbers + i % (rows * columns) * run, run * sizeof(float));
  }
  return swapped;
}

static bool can_stay_coded(const fov_weight_parts *parts, size_t groups) {
  return parts->vector == 1 && (groups == 1 || parts->counts[0] == 1);
}

// Everything but the weights.
static fov_status make_like(const fov_weight_store *store, size_t groups,
                            fov_weight_store *out_made) {
  const fov_weight_parts *parts = &store->parts;
  *out_made = (fov_weight_store){
      .encoding = store->encoding,
      .bits = store->bits,
      .rows = parts->dims[1] * groups,
      .columns = parts->dims[0] / groups * parts->dims[2] * parts->dims[3],
      .parts = {.dims = {parts->dims[1] * groups, parts->dims[0] / groups, parts->dims[2],
                         parts->dims[3]},
                .counts = {parts->counts[1] * repeats_of(parts, groups), parts->counts[0],
                           parts->counts[2], parts->counts[3]},
                .vector = 1,
                .entries = parts->entries},
      .code_bytes = store->code_bytes,
      .codes = fov_allocate(store->code_bytes + 1),
      .table = swap_parts(store->table, parts, groups),
      .scale = swap_parts(store->scale, parts, groups),
      .bias = swap_parts(store->bias, parts, groups),
  };
  FOV_FORWARD(fov_weight_parts_plan(&out_made->parts, NULL));
  const bool complete = out_made->codes && !out_made->table == !store->table &&
                        !out_made->scale == !store->scale && !out_made->bias == !store->bias;
  return complete ? fov_weight_parts_fill(&out_made->parts) : fov_status_out_of_memory;
}

fov_status fov_weight_store_swap_channels(fov_weight_store *store, size_t groups) {
  if (!can_stay_coded(&store->parts, groups)) FOV_FORWARD(fov_weight_store_expand(store));
  const size_t *dims = store->parts.dims;
  const size_t kernel = dims[2] * dims[3], inputs = dims[0] / groups, outputs = dims[1];
  fov_weight_store made;
  const fov_status status = make_like(store, groups, &made);
  if (status != fov_status_ok) {
    fov_weight_store_release(&made);
    return status;
  }
  for (size_t row = 0; row < made.rows; row++) {
    const size_t group = row / outputs, output = row % outputs;
    for (size_t i = 0; i < inputs; i++) {
      move_weights(store, ((group * inputs + i) * outputs + output) * kernel, kernel, &made,
                   (row * inputs + i) * kernel);
    }
  }
  fov_weight_store_release(store);
  *store = made;
  return fov_status_ok;
}

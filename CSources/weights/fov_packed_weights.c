// Fovea - from stored weights to the panels that kernels read.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_packed_weights.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "weights/fov_float_packing.h"
#include "weights/fov_weight_decode.h"
#include "weights/fov_weight_integers.h"
#include "weights/fov_weight_quantizer.h"

bool fov_weights_are_depthwise(const fov_convolution *convolution, size_t input_channels) {
  const size_t groups = convolution->groups;
  return groups > 1 && groups == input_channels && groups == convolution->output_channels;
}

// With fewer weights, codes and their table take more memory than floats, or little less.
#define FEWEST_CODES 4096

// Tables or scales may take twice as many bytes as codes, so that a quarter of the floats is saved.
bool fov_weights_pay_as_codes(const fov_weight_store *store) {
  const bool is_linear = store->encoding == fov_weight_encoding_linear;
  if (!is_linear && store->encoding != fov_weight_encoding_lookup_table) return false;
  const size_t weights = store->rows * store->columns;
  const size_t numbers = store->parts.numbers * (is_linear ? 2 : 1);
  const size_t places = store->parts.columns ? store->columns : 0;
  return weights >= FEWEST_CODES && numbers + places <= 2 * (weights / sizeof(float));
}

// MARK: sizes

static size_t taps_of(const fov_packed_weights *weights) {
  return weights->group_inputs * weights->kernel[0] * weights->kernel[1];
}

static bool plan_floats(fov_packed_weights *weights, fov_float_packing *packing) {
  const bool fits =
      weights->depthwise
          ? fov_float_packing_plan_depthwise(weights->group_outputs, weights->kernel, packing)
          : fov_float_packing_plan(weights->group_outputs, weights->group_inputs, weights->kernel,
                                   packing);
  weights->block = packing->block;
  weights->panels = packing->panels;
  const size_t weight_bytes = weights->coded ? 1 : sizeof(float);
  weights->panel_weights = packing->panel_floats;
  weights->panel_bytes = packing->panel_floats * weight_bytes;
  weights->bytes = packing->bytes / sizeof(float) * weight_bytes;
  return fits;
}

// Several rows of a tile's pixels, each with this many channels, fit into the first cache.
#define INTEGER_BLOCK 128

fov_int8_shape fov_packed_int8_shape(const fov_packed_weights *weights) {
  const size_t *kernel = weights->kernel;
  const size_t inputs =
      weights->group_inputs * (weights->depthwise ? 1 : fov_packed_code_bytes(weights));
  const size_t channels = fov_int8_padded_channels(inputs);
  const bool one_tap = kernel[0] == 1 && kernel[1] == 1;
  return (fov_int8_shape){
      .output_channels = weights->group_outputs,
      .input_channels = inputs,
      .kernel = {kernel[0], kernel[1]},
      .block = one_tap ? channels : fov_size_min(channels, INTEGER_BLOCK),
      .depthwise = weights->depthwise,
  };
}

static bool plan_integers(fov_packed_weights *weights, fov_int8_shape *shape) {
  *shape = fov_packed_int8_shape(weights);
  weights->block = shape->block;
  weights->panels = fov_int8_panels(shape->output_channels);
  const bool fits = fov_int8_packed_bytes(shape, &weights->panel_bytes, &weights->bytes);
  weights->panel_weights = weights->panel_bytes;
  return fits;
}

// One of integers and floats is set.
static bool plan(const fov_convolution *convolution, size_t input_channels,
                 fov_packed_weights *weights, fov_int8_shape *integers, fov_float_packing *floats) {
  weights->depthwise = fov_weights_are_depthwise(convolution, input_channels);
  weights->groups = weights->depthwise ? 1 : convolution->groups;
  weights->group_inputs = input_channels / convolution->groups;
  weights->group_outputs = convolution->output_channels / weights->groups;
  weights->kernel[0] = convolution->kernel[0];
  weights->kernel[1] = convolution->kernel[1];
  return (weights->integer ? plan_integers(weights, integers) : plan_floats(weights, floats)) &&
         fov_size_multiply(weights->bytes, weights->groups, &weights->bytes);
}

bool fov_packed_weights_plan(const fov_convolution *convolution, size_t input_channels,
                             fov_packed_weights *weights) {
  fov_int8_shape integers;
  fov_float_packing floats;
  return plan(convolution, input_channels, weights, &integers, &floats);
}

// MARK: memory

// One block holds everything, panels first:
//
//   panels | bias | scale | sums | pairs_fit | coding
typedef struct parts {
  size_t bias, scale, sums, pairs_fit;
  size_t code_table, code_scale, code_offset, code_factor, channel_begin, position_begin;
  size_t bytes;
} parts;

// The weights' coding has its numbers.
static bool lay_out(const fov_packed_weights *weights, const fov_weight_store *store,
                    parts *out_parts) {
  const size_t channels = fov_packed_channels(weights);
  const size_t integers = weights->integer ? channels : 0;
  const size_t coded = weights->coded ? channels : 0, numbers = weights->coding.numbers;
  const bool is_linear = store->encoding == fov_weight_encoding_linear;
  const size_t table = is_linear ? 0 : numbers, linear = is_linear ? numbers : 0;
  const size_t places = coded && store->parts.columns ? fov_packed_positions(weights) : 0;
  size_t panels, *end = &out_parts->bytes;
  *out_parts = (parts){0};
  return fov_size_reserve(end, weights->bytes, 1, &panels) &&
         fov_size_reserve(end, channels, sizeof(float), &out_parts->bias) &&
         fov_size_reserve(end, integers, sizeof(float), &out_parts->scale) &&
         fov_size_reserve(end, integers, sizeof(int32_t), &out_parts->sums) &&
         fov_size_reserve(end, integers / FOV_PANEL, 1, &out_parts->pairs_fit) &&
         fov_size_reserve(end, table, sizeof(float), &out_parts->code_table) &&
         fov_size_reserve(end, linear, sizeof(float), &out_parts->code_scale) &&
         fov_size_reserve(end, linear, sizeof(float), &out_parts->code_offset) &&
         fov_size_reserve(end, coded, sizeof(float), &out_parts->code_factor) &&
         fov_size_reserve(end, coded, sizeof(uint32_t), &out_parts->channel_begin) &&
         fov_size_reserve(end, places, sizeof(uint32_t), &out_parts->position_begin);
}

static float *floats_at(uint8_t *block, size_t offset) { return (float *)(void *)(block + offset); }

static uint32_t *words_at(uint8_t *block, size_t offset) {
  return (uint32_t *)(void *)(block + offset);
}

static void place_coding(fov_packed_weights *weights, const fov_weight_store *store, uint8_t *block,
                         const parts *parts) {
  const bool is_linear = store->encoding == fov_weight_encoding_linear;
  weights->coding = (fov_coded_weights){
      .codes = block,
      .table = is_linear ? NULL : floats_at(block, parts->code_table),
      .scale = is_linear ? floats_at(block, parts->code_scale) : NULL,
      .offset = is_linear ? floats_at(block, parts->code_offset) : NULL,
      .numbers = weights->coding.numbers,
      .factor = floats_at(block, parts->code_factor),
      .channel_begin = words_at(block, parts->channel_begin),
      .position_begin = store->parts.columns ? words_at(block, parts->position_begin) : NULL,
  };
}

static fov_status allocate(fov_packed_weights *weights, const fov_weight_store *store,
                           uint8_t **out_block, parts *out_parts) {
  if (weights->coded) {
    const bool is_linear = store->encoding == fov_weight_encoding_linear;
    weights->coding.numbers =
        store->parts.numbers + (is_linear ? 0 : FOV_TABLE_ROOM - store->parts.entries);
  }
  if (!lay_out(weights, store, out_parts)) return fov_status_overflow;
  uint8_t *block = fov_allocate(out_parts->bytes);
  if (!block) return fov_status_out_of_memory;
  weights->owned = block;
  weights->panel_data = block;
  weights->bias = floats_at(block, out_parts->bias);
  weights->scale = floats_at(block, out_parts->scale);
  if (weights->coded) place_coding(weights, store, block, out_parts);
  *out_block = block;
  return fov_status_ok;
}

void fov_packed_weights_release(fov_packed_weights *weights) {
  fov_release(weights->owned);
  weights->owned = NULL;
}

size_t fov_packed_weights_bytes(const fov_packed_weights *weights) {
  const size_t channels = fov_packed_channels(weights);
  size_t bytes = weights->bytes + channels * sizeof(float);
  if (weights->integer) {
    bytes += channels * (sizeof(float) + sizeof(int32_t)) + channels / FOV_PANEL;
  }
  if (weights->coded) {
    const fov_coded_weights *coding = &weights->coding;
    const size_t places = coding->position_begin ? fov_packed_positions(weights) : 0;
    bytes += (coding->numbers * (coding->table ? 1 : 2) + 2 * channels + places) * sizeof(float);
  }
  return bytes;
}

// MARK: packing

typedef struct filling {
  const fov_weight_source *source;
  fov_packed_weights *weights;
  uint8_t *block;
  parts parts;
  fov_float_packing floats;
  fov_int8_shape integers;
  float *taps;     // of one output channel
  uint8_t *codes;  // of the same: as stored, or quantized; int16: as bytes in order, then as int16
} filling;

// Where output channel `channel` lies in padded arrays.
static size_t padded_channel(const fov_packed_weights *weights, size_t channel) {
  const size_t outputs = weights->group_outputs;
  return channel / outputs * weights->panels * FOV_PANEL + channel % outputs;
}

static void fill_coded(const filling *filling, size_t channel, uint8_t *panels) {
  const fov_weight_store *store = filling->source->store;
  const fov_packed_weights *weights = filling->weights;
  const parts *parts = &filling->parts;
  const size_t taps = taps_of(weights), at = padded_channel(weights, channel);
  fov_weight_codes(store, channel * taps, taps, filling->codes);
  fov_float_packing_add_codes(&filling->floats, channel % weights->group_outputs, filling->codes,
                              panels);
  floats_at(filling->block, parts->code_factor)[at] =
      store->row_factor ? store->row_factor[channel] : 1.0f;
  words_at(filling->block, parts->channel_begin)[at] =
      (uint32_t)fov_weight_parts_row(&store->parts, channel);
}

// Tables or scales, and where those of each position begin. `taps` is any memory for one channel.
static fov_status fill_numbers(const filling *filling) {
  const fov_weight_store *store = filling->source->store;
  const fov_packed_weights *weights = filling->weights;
  const parts *at = &filling->parts;
  const size_t bytes = store->parts.numbers * sizeof(float),
               positions = fov_packed_positions(weights);
  if (weights->coding.table) {
    memcpy(filling->block + at->code_table, store->table, bytes);
  } else {
    memcpy(filling->block + at->code_scale, store->scale, bytes);
    memcpy(filling->block + at->code_offset, store->bias, bytes);
  }
  if (!weights->coding.position_begin) return fov_status_ok;
  // A row of numbers takes the places of a row of taps: the first lane of a panel.
  float *panel = fov_allocate_array(weights->panel_weights, sizeof(float));
  if (!panel) return fov_status_out_of_memory;
  for (size_t tap = 0; tap < store->columns; tap++) {
    memcpy(&filling->taps[tap], &store->parts.columns[tap / store->parts.run], sizeof(uint32_t));
  }
  fov_float_packing_add(&filling->floats, 0, filling->taps, panel);
  uint32_t *begin = words_at(filling->block, at->position_begin);
  for (size_t i = 0; i < positions; i++) {
    memcpy(&begin[i], &panel[i * FOV_PANEL], sizeof(uint32_t));
  }
  fov_release(panel);
  return fov_status_ok;
}

// The taps are [input][position]. The packing takes rows of bytes, and the two bytes of a 16-bit
// integer as two inputs.
static float fill_int16(const filling *filling, size_t output, int8_t *panels) {
  const size_t *kernel = filling->weights->kernel, positions = kernel[0] * kernel[1];
  const size_t taps = taps_of(filling->weights);
  int8_t *bytes = (int8_t *)filling->codes;
  int16_t *int16 = (int16_t *)(void *)(filling->codes + taps * sizeof(int16_t));
  const float scale = fov_quantize_weights_to_int16(filling->taps, taps, int16);
  for (size_t i = 0; i < taps; i++) {
    int8_t both[sizeof(int16_t)];
    memcpy(both, &int16[i], sizeof both);
    int8_t *at = bytes + i / positions * positions * 2 + i % positions;
    at[0] = both[0];
    at[positions] = both[1];
  }
  fov_int8_pack_row(&filling->integers, output, bytes, panels);
  return scale;
}

static float fill_int8(const filling *filling, size_t channel, int8_t *panels) {
  const fov_packed_weights *weights = filling->weights;
  const fov_channel_summary *inputs = filling->source->inputs;
  // The first input channel that this output channel reads.
  const size_t read =
      weights->depthwise ? channel : channel / weights->group_outputs * weights->group_inputs;
  const fov_weight_taps row = {
      .values = filling->taps,
      .channels = weights->group_inputs,
      .rows = weights->kernel[0],
      .columns = weights->kernel[1],
      .depthwise = weights->depthwise,
      .inputs = inputs ? inputs + read : NULL,
  };
  int8_t *codes = (int8_t *)filling->codes;
  float scale;
  if (!filling->source->as_stored ||
      !fov_weight_integers(filling->source->store, channel, codes, &scale)) {
    scale = fov_quantize_weights(&row, codes);
  }
  fov_int8_pack_row(&filling->integers, channel % weights->group_outputs, codes, panels);
  return scale;
}

static void fill_channel(const filling *filling, size_t channel) {
  const fov_packed_weights *weights = filling->weights;
  const size_t outputs = weights->group_outputs, at = padded_channel(weights, channel);
  uint8_t *panels = filling->block + channel / outputs * weights->panels * weights->panel_bytes;
  floats_at(filling->block, filling->parts.bias)[at] = filling->source->bias[channel];
  if (weights->coded) {
    fill_coded(filling, channel, panels);
    return;
  }
  fov_weight_store_panel(filling->source->store, channel, 1, 0, taps_of(weights), filling->taps);
  if (!weights->integer) {
    fov_float_packing_add(&filling->floats, channel % outputs, filling->taps,
                          (float *)(void *)panels);
    return;
  }
  floats_at(filling->block, filling->parts.scale)[at] =
      weights->int16 ? fill_int16(filling, channel % outputs, (int8_t *)panels)
                     : fill_int8(filling, channel, (int8_t *)panels);
}

static void sum_weights(fov_packed_weights *weights, int32_t *weight_sums, uint8_t *pairs_fit) {
  const size_t channels = fov_packed_channels(weights);
  fov_int8_sums sums = {.weight_sums = weight_sums, .pairs_fit = pairs_fit};
  if (weights->int16) {
    // Not used: zero is the code 0, and no sums of 16 bits are formed.
    memset(weight_sums, 0, channels * sizeof *weight_sums);
    memset(pairs_fit, 1, channels / FOV_PANEL);
  } else {
    fov_int8_sum_panels(weights->panel_data, channels / FOV_PANEL, weights->panel_bytes, &sums);
  }
  weights->sums = weight_sums;
  weights->pairs_fit = pairs_fit;
  weights->sums_are_small = sums.are_small;
}

static fov_status fill(filling *filling) {
  fov_packed_weights *weights = filling->weights;
  const size_t taps = taps_of(weights);
  filling->taps = fov_allocate_array(taps, sizeof(float));
  filling->codes = fov_allocate_array(taps, weights->int16 ? 2 * sizeof(int16_t) : 1);
  fov_status status = filling->taps && filling->codes ? fov_status_ok : fov_status_out_of_memory;
  if (status == fov_status_ok && weights->coded) status = fill_numbers(filling);
  if (status == fov_status_ok) {
    const size_t channels = weights->groups * weights->group_outputs;
    for (size_t channel = 0; channel < channels; channel++) fill_channel(filling, channel);
    if (weights->integer) {
      sum_weights(weights, (int32_t *)(void *)(filling->block + filling->parts.sums),
                  filling->block + filling->parts.pairs_fit);
    }
  }
  fov_release(filling->taps);
  fov_release(filling->codes);
  return status;
}

fov_status fov_packed_weights_create(const fov_convolution *convolution, size_t input_channels,
                                     const fov_weight_source *source, fov_packed_weights *weights) {
  filling filling = {.source = source, .weights = weights};
  if (!plan(convolution, input_channels, weights, &filling.integers, &filling.floats)) {
    return fov_status_overflow;
  }
  FOV_FORWARD(allocate(weights, source->store, &filling.block, &filling.parts));
  const fov_status status = fill(&filling);
  if (status != fov_status_ok) fov_packed_weights_release(weights);
  return status;
}

// MARK: compiled files

fov_status fov_packed_weights_restore(fov_packed_weights *weights) {
  if (!weights->integer) return fov_status_ok;
  const size_t channels = fov_packed_channels(weights), panels = channels / FOV_PANEL;
  int32_t *sums = fov_allocate(channels * sizeof(int32_t) + panels);
  if (!sums) return fov_status_out_of_memory;
  weights->owned = sums;
  sum_weights(weights, sums, (uint8_t *)(sums + channels));
  return fov_status_ok;
}

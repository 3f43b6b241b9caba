// Fovea - packing the weights of a convolution.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_convolution.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "kernels/fov_float_packing.h"
#include "kernels/fov_weight_decode.h"
#include "channels_last/fov_weight_quantizer.h"

size_t fov_channels_last_channels(const fov_channels_last_convolution *layer) {
  const size_t groups = layer->depthwise ? 1 : layer->convolution.groups;
  return groups * layer->panels * FOV_PANEL;
}

// MARK: memory

// One block holds everything, weights first:
//
//   weights | bias | weight_scale | weight_sums | pairs_fit | table | coding
typedef struct parts {
  size_t bias, weight_scale, weight_sums, pairs_fit, table;
  size_t code_table, code_scale, code_offset, code_factor;
  size_t bytes;
} parts;

static bool lay_out(const fov_channels_last_convolution *layer, bool is_linear, parts *out_parts) {
  const size_t channels = fov_channels_last_channels(layer);
  const size_t integers = layer->integer ? channels : 0;
  const size_t coded = layer->coded ? channels : 0, linear = is_linear ? coded : 0;
  size_t weights;
  *out_parts = (parts){0};
  return fov_size_reserve(&out_parts->bytes, layer->weights_size, 1, &weights) &&
         fov_size_reserve(&out_parts->bytes, channels, sizeof(float), &out_parts->bias) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(float), &out_parts->weight_scale) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(int32_t), &out_parts->weight_sums) &&
         fov_size_reserve(&out_parts->bytes, integers / FOV_PANEL, 1, &out_parts->pairs_fit) &&
         fov_size_reserve(&out_parts->bytes, layer->finish.has_table ? 256 : 0, 1, &out_parts->table) &&
         fov_size_reserve(&out_parts->bytes, layer->coded && !is_linear ? 256 : 0, sizeof(float),
                          &out_parts->code_table) &&
         fov_size_reserve(&out_parts->bytes, linear, sizeof(float), &out_parts->code_scale) &&
         fov_size_reserve(&out_parts->bytes, linear, sizeof(float), &out_parts->code_offset) &&
         fov_size_reserve(&out_parts->bytes, coded, sizeof(float), &out_parts->code_factor);
}

static float *floats_at(uint8_t *block, size_t offset) {
  return (float *)(void *)(block + offset);
}

static void place_coding(fov_channels_last_convolution *layer, bool is_linear, uint8_t *block,
                         const parts *parts) {
  layer->coding = (fov_coded_weights){
      .codes = block,
      .table = is_linear ? NULL : floats_at(block, parts->code_table),
      .scale = is_linear ? floats_at(block, parts->code_scale) : NULL,
      .offset = is_linear ? floats_at(block, parts->code_offset) : NULL,
      .factor = floats_at(block, parts->code_factor),
  };
}

static fov_status allocate(fov_channels_last_convolution *layer, bool is_linear, uint8_t **out_block,
                           parts *out_parts) {
  if (!lay_out(layer, is_linear, out_parts)) return fov_status_overflow;
  uint8_t *block = fov_allocate(out_parts->bytes);
  if (!block) return fov_status_out_of_memory;
  layer->owned = block;
  layer->weights = block;
  layer->bias = floats_at(block, out_parts->bias);
  layer->weight_scale = floats_at(block, out_parts->weight_scale);
  layer->weight_sums = (const int32_t *)(const void *)(block + out_parts->weight_sums);
  layer->pairs_fit = block + out_parts->pairs_fit;
  layer->table = layer->finish.has_table ? block + out_parts->table : NULL;
  if (layer->coded) place_coding(layer, is_linear, block, out_parts);
  *out_block = block;
  return fov_status_ok;
}

// MARK: weights

static bool plan_floats(fov_channels_last_convolution *layer, fov_float_packing *packing) {
  const size_t *kernel = layer->convolution.kernel;
  const bool fits =
      layer->depthwise
          ? fov_float_packing_plan_depthwise(fov_channels_last_group_outputs(layer), kernel, packing)
          : fov_float_packing_plan(fov_channels_last_group_outputs(layer),
                                   fov_channels_last_group_inputs(layer), kernel, packing);
  layer->block = packing->block;
  layer->panels = packing->panels;
  const size_t weight_bytes = layer->coded ? 1 : sizeof(float);
  layer->panel_weights = packing->panel_floats;
  layer->panel_bytes = packing->panel_floats * weight_bytes;
  layer->weights_size = packing->bytes / sizeof(float) * weight_bytes;
  return fits;
}

// Several rows of the tile's pixels at this many channels lie in the first cache together.
#define INTEGER_BLOCK 128

fov_int8_shape fov_channels_last_int8_shape(const fov_channels_last_convolution *layer) {
  const size_t *kernel = layer->convolution.kernel;
  const size_t inputs =
      layer->depthwise ? 1 : fov_channels_last_group_inputs(layer) * fov_channels_last_code_bytes(layer);
  const size_t channels = fov_int8_padded_channels(inputs);
  const bool one_tap = kernel[0] == 1 && kernel[1] == 1;
  return (fov_int8_shape){
      .output_channels = fov_channels_last_group_outputs(layer),
      .input_channels = inputs,
      .kernel = {kernel[0], kernel[1]},
      .block = one_tap ? channels : fov_size_min(channels, INTEGER_BLOCK),
      .depthwise = layer->depthwise,
  };
}

static bool plan_integers(fov_channels_last_convolution *layer, fov_int8_shape *shape) {
  *shape = fov_channels_last_int8_shape(layer);
  layer->block = shape->block;
  layer->panels = fov_int8_panels(shape->output_channels);
  const bool fits = fov_int8_packed_bytes(shape, &layer->panel_bytes, &layer->weights_size);
  layer->panel_weights = layer->panel_bytes;
  return fits;
}

static bool plan(fov_channels_last_convolution *layer, fov_int8_shape *integers,
                 fov_float_packing *floats) {
  const size_t groups = layer->depthwise ? 1 : layer->convolution.groups;
  return (layer->integer ? plan_integers(layer, integers) : plan_floats(layer, floats)) &&
         fov_size_multiply(layer->weights_size, groups, &layer->weights_size);
}

bool fov_channels_last_convolution_plan(fov_channels_last_convolution *layer) {
  fov_int8_shape integers;
  fov_float_packing floats;
  return plan(layer, &integers, &floats);
}

// Where channel o of the layer's output lies in padded arrays.
static size_t padded_channel(const fov_channels_last_convolution *layer, size_t channel) {
  const size_t outputs = fov_channels_last_group_outputs(layer);
  return channel / outputs * layer->panels * FOV_PANEL + channel % outputs;
}

typedef struct filling {
  const fov_convolution_parameters *source;
  fov_channels_last_convolution *layer;
  uint8_t *block;
  parts parts;
  fov_float_packing floats;
  fov_int8_shape integers;
  float *taps;     // of one output channel
  uint8_t *codes;  // the same: quantized, or as stored; of 16-bit integers as bytes in order, and as 16-bit integers
  const fov_channel_summary *inputs;  // of all groups, or NULL
} filling;

static void fill_coded(const filling *filling, size_t channel, size_t at, uint8_t *weights) {
  const fov_weight_store *store = &filling->source->weights;
  const parts *parts = &filling->parts;
  const size_t taps = fov_convolution_taps(filling->source);
  fov_weight_codes(store, channel * taps, taps, filling->codes);
  fov_float_packing_add_codes(&filling->floats,
                              channel % fov_channels_last_group_outputs(filling->layer), filling->codes,
                              weights);
  floats_at(filling->block, parts->code_factor)[at] =
      store->row_factor ? store->row_factor[channel] : 1.0f;
  if (filling->layer->coding.table) return;
  const size_t scale = channel * taps / store->channel_stride % store->channel_count;
  floats_at(filling->block, parts->code_scale)[at] = store->scale[scale];
  floats_at(filling->block, parts->code_offset)[at] = store->bias[scale];
}

// 16-bit integers, of taps [input][position], as rows of bytes, in which the two of a 16-bit integer are inputs side by side.
static float fill_int16(const filling *filling, size_t output, int8_t *weights) {
  const size_t *kernel = filling->layer->convolution.kernel, positions = kernel[0] * kernel[1];
  const size_t taps = fov_convolution_taps(filling->source);
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
  fov_int8_pack_row(&filling->integers, output, bytes, weights);
  return scale;
}

static float fill_bytes(const filling *filling, size_t channel, int8_t *weights) {
  const fov_channels_last_convolution *layer = filling->layer;
  const fov_convolution *convolution = &layer->convolution;
  const size_t inputs = fov_channels_last_group_inputs(layer), outputs = fov_channels_last_group_outputs(layer);
  const size_t read = channel / (convolution->output_channels / convolution->groups);
  const fov_weight_taps row = {
      .values = filling->taps,
      .channels = inputs,
      .rows = convolution->kernel[0],
      .columns = convolution->kernel[1],
      .depthwise = layer->depthwise,
      .inputs = filling->inputs ? filling->inputs + read * inputs : NULL,
  };
  const float scale = fov_quantize_weights(&row, (int8_t *)filling->codes);
  fov_int8_pack_row(&filling->integers, channel % outputs, (const int8_t *)filling->codes, weights);
  return scale;
}

static void fill_channel(const filling *filling, size_t channel) {
  const fov_channels_last_convolution *layer = filling->layer;
  const size_t taps = fov_convolution_taps(filling->source);
  const size_t outputs = fov_channels_last_group_outputs(layer);
  const size_t group = channel / outputs, at = padded_channel(layer, channel);
  uint8_t *weights = filling->block + group * layer->panels * layer->panel_bytes;
  floats_at(filling->block, filling->parts.bias)[at] = filling->source->bias[channel];
  if (layer->coded) {
    fill_coded(filling, channel, at, weights);
    return;
  }
  fov_weight_store_panel(&filling->source->weights, channel, 1, 0, taps, filling->taps);
  if (!layer->integer) {
    fov_float_packing_add(&filling->floats, channel % outputs, filling->taps,
                          (float *)(void *)weights);
    return;
  }
  floats_at(filling->block, filling->parts.weight_scale)[at] =
      layer->int16 ? fill_int16(filling, channel % outputs, (int8_t *)weights)
                    : fill_bytes(filling, channel, (int8_t *)weights);
}

void fov_channels_last_sum_weights(fov_channels_last_convolution *layer, int32_t *weight_sums,
                            uint8_t *pairs_fit) {
  const size_t channels = fov_channels_last_channels(layer);
  fov_int8_sums sums = {.weight_sums = weight_sums, .pairs_fit = pairs_fit};
  if (layer->int16) {
    // Nobody reads them: zero is zero, and nothing is added in 16 bits.
    memset(weight_sums, 0, channels * sizeof *weight_sums);
    memset(pairs_fit, 1, channels / FOV_PANEL);
  } else {
    fov_int8_sum_panels(layer->weights, channels / FOV_PANEL, layer->panel_bytes, &sums);
  }
  layer->weight_sums = weight_sums;
  layer->pairs_fit = pairs_fit;
  layer->sums_are_small = sums.are_small;
}

static fov_status fill(filling *filling) {
  const size_t taps = fov_convolution_taps(filling->source);
  filling->taps = fov_allocate_array(taps, sizeof(float));
  filling->codes = fov_allocate_array(taps, filling->layer->int16 ? 2 * sizeof(int16_t) : 1);
  fov_status status = fov_status_out_of_memory;
  if (filling->taps && filling->codes) {
    const size_t channels = filling->source->convolution.output_channels;
    for (size_t channel = 0; channel < channels; channel++) fill_channel(filling, channel);
    if (filling->layer->integer) {
      fov_channels_last_sum_weights(
          filling->layer, (int32_t *)(void *)(filling->block + filling->parts.weight_sums),
          filling->block + filling->parts.pairs_fit);
    }
    status = fov_status_ok;
  }
  fov_release(filling->taps);
  fov_release(filling->codes);
  return status;
}

// MARK: creation

static fov_status create(filling *filling, const fov_channels_last_request *request) {
  fov_channels_last_convolution *layer = filling->layer;
  const fov_weight_store *store = &filling->source->weights;
  if (!plan(layer, &filling->integers, &filling->floats)) return fov_status_overflow;
  FOV_FORWARD(allocate(layer, store->encoding == fov_weight_encoding_linear, &filling->block,
                       &filling->parts));
  if (request->finish.has_table) {
    memcpy(filling->block + filling->parts.table, request->table, 256);
  }
  if (layer->coding.table) {
    memcpy(filling->block + filling->parts.code_table, store->table,
           ((size_t)1 << store->bits) * sizeof(float));
  }
  return fill(filling);
}

// Fewer weights take more memory as codes, with their table, than they save, or little less.
#define FEWEST_CODES 4096

static bool stays_coded(const fov_convolution_parameters *source,
                        const fov_channels_last_request *request) {
  const fov_weight_encoding encoding = source->weights.encoding;
  return request->keeps_codes && !request->integer && !fov_convolution_is_depthwise(source) &&
         (encoding == fov_weight_encoding_lookup_table ||
          encoding == fov_weight_encoding_linear) &&
         source->weights.rows * source->weights.columns >= FEWEST_CODES;
}

fov_status fov_channels_last_convolution_create(const fov_convolution_parameters *source,
                                         const fov_channels_last_request *request,
                                         fov_channels_last_convolution **out_layer,
                                         fov_diagnostic *diagnostic) {
  *out_layer = NULL;
  fov_channels_last_convolution *layer = fov_allocate(sizeof *layer);
  if (!layer) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  *layer = (fov_channels_last_convolution){
      .convolution = source->convolution,
      .input_channels = source->input_channels,
      .depthwise = fov_convolution_is_depthwise(source),
      .integer = request->integer,
      .int16 = request->int16,
      .coded = stays_coded(source, request),
      .pools = request->pools,
      .measured = request->measured,
      .finish = request->finish,
      .before_table = request->before_table,
  };
  filling filling = {.source = source, .layer = layer, .inputs = request->inputs};
  const fov_status status = create(&filling, request);
  if (status != fov_status_ok) {
    fov_release(layer->owned);
    fov_release(layer);
    return fov_fail(diagnostic, status, "weights cannot be packed: %s", fov_status_name(status));
  }
  *out_layer = layer;
  return fov_status_ok;
}

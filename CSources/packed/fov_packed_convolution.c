// Fovea - packing the weights of a convolution.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_packed_convolution.h"

#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "kernels/fov_float_packing.h"
#include "kernels/fov_weight_decode.h"
#include "packed/fov_weight_quantizer.h"

size_t fov_packed_channels(const fov_packed_convolution *packed) {
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  return groups * packed->panels * FOV_PANEL;
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

static bool lay_out(const fov_packed_convolution *packed, bool is_linear, parts *out_parts) {
  const size_t channels = fov_packed_channels(packed);
  const size_t integers = packed->integer ? channels : 0;
  const size_t coded = packed->coded ? channels : 0, linear = is_linear ? coded : 0;
  size_t weights;
  *out_parts = (parts){0};
  return fov_size_reserve(&out_parts->bytes, packed->weights_size, 1, &weights) &&
         fov_size_reserve(&out_parts->bytes, channels, sizeof(float), &out_parts->bias) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(float), &out_parts->weight_scale) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(int32_t), &out_parts->weight_sums) &&
         fov_size_reserve(&out_parts->bytes, integers / FOV_PANEL, 1, &out_parts->pairs_fit) &&
         fov_size_reserve(&out_parts->bytes, packed->finish.has_table ? 256 : 0, 1, &out_parts->table) &&
         fov_size_reserve(&out_parts->bytes, packed->coded && !is_linear ? 256 : 0, sizeof(float),
                          &out_parts->code_table) &&
         fov_size_reserve(&out_parts->bytes, linear, sizeof(float), &out_parts->code_scale) &&
         fov_size_reserve(&out_parts->bytes, linear, sizeof(float), &out_parts->code_offset) &&
         fov_size_reserve(&out_parts->bytes, coded, sizeof(float), &out_parts->code_factor);
}

static float *floats_at(uint8_t *block, size_t offset) {
  return (float *)(void *)(block + offset);
}

static void place_coding(fov_packed_convolution *packed, bool is_linear, uint8_t *block,
                         const parts *parts) {
  packed->coding = (fov_coded_weights){
      .codes = block,
      .table = is_linear ? NULL : floats_at(block, parts->code_table),
      .scale = is_linear ? floats_at(block, parts->code_scale) : NULL,
      .offset = is_linear ? floats_at(block, parts->code_offset) : NULL,
      .factor = floats_at(block, parts->code_factor),
  };
}

static fov_status allocate(fov_packed_convolution *packed, bool is_linear, uint8_t **out_block,
                           parts *out_parts) {
  if (!lay_out(packed, is_linear, out_parts)) return fov_status_overflow;
  uint8_t *block = fov_allocate(out_parts->bytes);
  if (!block) return fov_status_out_of_memory;
  packed->owned = block;
  packed->weights = block;
  packed->bias = floats_at(block, out_parts->bias);
  packed->weight_scale = floats_at(block, out_parts->weight_scale);
  packed->weight_sums = (const int32_t *)(const void *)(block + out_parts->weight_sums);
  packed->pairs_fit = block + out_parts->pairs_fit;
  packed->table = packed->finish.has_table ? block + out_parts->table : NULL;
  if (packed->coded) place_coding(packed, is_linear, block, out_parts);
  *out_block = block;
  return fov_status_ok;
}

// MARK: weights

static bool plan_floats(fov_packed_convolution *packed, fov_float_packing *packing) {
  const size_t *kernel = packed->convolution.kernel;
  const bool fits =
      packed->depthwise
          ? fov_float_packing_plan_depthwise(fov_packed_group_outputs(packed), kernel, packing)
          : fov_float_packing_plan(fov_packed_group_outputs(packed),
                                   fov_packed_group_inputs(packed), kernel, packing);
  packed->block = packing->block;
  packed->panels = packing->panels;
  const size_t weight_bytes = packed->coded ? 1 : sizeof(float);
  packed->panel_weights = packing->panel_floats;
  packed->panel_bytes = packing->panel_floats * weight_bytes;
  packed->weights_size = packing->bytes / sizeof(float) * weight_bytes;
  return fits;
}

// Several rows of the tile's pixels at this many channels lie in the first cache together.
#define INTEGER_BLOCK 128

fov_int8_shape fov_packed_int8_shape(const fov_packed_convolution *packed) {
  const size_t *kernel = packed->convolution.kernel;
  const size_t inputs =
      packed->depthwise ? 1 : fov_packed_group_inputs(packed) * fov_packed_code_bytes(packed);
  const size_t channels = fov_int8_padded_channels(inputs);
  const bool one_tap = kernel[0] == 1 && kernel[1] == 1;
  return (fov_int8_shape){
      .output_channels = fov_packed_group_outputs(packed),
      .input_channels = inputs,
      .kernel = {kernel[0], kernel[1]},
      .block = one_tap ? channels : fov_size_min(channels, INTEGER_BLOCK),
      .depthwise = packed->depthwise,
  };
}

static bool plan_integers(fov_packed_convolution *packed, fov_int8_shape *shape) {
  *shape = fov_packed_int8_shape(packed);
  packed->block = shape->block;
  packed->panels = fov_int8_panels(shape->output_channels);
  const bool fits = fov_int8_packed_bytes(shape, &packed->panel_bytes, &packed->weights_size);
  packed->panel_weights = packed->panel_bytes;
  return fits;
}

static bool plan(fov_packed_convolution *packed, fov_int8_shape *integers,
                 fov_float_packing *floats) {
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  return (packed->integer ? plan_integers(packed, integers) : plan_floats(packed, floats)) &&
         fov_size_multiply(packed->weights_size, groups, &packed->weights_size);
}

bool fov_packed_convolution_plan(fov_packed_convolution *packed) {
  fov_int8_shape integers;
  fov_float_packing floats;
  return plan(packed, &integers, &floats);
}

// Where channel o of the layer's output lies in padded arrays.
static size_t padded_channel(const fov_packed_convolution *packed, size_t channel) {
  const size_t outputs = fov_packed_group_outputs(packed);
  return channel / outputs * packed->panels * FOV_PANEL + channel % outputs;
}

typedef struct filling {
  const fov_convolution_parameters *source;
  fov_packed_convolution *packed;
  uint8_t *block;
  parts parts;
  fov_float_packing floats;
  fov_int8_shape integers;
  float *taps;     // of one output channel
  uint8_t *codes;  // the same: quantized, or as stored; of words as bytes in order, and as words
  const fov_channel_range *inputs;  // of all groups, or NULL
} filling;

static void fill_coded(const filling *filling, size_t channel, size_t at, uint8_t *weights) {
  const fov_weight_store *store = &filling->source->weights;
  const parts *parts = &filling->parts;
  const size_t taps = fov_convolution_taps(filling->source);
  fov_weight_codes(store, channel * taps, taps, filling->codes);
  fov_float_packing_add_codes(&filling->floats,
                              channel % fov_packed_group_outputs(filling->packed), filling->codes,
                              weights);
  floats_at(filling->block, parts->code_factor)[at] =
      store->row_factor ? store->row_factor[channel] : 1.0f;
  if (filling->packed->coding.table) return;
  const size_t scale = channel * taps / store->channel_stride % store->channel_count;
  floats_at(filling->block, parts->code_scale)[at] = store->scale[scale];
  floats_at(filling->block, parts->code_offset)[at] = store->bias[scale];
}

// Words, of taps [input][position], as rows of bytes, in which the two of a word are inputs side by side.
static float fill_words(const filling *filling, size_t output, int8_t *weights) {
  const size_t *kernel = filling->packed->convolution.kernel, positions = kernel[0] * kernel[1];
  const size_t taps = fov_convolution_taps(filling->source);
  int8_t *bytes = (int8_t *)filling->codes;
  int16_t *words = (int16_t *)(void *)(filling->codes + taps * sizeof(int16_t));
  const float scale = fov_quantize_weights_to_words(filling->taps, taps, words);
  for (size_t i = 0; i < taps; i++) {
    int8_t both[sizeof(int16_t)];
    memcpy(both, &words[i], sizeof both);
    int8_t *at = bytes + i / positions * positions * 2 + i % positions;
    at[0] = both[0];
    at[positions] = both[1];
  }
  fov_int8_pack_row(&filling->integers, output, bytes, weights);
  return scale;
}

static float fill_bytes(const filling *filling, size_t channel, int8_t *weights) {
  const fov_packed_convolution *packed = filling->packed;
  const fov_convolution *convolution = &packed->convolution;
  const size_t inputs = fov_packed_group_inputs(packed), outputs = fov_packed_group_outputs(packed);
  const size_t read = channel / (convolution->output_channels / convolution->groups);
  const fov_weight_taps row = {
      .values = filling->taps,
      .channels = inputs,
      .rows = convolution->kernel[0],
      .columns = convolution->kernel[1],
      .depthwise = packed->depthwise,
      .inputs = filling->inputs ? filling->inputs + read * inputs : NULL,
  };
  const float scale = fov_quantize_weights(&row, (int8_t *)filling->codes);
  fov_int8_pack_row(&filling->integers, channel % outputs, (const int8_t *)filling->codes, weights);
  return scale;
}

static void fill_channel(const filling *filling, size_t channel) {
  const fov_packed_convolution *packed = filling->packed;
  const size_t taps = fov_convolution_taps(filling->source);
  const size_t outputs = fov_packed_group_outputs(packed);
  const size_t group = channel / outputs, at = padded_channel(packed, channel);
  uint8_t *weights = filling->block + group * packed->panels * packed->panel_bytes;
  floats_at(filling->block, filling->parts.bias)[at] = filling->source->bias[channel];
  if (packed->coded) {
    fill_coded(filling, channel, at, weights);
    return;
  }
  fov_weight_store_panel(&filling->source->weights, channel, 1, 0, taps, filling->taps);
  if (!packed->integer) {
    fov_float_packing_add(&filling->floats, channel % outputs, filling->taps,
                          (float *)(void *)weights);
    return;
  }
  floats_at(filling->block, filling->parts.weight_scale)[at] =
      packed->words ? fill_words(filling, channel % outputs, (int8_t *)weights)
                    : fill_bytes(filling, channel, (int8_t *)weights);
}

void fov_packed_sum_weights(fov_packed_convolution *packed, int32_t *weight_sums,
                            uint8_t *pairs_fit) {
  const size_t channels = fov_packed_channels(packed);
  fov_int8_sums sums = {.weight_sums = weight_sums, .pairs_fit = pairs_fit};
  if (packed->words) {
    // Nobody reads them: zero is zero, and nothing is added in 16 bits.
    memset(weight_sums, 0, channels * sizeof *weight_sums);
    memset(pairs_fit, 1, channels / FOV_PANEL);
  } else {
    fov_int8_sum_panels(packed->weights, channels / FOV_PANEL, packed->panel_bytes, &sums);
  }
  packed->weight_sums = weight_sums;
  packed->pairs_fit = pairs_fit;
  packed->sums_are_small = sums.are_small;
}

static fov_status fill(filling *filling) {
  const size_t taps = fov_convolution_taps(filling->source);
  filling->taps = fov_allocate_array(taps, sizeof(float));
  filling->codes = fov_allocate_array(taps, filling->packed->words ? 2 * sizeof(int16_t) : 1);
  fov_status status = fov_status_out_of_memory;
  if (filling->taps && filling->codes) {
    const size_t channels = filling->source->convolution.output_channels;
    for (size_t channel = 0; channel < channels; channel++) fill_channel(filling, channel);
    if (filling->packed->integer) {
      fov_packed_sum_weights(
          filling->packed, (int32_t *)(void *)(filling->block + filling->parts.weight_sums),
          filling->block + filling->parts.pairs_fit);
    }
    status = fov_status_ok;
  }
  fov_release(filling->taps);
  fov_release(filling->codes);
  return status;
}

// MARK: creation

static fov_status create(filling *filling, const fov_packed_request *request) {
  fov_packed_convolution *packed = filling->packed;
  const fov_weight_store *store = &filling->source->weights;
  if (!plan(packed, &filling->integers, &filling->floats)) return fov_status_overflow;
  FOV_FORWARD(allocate(packed, store->encoding == fov_weight_encoding_linear, &filling->block,
                       &filling->parts));
  if (request->finish.has_table) {
    memcpy(filling->block + filling->parts.table, request->table, 256);
  }
  if (packed->coding.table) {
    memcpy(filling->block + filling->parts.code_table, store->table,
           ((size_t)1 << store->bits) * sizeof(float));
  }
  return fill(filling);
}

// Fewer weights take more memory as codes, with their table, than they save, or little less.
#define FEWEST_CODES 4096

static bool stays_coded(const fov_convolution_parameters *source,
                        const fov_packed_request *request) {
  const fov_weight_encoding encoding = source->weights.encoding;
  return request->keeps_codes && !request->integer && !fov_convolution_is_depthwise(source) &&
         (encoding == fov_weight_encoding_lookup_table ||
          encoding == fov_weight_encoding_linear) &&
         source->weights.rows * source->weights.columns >= FEWEST_CODES;
}

fov_status fov_packed_convolution_create(const fov_convolution_parameters *source,
                                         const fov_packed_request *request,
                                         fov_packed_convolution **out_packed,
                                         fov_diagnostic *diagnostic) {
  *out_packed = NULL;
  fov_packed_convolution *packed = fov_allocate(sizeof *packed);
  if (!packed) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  *packed = (fov_packed_convolution){
      .convolution = source->convolution,
      .input_channels = source->input_channels,
      .depthwise = fov_convolution_is_depthwise(source),
      .integer = request->integer,
      .words = request->words,
      .coded = stays_coded(source, request),
      .pools = request->pools,
      .measured = request->measured,
      .finish = request->finish,
      .before_table = request->before_table,
  };
  filling filling = {.source = source, .packed = packed, .inputs = request->inputs};
  const fov_status status = create(&filling, request);
  if (status != fov_status_ok) {
    fov_release(packed->owned);
    fov_release(packed);
    return fov_fail(diagnostic, status, "weights cannot be packed: %s", fov_status_name(status));
  }
  *out_packed = packed;
  return fov_status_ok;
}

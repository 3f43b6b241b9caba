// Fovea - packing the weights of a convolution, and what follows the sums.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_packed_convolution.h"

#include <math.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "kernels/fov_float_packing.h"
#include "kernels/fov_int8_packing.h"
#include "packed/fov_weight_quantizer.h"

size_t fov_packed_channels(const fov_packed_convolution *packed) {
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  return groups * packed->panels * FOV_PANEL;
}

// MARK: memory

// One block holds everything, weights first:
//
//   weights | bias | weight_scale | weight_sums | pairs_fit | table
typedef struct parts {
  size_t bias, weight_scale, weight_sums, pairs_fit, table, bytes;
} parts;

static bool lay_out(const fov_packed_convolution *packed, parts *out_parts) {
  const size_t channels = fov_packed_channels(packed);
  const size_t integers = packed->integer ? channels : 0;
  size_t weights;
  *out_parts = (parts){0};
  return fov_size_reserve(&out_parts->bytes, packed->weights_size, 1, &weights) &&
         fov_size_reserve(&out_parts->bytes, channels, sizeof(float), &out_parts->bias) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(float), &out_parts->weight_scale) &&
         fov_size_reserve(&out_parts->bytes, integers, sizeof(int32_t), &out_parts->weight_sums) &&
         fov_size_reserve(&out_parts->bytes, integers / FOV_PANEL, 1, &out_parts->pairs_fit) &&
         fov_size_reserve(&out_parts->bytes, packed->finish.has_table ? 256 : 0, 1, &out_parts->table);
}

static fov_status allocate(fov_packed_convolution *packed, uint8_t **out_block, parts *out_parts) {
  if (!lay_out(packed, out_parts)) return fov_status_overflow;
  uint8_t *block = fov_allocate(out_parts->bytes);
  if (!block) return fov_status_out_of_memory;
  packed->owned = block;
  packed->weights = block;
  packed->bias = (const float *)(const void *)(block + out_parts->bias);
  packed->weight_scale = (const float *)(const void *)(block + out_parts->weight_scale);
  packed->weight_sums = (const int32_t *)(const void *)(block + out_parts->weight_sums);
  packed->pairs_fit = block + out_parts->pairs_fit;
  packed->table = packed->finish.has_table ? block + out_parts->table : NULL;
  *out_block = block;
  return fov_status_ok;
}

// MARK: weights

static bool plan_floats(fov_packed_convolution *packed, fov_float_packing *packing) {
  const size_t *kernel = packed->convolution.kernel;
  const bool fits =
      packed->depthwise
          ? fov_float_packing_plan_depthwise(fov_packed_group_outputs(packed), kernel, packing)
          : fov_float_packing_plan(fov_packed_group_outputs(packed), fov_packed_group_inputs(packed), kernel, packing);
  packed->block = packing->block;
  packed->panels = packing->panels;
  packed->panel_bytes = packing->panel_floats * sizeof(float);
  packed->weights_size = packing->bytes;
  return fits;
}

// Several rows of the tile's pixels at this many channels lie in the first cache together.
#define INTEGER_BLOCK 128

static bool plan_integers(fov_packed_convolution *packed, fov_int8_shape *shape) {
  const size_t *kernel = packed->convolution.kernel;
  const size_t channels = fov_int8_padded_channels(packed->depthwise ? 1 : fov_packed_group_inputs(packed));
  const bool one_tap = kernel[0] == 1 && kernel[1] == 1;
  *shape = (fov_int8_shape){
      .output_channels = fov_packed_group_outputs(packed),
      .input_channels = packed->depthwise ? 1 : fov_packed_group_inputs(packed),
      .kernel = {kernel[0], kernel[1]},
      .block = one_tap ? channels : fov_size_min(channels, INTEGER_BLOCK),
      .depthwise = packed->depthwise,
  };
  packed->block = shape->block;
  packed->panels = fov_int8_panels(shape->output_channels);
  return fov_int8_packed_bytes(shape, &packed->panel_bytes, &packed->weights_size);
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
  int8_t *codes;   // the same, quantized
} filling;

static void fill_channel(const filling *filling, size_t channel) {
  const fov_packed_convolution *packed = filling->packed;
  const size_t taps = fov_convolution_taps(filling->source);
  const size_t outputs = fov_packed_group_outputs(packed);
  const size_t group = channel / outputs, at = padded_channel(packed, channel);
  uint8_t *weights = filling->block + group * packed->panels * packed->panel_bytes;
  fov_weight_store_panel(&filling->source->weights, channel, 1, 0, taps, filling->taps);
  ((float *)(void *)(filling->block + filling->parts.bias))[at] = filling->source->bias[channel];
  if (!packed->integer) {
    fov_float_packing_add(&filling->floats, channel % outputs, filling->taps,
                          (float *)(void *)weights);
    return;
  }
  const size_t positions = packed->convolution.kernel[0] * packed->convolution.kernel[1];
  const float scale =
      fov_quantize_weights(filling->taps, taps / positions, positions,
                           packed->depthwise ? packed->convolution.kernel[0] : 0, filling->codes);
  ((float *)(void *)(filling->block + filling->parts.weight_scale))[at] = scale;
  fov_int8_pack_row(&filling->integers, channel % outputs, filling->codes, (int8_t *)weights);
}

static void sum_weights(fov_packed_convolution *packed, int32_t *weight_sums, uint8_t *pairs_fit) {
  fov_int8_sums sums = {.weight_sums = weight_sums, .pairs_fit = pairs_fit};
  fov_int8_sum_panels(packed->weights, fov_packed_channels(packed) / FOV_PANEL, packed->panel_bytes,
                      &sums);
  packed->weight_sums = weight_sums;
  packed->pairs_fit = pairs_fit;
  packed->sums_are_small = sums.are_small;
}

static fov_status fill(filling *filling) {
  const size_t taps = fov_convolution_taps(filling->source);
  filling->taps = fov_allocate_array(taps, sizeof(float));
  filling->codes = fov_allocate_array(taps, 1);
  fov_status status = fov_status_out_of_memory;
  if (filling->taps && filling->codes) {
    const size_t channels = filling->source->convolution.output_channels;
    for (size_t channel = 0; channel < channels; channel++) fill_channel(filling, channel);
    if (filling->packed->integer) {
      sum_weights(filling->packed, (int32_t *)(void *)(filling->block + filling->parts.weight_sums),
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
  const bool fits = packed->integer ? plan_integers(packed, &filling->integers)
                                    : plan_floats(packed, &filling->floats);
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  if (!fits || !fov_size_multiply(packed->weights_size, groups, &packed->weights_size)) {
    return fov_status_overflow;
  }
  FOV_FORWARD(allocate(packed, &filling->block, &filling->parts));
  if (request->finish.has_table) {
    memcpy(filling->block + filling->parts.table, request->table, 256);
  }
  return fill(filling);
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
      .pools = request->pools,
      .measured = request->measured,
      .finish = request->finish,
      .before_table = request->before_table,
  };
  filling filling = {.source = source, .packed = packed};
  const fov_status status = create(&filling, request);
  if (status != fov_status_ok) {
    fov_release(packed->owned);
    fov_release(packed);
    return fov_fail(diagnostic, status, "weights cannot be packed: %s", fov_status_name(status));
  }
  *out_packed = packed;
  return fov_status_ok;
}

// MARK: what follows the sums

// In steps of the result, in double precision until the end: sum * scale + bias, where
//   scale = input scale * weight scale / output scale
//   bias  = real bias / output scale - scale * input zero point * sum of weights
//           + output zero point - residual zero point * residual scale / output scale
void fov_packed_epilogue(const fov_packed_convolution *packed, fov_packed_codes codes,
                         float *out_arrays) {
  const size_t channels = fov_packed_channels(packed);
  const fov_quantization input = codes.input;
  const double step = codes.output ? (double)codes.output->scale : 1.0;
  const double residual = codes.residual ? (double)codes.residual->zero_point *
                                               (double)codes.residual->scale / step
                                         : 0.0;
  const double zero = (codes.output ? (double)codes.output->zero_point : 0.0) - residual;
  const double slope = (double)packed->finish.slope;
  for (size_t c = 0; c < channels; c++) {
    const double scale = (double)input.scale * (double)packed->weight_scale[c] / step;
    const double bias = (double)packed->bias[c] / step -
                        scale * (double)input.zero_point * (double)packed->weight_sums[c];
    out_arrays[c] = (float)scale;
    out_arrays[channels + c] = (float)(bias + zero);
    out_arrays[2 * channels + c] = (float)(slope * scale);
    out_arrays[3 * channels + c] = (float)(slope * bias + zero);
  }
}

// Results stay below this, so that rounding them to integers is defined everywhere.
#define LARGEST_RESULT 1073741824.0

fov_status fov_packed_convolution_prepare(fov_packed_convolution *packed, fov_packed_codes codes,
                                          fov_diagnostic *diagnostic) {
  const size_t channels = fov_packed_channels(packed);
  packed->epilogue = fov_allocate_array(channels, 4 * sizeof(float));
  if (!packed->epilogue) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for scales");
  }
  fov_packed_epilogue(packed, codes, packed->epilogue);
  if (!codes.output) return fov_status_ok;
  // A byte is a weight of one of a panel's channels.
  const double products = 255.0 * 128.0 * (double)(packed->panel_bytes / FOV_PANEL);
  for (size_t c = 0; c < channels; c++) {
    const double largest = products * fabs((double)packed->epilogue[c]) +
                           fabs((double)packed->epilogue[channels + c]);
    if (largest < LARGEST_RESULT) continue;
    return fov_fail(diagnostic, fov_status_unsupported,
                    "the range measured for a result is %g times smaller than its values can be",
                    largest / 255.0);
  }
  return fov_status_ok;
}

// MARK: compiled files

static bool plan(fov_packed_convolution *packed) {
  fov_int8_shape integers;
  fov_float_packing floats;
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  return (packed->integer ? plan_integers(packed, &integers) : plan_floats(packed, &floats)) &&
         fov_size_multiply(packed->weights_size, groups, &packed->weights_size);
}

static void archive_finish(fov_archive *archive, fov_packed_finish *finish) {
  fov_archive_f32(archive, &finish->slope);
  fov_archive_f32(archive, &finish->lowest);
  fov_archive_f32(archive, &finish->highest);
  fov_archive_bool(archive, &finish->has_residual);
  fov_archive_bool(archive, &finish->has_table);
}

static void archive_floats(fov_archive *archive, const float **floats, size_t count) {
  const void *place = *floats;
  fov_archive_block_in_place(archive, &place, count, sizeof(float));
  *floats = place;
}

void fov_packed_convolution_archive(fov_archive *archive, void *parameters) {
  fov_packed_convolution *packed = parameters;
  fov_convolution_archive(archive, &packed->convolution, &packed->input_channels);
  fov_archive_bool(archive, &packed->integer);
  fov_archive_bool(archive, &packed->pools);
  fov_archive_bool(archive, &packed->measured);
  archive_finish(archive, &packed->finish);
  fov_quantization_archive(archive, &packed->before_table);
  if (fov_archive_reads(archive)) {
    const fov_convolution_parameters source = {.convolution = packed->convolution,
                                               .input_channels = packed->input_channels};
    packed->depthwise = fov_convolution_is_depthwise(&source);
    if (!plan(packed)) fov_archive_fail(archive, fov_status_overflow, "weights overflow");
  }
  if (archive->status != fov_status_ok) return;
  const size_t channels = fov_packed_channels(packed);
  fov_archive_block_in_place(archive, &packed->weights, packed->weights_size, 1);
  archive_floats(archive, &packed->bias, channels);
  if (packed->integer) archive_floats(archive, &packed->weight_scale, channels);
  if (packed->finish.has_table) {
    const void *table = packed->table;
    fov_archive_block_in_place(archive, &table, 256, 1);
    packed->table = table;
  }
}

fov_status fov_packed_convolution_restore(void *parameters, const fov_tensor *inputs,
                                          const fov_tensor *output, fov_diagnostic *diagnostic) {
  fov_packed_convolution *packed = parameters;
  if (!packed->integer) return fov_status_ok;
  const size_t channels = fov_packed_channels(packed), panels = channels / FOV_PANEL;
  int32_t *sums = fov_allocate(channels * sizeof(int32_t) + panels);
  if (!sums) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  packed->owned = sums;
  sum_weights(packed, sums, (uint8_t *)(sums + channels));
  if (packed->measured) return fov_status_ok;
  const fov_quantization *result =
      packed->finish.has_table ? &packed->before_table : &output->format->quantization;
  const fov_packed_codes codes = {
      .input = inputs[0].format->quantization,
      .output = output->type == fov_data_type_uint8 ? result : NULL,
      .residual = packed->finish.has_residual ? &inputs[1].format->quantization : NULL,
  };
  return fov_packed_convolution_prepare(packed, codes, diagnostic);
}

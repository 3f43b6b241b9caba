// Fovea - from a packed convolution and its memory to what kernels take.
// SPDX-License-Identifier: Apache-2.0
#include "packed/fov_packed_call.h"

#include <math.h>

#include "kernels/fov_int8_packing.h"

// The window of output pixel (0, 0) begins in the border.
static const uint8_t *window_begin(const fov_packed_convolution *packed, const fov_packed_planes *at,
                                   size_t channel, size_t element) {
  const ptrdiff_t above = (ptrdiff_t)packed->convolution.before[0] * at->input.row;
  const ptrdiff_t beside = (ptrdiff_t)packed->convolution.before[1] * at->input.pixel;
  return (const uint8_t *)at->input.data +
         ((ptrdiff_t)channel - above - beside) * (ptrdiff_t)element;
}

static uint8_t code_of(float value, const fov_quantization *quantization, uint8_t fallback) {
  if (!isfinite(value)) return fallback;
  const double code = nearbyint((double)value / (double)quantization->scale) +
                      (double)quantization->zero_point;
  return (uint8_t)(code < 0.0 ? 0.0 : code > 255.0 ? 255.0 : code);
}

static fov_int8_result result_of(fov_data_type type) {
  if (type == fov_data_type_float32) return fov_int8_result_floats;
  return type == fov_data_type_int16 ? fov_int8_result_words : fov_int8_result_codes;
}

// A bound as a word, in range.
static float word_of(float value, float scale) {
  const float largest = (float)FOV_LARGEST_WORD;
  return fminf(fmaxf(value / scale, -largest), largest);
}

static void set_int8_epilogue(const fov_packed_place *place, size_t first_channel,
                              fov_int8_epilogue *out) {
  const fov_packed_convolution *packed = place->packed;
  const fov_packed_finish *finish = &packed->finish;
  const size_t channels = fov_packed_channels(packed);
  const float *arrays = place->epilogue + first_channel;
  const bool sloped = finish->slope != 1.0f;
  *out = (fov_int8_epilogue){
      .scale = arrays,
      .bias = arrays + channels,
      .negative_scale = sloped ? arrays + 2 * channels : NULL,
      .negative_bias = sloped ? arrays + 3 * channels : NULL,
      .table = finish->has_table ? packed->table : NULL,
      .lowest = 0,
      .highest = 255,
      .result = result_of(place->run->output.type),
      .lowest_value = finish->lowest,
      .highest_value = finish->highest,
  };
  if (out->result == fov_int8_result_floats) return;
  if (out->result == fov_int8_result_words) {
    const float scale = place->run->output.format->quantization.scale;
    out->lowest_value = word_of(finish->lowest, scale);
    out->highest_value = word_of(finish->highest, scale);
    return;
  }
  const fov_quantization output =
      finish->has_table ? packed->before_table : fov_format_quantization(&place->run->output);
  out->lowest = code_of(finish->lowest, &output, 0);
  out->highest = code_of(finish->highest, &output, 255);
  if (!finish->has_residual) return;
  const fov_quantization residual = fov_format_quantization(&place->run->inputs[1]);
  out->residual = (const uint8_t *)place->at.residual.data;
  out->residual_row = place->at.residual.row;
  out->residual_pixel = place->at.residual.pixel;
  out->residual_scale = residual.scale / output.scale;
}

static void set_float_epilogue(const fov_packed_place *place, size_t first_channel, size_t channel,
                               fov_float_epilogue *out) {
  const fov_packed_finish *finish = &place->packed->finish;
  *out = (fov_float_epilogue){
      .bias = place->packed->bias + first_channel,
      .slope = finish->slope,
      .lowest = finish->lowest,
      .highest = finish->highest,
  };
  if (!finish->has_residual) return;
  out->residual = (const float *)place->at.residual.data + channel;
  out->residual_row = place->at.residual.row;
  out->residual_pixel = place->at.residual.pixel;
}

// Geometry of a kernel call; the four structures name the same fields.
#define SET_GEOMETRY(call, place)                                          \
  do {                                                                     \
    for (int axis = 0; axis < 2; axis++) {                                 \
      (call).kernel[axis] = (place)->packed->convolution.kernel[axis];     \
      (call).stride[axis] = (place)->packed->convolution.stride[axis];     \
      (call).dilation[axis] = (place)->packed->convolution.dilation[axis]; \
    }                                                                      \
    (call).input_row = (place)->at.input.row;                              \
    (call).input_pixel = (place)->at.input.pixel;                          \
    (call).output_row = (place)->at.output.row;                            \
    (call).output_pixel = (place)->at.output.pixel;                        \
    (call).rows = (place)->result.rows;                                    \
    (call).columns = (place)->result.columns;                              \
  } while (0)

static void *output_at(const fov_packed_place *place, size_t channel) {
  return (uint8_t *)place->at.output.data + channel * fov_data_type_bytes(place->run->output.type);
}

fov_int8_convolution fov_packed_int8_call(const fov_packed_place *place) {
  const fov_packed_convolution *packed = place->packed;
  const size_t first_panel = place->group * packed->panels;
  const size_t channel = place->group * fov_packed_group_outputs(packed);
  const size_t code = fov_packed_code_bytes(packed);
  fov_int8_convolution call = {
      .input = window_begin(packed, &place->at, place->group * fov_packed_group_inputs(packed), code),
      .channels = fov_int8_padded_channels(fov_packed_group_inputs(packed) * code),
      .block = packed->block,
      .weights = (const int8_t *)packed->weights + first_panel * packed->panel_bytes,
      .weight_sums = packed->weight_sums + first_panel * FOV_PANEL,
      .pairs_fit = packed->pairs_fit + first_panel,
      .panel_bytes = packed->panel_bytes,
      .pools = packed->pools,
      .output_channels = fov_packed_group_outputs(packed),
      .output = output_at(place, channel),
  };
  SET_GEOMETRY(call, place);
  call.input_row *= (ptrdiff_t)code;
  call.input_pixel *= (ptrdiff_t)code;
  set_int8_epilogue(place, first_panel * FOV_PANEL, &call.epilogue);
  if (call.epilogue.residual) call.epilogue.residual += channel;
  return call;
}

fov_float_convolution fov_packed_float_call(const fov_packed_place *place, const float *weights) {
  const fov_packed_convolution *packed = place->packed;
  const size_t first_panel = place->group * packed->panels;
  const size_t channel = place->group * fov_packed_group_outputs(packed);
  fov_float_convolution call = {
      .input = (const float *)(const void *)window_begin(
          packed, &place->at, place->group * fov_packed_group_inputs(packed), sizeof(float)),
      .channels = fov_packed_group_inputs(packed),
      .block = packed->block,
      .weights = weights,
      .panel_floats = packed->panel_weights,
      .pools = packed->pools,
      .output_channels = fov_packed_group_outputs(packed),
      .output = output_at(place, channel),
  };
  SET_GEOMETRY(call, place);
  set_float_epilogue(place, first_panel * FOV_PANEL, channel, &call.epilogue);
  return call;
}

fov_int8_depthwise fov_packed_int8_depthwise_call(const fov_packed_place *place) {
  const fov_packed_convolution *packed = place->packed;
  fov_int8_depthwise call = {
      .input = window_begin(packed, &place->at, 0, 1),
      .weights = packed->weights,
      .weight_sums = packed->weight_sums,
      .pairs_fit = packed->pairs_fit,
      .channels = packed->input_channels,
      .output = place->at.output.data,
  };
  SET_GEOMETRY(call, place);
  set_int8_epilogue(place, 0, &call.epilogue);
  return call;
}

fov_float_depthwise fov_packed_float_depthwise_call(const fov_packed_place *place) {
  const fov_packed_convolution *packed = place->packed;
  fov_float_depthwise call = {
      .input = (const float *)(const void *)window_begin(packed, &place->at, 0, sizeof(float)),
      .weights = packed->weights,
      .channels = packed->input_channels,
      .output = place->at.output.data,
  };
  SET_GEOMETRY(call, place);
  set_float_epilogue(place, 0, 0, &call.epilogue);
  return call;
}

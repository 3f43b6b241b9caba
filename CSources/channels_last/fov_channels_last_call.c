// Fovea - the arguments of kernels, from a channels-last convolution and its memory.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_call.h"

#include <math.h>

#include "weights/fov_int8_packing.h"

// The window of output pixel (0, 0) begins in the border.
static const uint8_t *window_begin(const fov_channels_last_convolution *layer,
                                   const fov_channels_last_planes *at, size_t channel,
                                   size_t element) {
  const ptrdiff_t above = (ptrdiff_t)layer->convolution.before[0] * at->input.row;
  const ptrdiff_t beside = (ptrdiff_t)layer->convolution.before[1] * at->input.pixel;
  return (const uint8_t *)at->input.data +
         ((ptrdiff_t)channel - above - beside) * (ptrdiff_t)element;
}

static uint8_t code_of(float value, const fov_quantization *quantization, uint8_t fallback) {
  if (!isfinite(value)) return fallback;
  const double code =
      nearbyint((double)value / (double)quantization->scale) + (double)quantization->zero_point;
  return (uint8_t)(code < 0.0 ? 0.0 : code > 255.0 ? 255.0 : code);
}

static fov_int8_result result_of(const fov_channels_last_place *place) {
  const fov_data_type type = place->run->output.type;
  if (place->to_floats || type == fov_data_type_float32) return fov_int8_result_floats;
  return type == fov_data_type_int16 ? fov_int8_result_int16 : fov_int8_result_codes;
}

// A bound as a 16-bit integer, clamped to their range.
static float int16_of(float value, float scale) {
  const float largest = (float)FOV_LARGEST_INT16;
  return fminf(fmaxf(value / scale, -largest), largest);
}

static void set_int8_epilogue(const fov_channels_last_place *place, size_t first_channel,
                              fov_int8_epilogue *out) {
  const fov_channels_last_convolution *layer = place->layer;
  const fov_fused_activation *activation = &layer->activation;
  const size_t channels = fov_packed_channels(&layer->weights);
  const float *arrays = place->epilogue + first_channel;
  const bool sloped = activation->slope != 1.0f;
  *out = (fov_int8_epilogue){
      .scale = arrays,
      .bias = arrays + channels,
      .negative_scale = sloped ? arrays + 2 * channels : NULL,
      .negative_bias = sloped ? arrays + 3 * channels : NULL,
      .lowest = 0,
      .highest = 255,
      .result = result_of(place),
      .lowest_value = activation->lowest,
      .highest_value = activation->highest,
  };
  if (out->result == fov_int8_result_floats) return;
  if (out->result == fov_int8_result_int16) {
    const float scale = place->run->output.format->quantization.scale;
    out->lowest_value = int16_of(activation->lowest, scale);
    out->highest_value = int16_of(activation->highest, scale);
    return;
  }
  const fov_quantization output =
      activation->has_table ? layer->before_table : fov_format_quantization(&place->run->output);
  out->lowest = code_of(activation->lowest, &output, 0);
  out->highest = code_of(activation->highest, &output, 255);
  if (layer->rounds_first) out->zero = (float)output.zero_point;
  if (!activation->has_residual) return;
  const fov_quantization residual = fov_format_quantization(&place->run->inputs[1]);
  out->residual = (const uint8_t *)place->at.residual.data;
  out->residual_row = place->at.residual.row;
  out->residual_pixel = place->at.residual.pixel;
  out->residual_scale = residual.scale / output.scale;
}

static void set_float_epilogue(const fov_channels_last_place *place, size_t first_channel,
                               size_t channel, fov_float_epilogue *out) {
  const fov_fused_activation *activation = &place->layer->activation;
  *out = (fov_float_epilogue){
      .bias = place->layer->weights.bias + first_channel,
      .slope = activation->slope,
      .lowest = activation->lowest,
      .highest = activation->highest,
  };
  if (!activation->has_residual || activation->curve != fov_float_curve_none) return;
  out->residual = (const float *)place->at.residual.data + channel;
  out->residual_row = place->at.residual.row;
  out->residual_pixel = place->at.residual.pixel;
}

// Geometry of a kernel call. The four structures have the same fields.
#define SET_GEOMETRY(call, place)                                         \
  do {                                                                    \
    for (int axis = 0; axis < 2; axis++) {                                \
      (call).kernel[axis] = (place)->layer->convolution.kernel[axis];     \
      (call).stride[axis] = (place)->layer->convolution.stride[axis];     \
      (call).dilation[axis] = (place)->layer->convolution.dilation[axis]; \
    }                                                                     \
    (call).input_row = (place)->at.input.row;                             \
    (call).input_pixel = (place)->at.input.pixel;                         \
    (call).output_row = (place)->at.output.row;                           \
    (call).output_pixel = (place)->at.output.pixel;                       \
    (call).rows = (place)->result.rows;                                   \
    (call).columns = (place)->result.columns;                             \
  } while (0)

static void *output_at(const fov_channels_last_place *place, size_t channel) {
  return (uint8_t *)place->at.output.data + channel * fov_channels_last_element(place);
}

fov_int8_convolution fov_channels_last_int8_call(const fov_channels_last_place *place) {
  const fov_channels_last_convolution *layer = place->layer;
  const size_t first_panel = place->group * layer->weights.panels;
  const size_t channel = place->group * layer->weights.group_outputs;
  const size_t code = fov_packed_code_bytes(&layer->weights);
  fov_int8_convolution call = {
      .input = window_begin(layer, &place->at, place->group * layer->weights.group_inputs, code),
      .channels = fov_int8_padded_channels(layer->weights.group_inputs * code),
      .block = layer->weights.block,
      .weights =
          (const int8_t *)layer->weights.panel_data + first_panel * layer->weights.panel_bytes,
      .weight_sums = layer->weights.sums + first_panel * FOV_PANEL,
      .pairs_fit = layer->weights.pairs_fit + first_panel,
      .panel_bytes = layer->weights.panel_bytes,
      .pools = layer->pools,
      .output_channels = layer->weights.group_outputs,
      .output = output_at(place, channel),
  };
  SET_GEOMETRY(call, place);
  call.input_row *= (ptrdiff_t)code;
  call.input_pixel *= (ptrdiff_t)code;
  set_int8_epilogue(place, first_panel * FOV_PANEL, &call.epilogue);
  if (call.epilogue.residual) call.epilogue.residual += channel;
  return call;
}

fov_float_convolution fov_channels_last_float_call(const fov_channels_last_place *place,
                                                   const float *weights) {
  const fov_channels_last_convolution *layer = place->layer;
  const size_t first_panel = place->group * layer->weights.panels;
  const size_t channel = place->group * layer->weights.group_outputs;
  fov_float_convolution call = {
      .input = (const float *)(const void *)window_begin(
          layer, &place->at, place->group * layer->weights.group_inputs, sizeof(float)),
      .channels = layer->weights.group_inputs,
      .block = layer->weights.block,
      .weights = weights,
      .panel_floats = layer->weights.panel_weights,
      .pools = layer->pools,
      .output_channels = layer->weights.group_outputs,
      .output = output_at(place, channel),
  };
  SET_GEOMETRY(call, place);
  set_float_epilogue(place, first_panel * FOV_PANEL, channel, &call.epilogue);
  return call;
}

fov_int8_depthwise fov_channels_last_int8_depthwise_call(const fov_channels_last_place *place) {
  const fov_channels_last_convolution *layer = place->layer;
  fov_int8_depthwise call = {
      .input = window_begin(layer, &place->at, 0, 1),
      .weights = layer->weights.panel_data,
      .weight_sums = layer->weights.sums,
      .pairs_fit = layer->weights.pairs_fit,
      .channels = layer->input_channels,
      .output = place->at.output.data,
  };
  SET_GEOMETRY(call, place);
  set_int8_epilogue(place, 0, &call.epilogue);
  return call;
}

fov_float_depthwise fov_channels_last_float_depthwise_call(const fov_channels_last_place *place) {
  const fov_channels_last_convolution *layer = place->layer;
  fov_float_depthwise call = {
      .input = (const float *)(const void *)window_begin(layer, &place->at, 0, sizeof(float)),
      .weights = layer->weights.panel_data,
      .channels = layer->input_channels,
      .output = place->at.output.data,
  };
  SET_GEOMETRY(call, place);
  set_float_epilogue(place, 0, 0, &call.epilogue);
  return call;
}

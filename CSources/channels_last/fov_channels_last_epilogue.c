// Fovea - scales and offsets that make codes or floats of integer sums.
// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <math.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_convolution.h"

// A result, in steps of the output scale, is sum * scale + bias, where
//
//   scale = input scale * weight scale / output scale
//   bias  = real bias / output scale - scale * sum of (weight * zero point of its input)
//           + output zero point - residual zero point * residual scale / output scale
//
// The output's zero point is left out where it is added after rounding. Sums that a curve makes
// codes of are real numbers.
//
// Both are computed in double precision and rounded to float at the end.

// For each channel of a panel, the sum of its weights times the zero points of their inputs.
static void weigh_zeros(const fov_channels_last_convolution *layer, fov_quantization input,
                        size_t panel, int32_t out_sums[FOV_PANEL]) {
  const size_t first = panel * FOV_PANEL;
  if (input.zero_points && !layer->weights.depthwise) {
    const fov_int8_shape shape = fov_packed_int8_shape(&layer->weights);
    const size_t group = panel / layer->weights.panels;
    const int8_t *weights =
        (const int8_t *)layer->weights.panel_data + panel * layer->weights.panel_bytes;
    fov_int8_weigh_panel(&shape, weights, layer->weights.sums + first,
                         input.zero_points + group * shape.input_channels, out_sums);
    return;
  }
  for (size_t c = 0; c < FOV_PANEL; c++) {
    const bool is_missing = input.zero_points && first + c >= layer->input_channels;
    const int32_t zero = is_missing ? 0 : fov_quantization_zero(input, first + c);
    out_sums[c] = zero * layer->weights.sums[first + c];
  }
}

// What is added to a channel after its slope.
static double zero_of_result(fov_channels_last_codes codes, size_t channel) {
  if (!codes.output) return 0.0;
  const double zero = (double)fov_quantization_zero(*codes.output, channel);
  if (!codes.residual) return zero;
  return zero - (double)fov_quantization_zero(*codes.residual, channel) *
                    (double)codes.residual->scale / (double)codes.output->scale;
}

void fov_channels_last_epilogue(const fov_channels_last_convolution *layer,
                                fov_channels_last_codes codes, float *out_arrays) {
  const size_t channels = fov_packed_channels(&layer->weights);
  const size_t outputs = layer->weights.group_outputs;
  const size_t padded = layer->weights.panels * FOV_PANEL;
  const double step = codes.output ? (double)codes.output->scale : 1.0;
  const double slope = (double)layer->activation.slope;
  int32_t zeros[FOV_PANEL];
  for (size_t c = 0; c < channels; c++) {
    if (c % FOV_PANEL == 0) weigh_zeros(layer, codes.input, c / FOV_PANEL, zeros);
    const bool is_missing = c % padded >= outputs;
    const double zero = is_missing || layer->rounds_first
                            ? 0.0
                            : zero_of_result(codes, c / padded * outputs + c % padded);
    const double scale = (double)codes.input.scale * (double)layer->weights.scale[c] / step;
    const double bias =
        (double)layer->weights.bias[c] / step - scale * (double)zeros[c % FOV_PANEL];
    out_arrays[c] = (float)scale;
    out_arrays[channels + c] = (float)(bias + zero);
    out_arrays[2 * channels + c] = (float)(slope * scale);
    out_arrays[3 * channels + c] = (float)(slope * bias + zero);
  }
}

fov_status fov_channels_last_convolution_prepare(fov_channels_last_convolution *layer,
                                                 fov_channels_last_codes codes,
                                                 fov_diagnostic *diagnostic) {
  const size_t channels = fov_packed_channels(&layer->weights);
  layer->curves_codes = codes.output && layer->activation.curve != fov_float_curve_none;
  if (layer->curves_codes) codes.output = NULL;
  layer->epilogue = fov_allocate_array(channels, 4 * sizeof(float));
  if (!layer->epilogue) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for scales");
  }
  fov_channels_last_epilogue(layer, codes, layer->epilogue);
  if (!codes.output) return fov_status_ok;
  // A panel has this many bytes for each channel, each a weight. Sums of int16 may use all 32 bits.
  const double allowed = codes.to_int16 ? (double)FLT_MAX : FOV_LARGEST_RESULT;
  const double products = layer->weights.int16
                              ? 2147483648.0
                              : 255.0 * 128.0 * (double)(layer->weights.panel_bytes / FOV_PANEL);
  for (size_t c = 0; c < channels; c++) {
    const double largest =
        products * fabs((double)layer->epilogue[c]) + fabs((double)layer->epilogue[channels + c]);
    if (largest < allowed) continue;
    return fov_fail(diagnostic, fov_status_unsupported,
                    "the range measured for a result is %g times smaller than its values can be",
                    largest / 255.0);
  }
  return fov_status_ok;
}

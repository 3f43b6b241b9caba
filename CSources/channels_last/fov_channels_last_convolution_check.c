// Fovea - checking all that the run of a channels-last convolution assumes.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_convolution.h"
#include "ops/fov_operation_table.h"

static fov_status refuse(fov_diagnostic *diagnostic, const char *what) {
  return fov_fail(diagnostic, fov_status_invalid_graph, "%s", what);
}

// Pooling has windows of 2x2 inside the convolution's result.
static fov_status check_shape(const fov_channels_last_convolution *layer, const fov_tensor *input,
                              const fov_tensor *output, fov_diagnostic *diagnostic) {
  const fov_convolution_parameters source = {.convolution = layer->convolution,
                                             .input_channels = layer->input_channels};
  fov_shape shape;
  FOV_FORWARD(fov_operation_convolution.infer_shape(&source, input->shape, 1, &shape, diagnostic));
  if (layer->pools) {
    for (size_t axis = shape.rank - 2; axis < shape.rank; axis++) {
      const size_t pooled = axis < output->shape->rank ? output->shape->dims[axis] : 0;
      if (pooled == 0 || pooled > shape.dims[axis] / 2) {
        return refuse(diagnostic, "pooled windows leave the image");
      }
      shape.dims[axis] = pooled;
    }
  }
  const fov_tensor inferred = {.shape = &shape};
  return fov_channels_last_check_same_shape(&inferred, output, diagnostic);
}

// Integer convolutions of a known quantization write 16-bit integers for other convolutions.
static fov_status check_int16(const fov_channels_last_convolution *layer,
                              fov_diagnostic *diagnostic) {
  const bool is_plain =
      !layer->pools && !layer->activation.has_residual && !layer->activation.has_table;
  if (layer->weights.integer && !layer->measured && is_plain) return fov_status_ok;
  return refuse(diagnostic,
                "only integer convolutions that neither pool nor add write 16-bit integers");
}

// Images are codes or floats. A convolution may read int16 if its weights are int16, and may write
// int16.
static fov_status check_images(const fov_channels_last_convolution *layer, const fov_tensor *inputs,
                               size_t input_count, const fov_tensor *output,
                               fov_diagnostic *diagnostic) {
  const size_t residuals = layer->activation.has_residual ? 1 : 0;
  fov_tensor written = *output;
  if (output->type == fov_data_type_int16) {
    FOV_FORWARD(check_int16(layer, diagnostic));
    written.type = fov_data_type_uint8;  // int16 has to meet the other rules of codes
  }
  if (!layer->weights.int16) {
    return fov_channels_last_check_images(inputs, input_count, 1 + residuals, &written, diagnostic);
  }
  if (!layer->weights.integer || layer->weights.depthwise || layer->pools || layer->measured ||
      inputs[0].type != fov_data_type_int16) {
    return refuse(diagnostic,
                  "16-bit integers are for dense convolutions that read them and do not pool");
  }
  return fov_channels_last_check_images(inputs + 1, input_count - 1, residuals, &written,
                                        diagnostic);
}

// Integer convolutions read codes. They write codes only if the input's quantization is known.
static fov_status check_types(const fov_channels_last_convolution *layer, const fov_tensor *input,
                              const fov_tensor *output, fov_diagnostic *diagnostic) {
  const bool codes = output->type == fov_data_type_uint8;
  if (layer->weights.integer != (input->type != fov_data_type_float32) ||
      layer->measured != input->format->measured) {
    return refuse(diagnostic, "the input is of another kind than the weights");
  }
  if (codes && (!layer->weights.integer || layer->measured)) {
    return refuse(diagnostic, "codes come from integers of a known quantization only");
  }
  if (layer->activation.has_table && (!codes || !fov_quantization_is_valid(layer->before_table))) {
    return refuse(diagnostic, "a table is for codes of a known quantization");
  }
  if (layer->rounds_first && (!codes || layer->activation.has_residual)) {
    return refuse(diagnostic, "sums are rounded that are no codes or not complete");
  }
  const bool is_bounded = isfinite(layer->activation.lowest) || isfinite(layer->activation.highest);
  return codes && (is_bounded || layer->rounds_first || layer->activation.has_table)
             ? fov_channels_last_check_one_zero(output, diagnostic)
             : fov_status_ok;
}

// Factors may have any values: codes are clamped, and floats are those of the caller's weights.
static fov_status check_factors(const fov_fused_activation *activation,
                                fov_diagnostic *diagnostic) {
  if (!activation->has_factors) return fov_status_ok;
  if (activation->curve != fov_float_curve_none && !activation->has_residual) return fov_status_ok;
  return refuse(diagnostic, "factors of channels come behind a curve, and nothing is added there");
}

// A curve is computed on floats, and nothing but factors or a residual comes before or behind it.
// Codes may follow it, but not behind a residual.
static fov_status check_curve(const fov_channels_last_convolution *layer, const fov_tensor *output,
                              fov_diagnostic *diagnostic) {
  const fov_fused_activation *activation = &layer->activation;
  if (isnan(activation->alpha) || isnan(activation->least)) {
    return refuse(diagnostic, "a number of a curve is not a number");
  }
  if (activation->curve == fov_float_curve_none) return fov_status_ok;
  const bool adds_to_codes = activation->has_residual && output->type != fov_data_type_float32;
  if (!adds_to_codes && !layer->pools && fov_fused_activation_is_linear(activation)) {
    return fov_status_ok;
  }
  return refuse(diagnostic, "a curve comes without pooling, slope, bounds, table and codes added");
}

// The sum with a residual is rounded once. Both operands are codes, or both are floats.
static fov_status check_residual(const fov_channels_last_convolution *layer,
                                 const fov_tensor *inputs, const fov_tensor *output,
                                 fov_diagnostic *diagnostic) {
  const fov_tensor *residual = &inputs[1];
  FOV_FORWARD(fov_channels_last_check_same_type(residual, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_same_shape(residual, output, diagnostic));
  if (layer->weights.integer == (output->type == fov_data_type_float32) ||
      residual->format->measured) {
    return refuse(diagnostic, "what is added is of another kind than the result");
  }
  if (!layer->weights.integer) return fov_status_ok;
  const fov_quantization sum =
      layer->activation.has_table ? layer->before_table : output->format->quantization;
  return fov_channels_last_check_steps(residual->format->quantization, sum, diagnostic);
}

// The products of a channel's weights fit into int32 together, those of missing inputs included.
static bool sums_fit(const fov_channels_last_convolution *layer) {
  return layer->weights.panel_bytes / FOV_PANEL <= (size_t)INT32_MAX / (255 * 128);
}

static fov_status check_scales(const fov_channels_last_convolution *layer,
                               fov_diagnostic *diagnostic) {
  for (size_t c = 0; c < fov_packed_channels(&layer->weights); c++) {
    const float scale = layer->weights.scale[c];
    if (!(scale >= 0.0f) || !isfinite(scale)) {
      return refuse(diagnostic, "the scale of a channel is no number above zero");
    }
  }
  return fov_status_ok;
}

fov_status fov_channels_last_convolution_check_values(const fov_channels_last_convolution *layer,
                                                      const fov_tensor *inputs, size_t input_count,
                                                      const fov_tensor *output,
                                                      fov_diagnostic *diagnostic) {
  const fov_fused_activation *activation = &layer->activation;
  FOV_FORWARD(check_images(layer, inputs, input_count, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_bounds(activation->lowest, activation->highest, diagnostic));
  if (!(activation->slope >= 0.0f && activation->slope <= 1.0f)) {
    return refuse(diagnostic, "the slope of an activation is outside 0 to 1");
  }
  if (layer->weights.coded && (layer->weights.integer || layer->weights.depthwise)) {
    return refuse(diagnostic, "only weights of dense float convolutions stay codes");
  }
  FOV_FORWARD(check_types(layer, &inputs[0], output, diagnostic));
  FOV_FORWARD(check_curve(layer, output, diagnostic));
  FOV_FORWARD(check_factors(activation, diagnostic));
  if (layer->pools && (layer->weights.depthwise || activation->has_residual)) {
    return refuse(diagnostic, "pooling is fused to what cannot pool");
  }
  if (activation->has_residual) FOV_FORWARD(check_residual(layer, inputs, output, diagnostic));
  if (!layer->weights.integer) return fov_status_ok;
  if (!sums_fit(layer)) return refuse(diagnostic, "integer sums could overflow");
  return check_scales(layer, diagnostic);
}

fov_status fov_channels_last_convolution_check(const void *parameters, const fov_tensor *inputs,
                                               size_t input_count, const fov_tensor *output,
                                               fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_convolution_check_values(parameters, inputs, input_count, output,
                                                         diagnostic));
  return check_shape(parameters, &inputs[0], output, diagnostic);
}

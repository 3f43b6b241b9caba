// Fovea - checks of the values of channels-last operations, with messages.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_check.h"

static bool is_channels_last(const fov_tensor *tensor) {
  return tensor->format->arrangement == fov_arrangement_channels_last;
}

static bool is_image(const fov_tensor *tensor) {
  return is_channels_last(tensor) && tensor->type != fov_data_type_int16;
}

fov_status fov_channels_last_check_images(const fov_tensor *inputs, size_t input_count,
                                          size_t count, const fov_tensor *output,
                                          fov_diagnostic *diagnostic) {
  if (input_count != count) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "expected %zu inputs, found %zu", count,
                    input_count);
  }
  bool fits = is_image(output) && !output->format->measured;
  for (size_t i = 0; i < input_count; i++) fits = fits && is_image(&inputs[i]);
  if (fits) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "inputs and output are to be floats or bytes with their channels last");
}

fov_status fov_channels_last_check_same_type(const fov_tensor *input, const fov_tensor *output,
                                             fov_diagnostic *diagnostic) {
  if (input->type == output->type) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_graph, "inputs and output differ in type");
}

// Whether codes of `from` mean the same in the channels of `to` that begin at `channel`.
static bool keep_meaning(const fov_tensor *from, const fov_tensor *to, size_t channel) {
  const fov_quantization a = from->format->quantization, b = to->format->quantization;
  if (from->format->measured || a.scale != b.scale) return false;
  for (size_t c = 0; c < fov_shape_planes(from->shape).channels; c++) {
    if (fov_quantization_zero(a, c) != fov_quantization_zero(b, channel + c)) return false;
  }
  return true;
}

fov_status fov_channels_last_check_moved(const fov_tensor *input, const fov_tensor *output,
                                         size_t channel, fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_check_same_type(input, output, diagnostic));
  const size_t channels = fov_shape_planes(output->shape).channels;
  if (channel > channels || fov_shape_planes(input->shape).channels > channels - channel) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "the inputs have more than the %zu channels of the output", channels);
  }
  if (output->type == fov_data_type_float32 || keep_meaning(input, output, channel)) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph, "codes that are moved change meaning");
}

fov_status fov_channels_last_check_one_zero(const fov_tensor *tensor, fov_diagnostic *diagnostic) {
  if (!tensor->format->quantization.zero_points) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "codes have zero points of their channels where all have to share one");
}

fov_status fov_channels_last_check_same_shape(const fov_tensor *input, const fov_tensor *output,
                                              fov_diagnostic *diagnostic) {
  if (fov_shape_equal(input->shape, output->shape)) return fov_status_ok;
  char from[FOV_SHAPE_TEXT], to[FOV_SHAPE_TEXT];
  return fov_fail(diagnostic, fov_status_shape_mismatch, "the input is %.100s, the output %.100s",
                  fov_shape_describe(input->shape, from), fov_shape_describe(output->shape, to));
}

fov_status fov_channels_last_check_steps(fov_quantization from, fov_quantization to,
                                         fov_diagnostic *diagnostic) {
  if (255.0 * (double)from.scale / (double)to.scale < 268435456.0) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "codes in steps of %g are added to codes in steps of %g", (double)from.scale,
                  (double)to.scale);
}

fov_status fov_channels_last_check_inferred(const fov_operation *planar, const void *parameters,
                                            const fov_tensor *input, const fov_tensor *output,
                                            fov_diagnostic *diagnostic) {
  fov_shape shape;
  FOV_FORWARD(planar->infer_shape(parameters, input->shape, 1, &shape, diagnostic));
  const fov_tensor inferred = {.shape = &shape};
  return fov_channels_last_check_same_shape(&inferred, output, diagnostic);
}

fov_status fov_channels_last_check_bounds(float lowest, float highest, fov_diagnostic *diagnostic) {
  if (lowest <= highest) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "results are bounded by %g below and %g above", (double)lowest, (double)highest);
}

// Fovea - making a transposed convolution on channels-last images of a planar one.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_transposed.h"

#include "base/fov_alloc.h"

// The biases of all phases, one after another.
static float *repeat_bias(const float *bias, size_t channels, size_t all) {
  float *repeated = fov_allocate_array(all, sizeof(float));
  for (size_t c = 0; repeated && c < all; c++) repeated[c] = bias[c % channels];
  return repeated;
}

static fov_status make_phase(const fov_convolution_parameters *source, size_t phase,
                             const fov_channels_last_request *request,
                             fov_channels_last_transposed *layer, fov_diagnostic *diagnostic) {
  fov_convolution_parameters part = {.convolution = fov_channels_last_phase(layer, phase),
                                     .input_channels = source->input_channels};
  part.bias = repeat_bias(source->bias, source->convolution.output_channels,
                          part.convolution.output_channels);
  fov_status status =
      part.bias ? fov_channels_last_phase_weights(layer, &source->weights, phase,
                                                  request->as_stored, &part.weights, diagnostic)
                : fov_status_out_of_memory;
  if (status == fov_status_ok) {
    status =
        fov_channels_last_convolution_create(&part, request, &layer->phases[phase], diagnostic);
  }
  fov_convolution_release(&part);
  return status;
}

static fov_status make_phases(const fov_convolution_parameters *source,
                              const fov_channels_last_request *request,
                              fov_channels_last_transposed *layer, fov_diagnostic *diagnostic) {
  layer->convolution = source->convolution;
  layer->input_channels = source->input_channels;
  layer->is_joint = !request->integer && !request->activation.has_residual &&
                    fov_channels_last_should_join(&source->convolution);
  const size_t count = fov_channels_last_phases(layer);
  layer->phases = fov_allocate_array(count, sizeof *layer->phases);
  if (!layer->phases) return fov_status_out_of_memory;
  for (size_t i = 0; i < count; i++) {
    FOV_FORWARD(make_phase(source, i, request, layer, diagnostic));
  }
  return fov_status_ok;
}

fov_status fov_channels_last_transposed_create(const fov_convolution_parameters *source,
                                               const fov_channels_last_request *request,
                                               fov_channels_last_transposed **out_layer,
                                               fov_diagnostic *diagnostic) {
  *out_layer = NULL;
  fov_channels_last_transposed *layer = fov_allocate(sizeof *layer);
  const fov_status status =
      layer ? make_phases(source, request, layer, diagnostic) : fov_status_out_of_memory;
  if (status != fov_status_ok) {
    if (layer) fov_channels_last_transposed_release(layer);
    fov_release(layer);
    return fov_fail(diagnostic, status, "phases cannot be made: %s", fov_status_name(status));
  }
  *out_layer = layer;
  return fov_status_ok;
}

void fov_channels_last_transposed_release(void *parameters) {
  fov_channels_last_transposed *layer = parameters;
  const size_t count = layer->phases ? fov_channels_last_phases(layer) : 0;
  for (size_t i = 0; i < count; i++) {
    if (layer->phases[i]) fov_channels_last_convolution_release(layer->phases[i]);
    fov_release(layer->phases[i]);
  }
  fov_release(layer->phases);
}

fov_status fov_channels_last_transposed_prepare(fov_channels_last_transposed *layer,
                                                fov_channels_last_codes codes,
                                                fov_diagnostic *diagnostic) {
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    FOV_FORWARD(fov_channels_last_convolution_prepare(layer->phases[i], codes, diagnostic));
  }
  return fov_status_ok;
}

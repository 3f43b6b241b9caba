// Fovea - making a channels-last convolution of a planar one.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_convolution.h"

#include "base/fov_alloc.h"

static fov_status fill(const fov_convolution_parameters *source,
                       const fov_channels_last_request *request,
                       fov_channels_last_convolution *layer) {
  if (request->activation.has_table) {
    layer->table = layer->owned_table = fov_allocate_copy(request->table, 256);
    if (!layer->table) return fov_status_out_of_memory;
  }
  if (request->activation.has_factors) {
    const size_t bytes = source->convolution.output_channels * 2 * sizeof(float);
    layer->factors = fov_allocate_copy(request->factors, bytes);
    if (!layer->factors) return fov_status_out_of_memory;
  }
  const fov_weight_source packed = {&source->weights, source->bias, request->inputs,
                                    request->as_stored};
  return fov_packed_weights_create(&source->convolution, source->input_channels, &packed,
                                   &layer->weights);
}

static bool stays_coded(const fov_convolution_parameters *source,
                        const fov_channels_last_request *request) {
  return request->keeps_codes && !request->integer && !fov_convolution_is_depthwise(source) &&
         fov_weights_pay_as_codes(&source->weights);
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
      .pools = request->pools,
      .measured = request->measured,
      .rounds_first = request->rounds_first,
      .activation = request->activation,
      .before_table = request->before_table,
      .weights = {.integer = request->integer,
                  .int16 = request->int16,
                  .coded = stays_coded(source, request)},
  };
  const fov_status status = fill(source, request, layer);
  if (status != fov_status_ok) {
    fov_channels_last_convolution_release(layer);
    fov_release(layer);
    return fov_fail(diagnostic, status, "weights cannot be packed: %s", fov_status_name(status));
  }
  *out_layer = layer;
  return fov_status_ok;
}

void fov_channels_last_convolution_release(void *parameters) {
  fov_channels_last_convolution *layer = parameters;
  fov_packed_weights_release(&layer->weights);
  fov_release(layer->owned_table);
  fov_release(layer->factors);
  fov_release(layer->epilogue);
}

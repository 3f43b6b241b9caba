// Fovea - transposed convolution on channels-last images: making one, and running its phases.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_transposed.h"

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "ops/fov_operation_table.h"

// MARK: making

static fov_status make_phase(const fov_convolution_parameters *source, size_t phase,
                             const fov_channels_last_request *request,
                             fov_channels_last_convolution **out_layer,
                             fov_diagnostic *diagnostic) {
  fov_convolution_parameters part = {
      .convolution = fov_channels_last_phase(&source->convolution, phase),
      .input_channels = source->input_channels,
      .bias = source->bias,
  };
  FOV_FORWARD(fov_channels_last_phase_weights(source, phase, request->as_stored, &part.weights,
                                              diagnostic));
  const fov_status status =
      fov_channels_last_convolution_create(&part, request, out_layer, diagnostic);
  fov_weight_store_release(&part.weights);
  return status;
}

fov_status fov_channels_last_transposed_create(const fov_convolution_parameters *source,
                                               const fov_channels_last_request *request,
                                               fov_channels_last_transposed **out_layer,
                                               fov_diagnostic *diagnostic) {
  const size_t count = fov_channels_last_phases(&source->convolution);
  fov_channels_last_transposed *layer = fov_allocate(sizeof *layer);
  fov_status status = fov_status_out_of_memory;
  if (layer) {
    layer->convolution = source->convolution;
    layer->input_channels = source->input_channels;
    layer->phases = fov_allocate_array(count, sizeof *layer->phases);
    if (layer->phases) status = fov_status_ok;
  }
  for (size_t i = 0; i < count && status == fov_status_ok; i++) {
    status = make_phase(source, i, request, &layer->phases[i], diagnostic);
  }
  *out_layer = layer;
  if (status == fov_status_ok) return fov_status_ok;
  if (layer) fov_channels_last_transposed_release(layer);
  fov_release(layer);
  return fov_fail(diagnostic, status, "phases cannot be made: %s", fov_status_name(status));
}

void fov_channels_last_transposed_release(void *parameters) {
  fov_channels_last_transposed *layer = parameters;
  const size_t count = layer->phases ? fov_channels_last_phases(&layer->convolution) : 0;
  for (size_t i = 0; i < count; i++) {
    if (layer->phases[i]) fov_channels_last_convolution_release(layer->phases[i]);
    fov_release(layer->phases[i]);
  }
  fov_release(layer->phases);
}

fov_status fov_channels_last_transposed_prepare(fov_channels_last_transposed *layer,
                                                fov_channels_last_codes codes,
                                                fov_diagnostic *diagnostic) {
  for (size_t i = 0; i < fov_channels_last_phases(&layer->convolution); i++) {
    FOV_FORWARD(fov_channels_last_convolution_prepare(layer->phases[i], codes, diagnostic));
  }
  return fov_status_ok;
}

// MARK: running

static void run_phases(const fov_run *run) {
  const fov_channels_last_transposed *layer = run->parameters;
  for (size_t i = 0; i < fov_channels_last_phases(&layer->convolution); i++) {
    fov_channels_last_convolution_run(run, layer->phases[i],
                                      fov_channels_last_phase_part(&layer->convolution, i));
  }
  fov_format_fill_border(&run->output);
}

// Phases run one after another.
static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_channels_last_transposed *layer = parameters;
  *out_bytes = 0;
  for (size_t i = 0; i < fov_channels_last_phases(&layer->convolution); i++) {
    size_t bytes;
    FOV_FORWARD(fov_channels_last_convolution_workspace(
        layer->phases[i], request, fov_channels_last_phase_part(&layer->convolution, i), &bytes));
    *out_bytes = fov_size_max(*out_bytes, bytes);
  }
  return fov_status_ok;
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  const fov_channels_last_transposed *layer = parameters;
  const fov_convolution_parameters planar = {.convolution = layer->convolution,
                                             .input_channels = layer->input_channels};
  return fov_operation_transposed_convolution.multiply_accumulates(&planar, inputs, output);
}

static size_t weight_bytes(const void *parameters) {
  const fov_channels_last_transposed *layer = parameters;
  size_t bytes = 0;
  for (size_t i = 0; i < fov_channels_last_phases(&layer->convolution); i++) {
    bytes += fov_operation_channels_last_convolution.weight_bytes(layer->phases[i]);
  }
  return bytes;
}

const fov_operation fov_operation_channels_last_transposed = {
    .name = "transposed convolution",
    .workspace = workspace,
    .run = run_phases,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = weight_bytes,
    .release = fov_channels_last_transposed_release,
    .archive = fov_channels_last_transposed_archive,
    .parameter_bytes = sizeof(fov_channels_last_transposed),
    .check = fov_channels_last_transposed_check,
    .restore = fov_channels_last_transposed_restore,
};

// Fovea - transposed convolutions on channels-last images in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "ops/fov_operation_table.h"

// Room for the phases of a file.
static void make_phases(fov_archive *archive, fov_channels_last_transposed *layer) {
  if (!fov_channels_last_can_transpose(&layer->convolution) ||
      (layer->is_joint && !fov_channels_last_can_join(&layer->convolution))) {
    fov_archive_fail(archive, fov_status_invalid_graph, "a transposed convolution of no phases");
    return;
  }
  const size_t count = fov_channels_last_phases(layer);
  layer->phases = fov_allocate_array(count, sizeof *layer->phases);
  bool complete = layer->phases != NULL;
  for (size_t i = 0; i < count && complete; i++) {
    layer->phases[i] = fov_allocate(sizeof *layer->phases[i]);
    complete = layer->phases[i] != NULL;
  }
  if (complete) return;
  fov_archive_fail(archive, fov_status_out_of_memory, "no memory for a transposed convolution");
}

void fov_channels_last_transposed_archive(fov_archive *archive, void *parameters) {
  fov_channels_last_transposed *layer = parameters;
  fov_convolution_archive(archive, &layer->convolution, &layer->input_channels);
  fov_archive_bool(archive, &layer->is_joint);
  if (fov_archive_reads(archive)) make_phases(archive, layer);
  if (archive->status != fov_status_ok) return;
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    fov_channels_last_convolution_archive(archive, layer->phases[i]);
  }
}

fov_status fov_channels_last_transposed_check(const void *parameters, const fov_tensor *inputs,
                                              size_t input_count, const fov_tensor *output,
                                              fov_diagnostic *diagnostic) {
  const fov_channels_last_transposed *layer = parameters;
  const fov_convolution_parameters planar = {.convolution = layer->convolution,
                                             .input_channels = layer->input_channels};
  FOV_FORWARD(fov_channels_last_check_inferred(&fov_operation_transposed_convolution, &planar,
                                               &inputs[0], output, diagnostic));
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    const fov_channels_last_convolution *phase = layer->phases[i];
    const fov_convolution expected = fov_channels_last_phase(layer, i);
    if (memcmp(&phase->convolution, &expected, sizeof expected) != 0 ||
        phase->input_channels != layer->input_channels || phase->pools ||
        (layer->is_joint && (phase->weights.integer || phase->activation.has_residual))) {
      return fov_fail(diagnostic, fov_status_invalid_graph,
                      "phase %zu is not that of the transposed convolution", i);
    }
    FOV_FORWARD(
        fov_channels_last_convolution_check_values(phase, inputs, input_count, output, diagnostic));
  }
  return fov_status_ok;
}

fov_status fov_channels_last_transposed_restore(void *parameters, const fov_tensor *inputs,
                                                const fov_tensor *output,
                                                fov_diagnostic *diagnostic) {
  const fov_channels_last_transposed *layer = parameters;
  for (size_t i = 0; i < fov_channels_last_phases(layer); i++) {
    FOV_FORWARD(
        fov_channels_last_convolution_restore(layer->phases[i], inputs, output, diagnostic));
  }
  return fov_status_ok;
}

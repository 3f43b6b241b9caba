// Fovea - channels-last convolutions in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_convolution.h"

void fov_channels_last_convolution_archive(fov_archive *archive, void *parameters) {
  fov_channels_last_convolution *layer = parameters;
  fov_convolution_archive(archive, &layer->convolution, &layer->input_channels);
  fov_archive_bool(archive, &layer->weights.integer);
  fov_archive_bool(archive, &layer->weights.int16);
  fov_archive_bool(archive, &layer->weights.coded);
  fov_archive_bool(archive, &layer->pools);
  fov_archive_bool(archive, &layer->measured);
  fov_archive_bool(archive, &layer->rounds_first);
  fov_fused_activation_archive(archive, &layer->activation);
  fov_quantization_archive(archive, &layer->before_table);
  if (fov_archive_reads(archive) &&
      !fov_packed_weights_plan(&layer->convolution, layer->input_channels, &layer->weights)) {
    fov_archive_fail(archive, fov_status_overflow, "weights overflow");
  }
  if (archive->status != fov_status_ok) return;
  fov_packed_weights_archive(archive, &layer->weights);
  if (layer->activation.has_table) {
    const void *table = layer->table;
    fov_archive_block_in_place(archive, &table, 256, 1);
    layer->table = table;
  }
  if (layer->activation.has_factors) {
    fov_archive_block_owned(archive, (void **)&layer->factors,
                            2 * layer->convolution.output_channels, sizeof(float), 0);
  }
}

fov_status fov_channels_last_convolution_restore(void *parameters, const fov_tensor *inputs,
                                                 const fov_tensor *output,
                                                 fov_diagnostic *diagnostic) {
  fov_channels_last_convolution *layer = parameters;
  if (!layer->weights.integer) return fov_status_ok;
  if (fov_packed_weights_restore(&layer->weights) != fov_status_ok) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  }
  if (layer->measured) return fov_status_ok;
  const fov_quantization *result =
      layer->activation.has_table ? &layer->before_table : &output->format->quantization;
  const fov_channels_last_codes codes = {
      .input = inputs[0].format->quantization,
      .output = output->type == fov_data_type_float32 ? NULL : result,
      .residual = layer->activation.has_residual ? &inputs[1].format->quantization : NULL,
      .to_int16 = output->type == fov_data_type_int16,
  };
  return fov_channels_last_convolution_prepare(layer, codes, diagnostic);
}

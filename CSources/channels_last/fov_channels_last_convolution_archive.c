// Fovea - channels-last convolutions in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_convolution.h"

static void archive_finish(fov_archive *archive, fov_fused_activation *finish) {
  fov_archive_f32(archive, &finish->slope);
  fov_archive_f32(archive, &finish->lowest);
  fov_archive_f32(archive, &finish->highest);
  fov_archive_bool(archive, &finish->has_residual);
  fov_archive_bool(archive, &finish->has_table);
}

static void archive_floats(fov_archive *archive, const float **floats, size_t count) {
  const void *place = *floats;
  fov_archive_block_in_place(archive, &place, count, sizeof(float));
  *floats = place;
}

// Reading: which of the two forms there is follows from the first field.
static void archive_coding(fov_archive *archive, fov_channels_last_convolution *layer) {
  fov_coded_weights *coding = &layer->coding;
  const size_t channels = fov_channels_last_channels(layer);
  bool is_linear = coding->scale != NULL;
  fov_archive_bool(archive, &is_linear);
  coding->codes = layer->weights;
  if (is_linear) {
    archive_floats(archive, &coding->scale, channels);
    archive_floats(archive, &coding->offset, channels);
  } else {
    archive_floats(archive, &coding->table, 256);
  }
  archive_floats(archive, &coding->factor, channels);
}

void fov_channels_last_convolution_archive(fov_archive *archive, void *parameters) {
  fov_channels_last_convolution *layer = parameters;
  fov_convolution_archive(archive, &layer->convolution, &layer->input_channels);
  fov_archive_bool(archive, &layer->integer);
  fov_archive_bool(archive, &layer->int16);
  fov_archive_bool(archive, &layer->coded);
  fov_archive_bool(archive, &layer->pools);
  fov_archive_bool(archive, &layer->measured);
  archive_finish(archive, &layer->finish);
  fov_quantization_archive(archive, &layer->before_table);
  if (fov_archive_reads(archive)) {
    const fov_convolution_parameters source = {.convolution = layer->convolution,
                                               .input_channels = layer->input_channels};
    layer->depthwise = fov_convolution_is_depthwise(&source);
    if (!fov_channels_last_convolution_plan(layer)) {
      fov_archive_fail(archive, fov_status_overflow, "weights overflow");
    }
  }
  if (archive->status != fov_status_ok) return;
  const size_t channels = fov_channels_last_channels(layer);
  fov_archive_block_in_place(archive, &layer->weights, layer->weights_size, 1);
  archive_floats(archive, &layer->bias, channels);
  if (layer->integer) archive_floats(archive, &layer->weight_scale, channels);
  if (layer->coded) archive_coding(archive, layer);
  if (layer->finish.has_table) {
    const void *table = layer->table;
    fov_archive_block_in_place(archive, &table, 256, 1);
    layer->table = table;
  }
}

fov_status fov_channels_last_convolution_restore(void *parameters, const fov_tensor *inputs,
                                          const fov_tensor *output, fov_diagnostic *diagnostic) {
  fov_channels_last_convolution *layer = parameters;
  if (!layer->integer) return fov_status_ok;
  const size_t channels = fov_channels_last_channels(layer), panels = channels / FOV_PANEL;
  int32_t *sums = fov_allocate(channels * sizeof(int32_t) + panels);
  if (!sums) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  layer->owned = sums;
  fov_channels_last_sum_weights(layer, sums, (uint8_t *)(sums + channels));
  if (layer->measured) return fov_status_ok;
  const fov_quantization *result =
      layer->finish.has_table ? &layer->before_table : &output->format->quantization;
  const fov_channels_last_codes codes = {
      .input = inputs[0].format->quantization,
      .output = output->type == fov_data_type_float32 ? NULL : result,
      .residual = layer->finish.has_residual ? &inputs[1].format->quantization : NULL,
      .to_int16 = output->type == fov_data_type_int16,
  };
  return fov_channels_last_convolution_prepare(layer, codes, diagnostic);
}

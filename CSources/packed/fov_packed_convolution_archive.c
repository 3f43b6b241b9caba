// Fovea - packed convolutions in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "packed/fov_packed_convolution.h"

static void archive_finish(fov_archive *archive, fov_packed_finish *finish) {
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
static void archive_coding(fov_archive *archive, fov_packed_convolution *packed) {
  fov_coded_weights *coding = &packed->coding;
  const size_t channels = fov_packed_channels(packed);
  bool is_linear = coding->scale != NULL;
  fov_archive_bool(archive, &is_linear);
  coding->codes = packed->weights;
  if (is_linear) {
    archive_floats(archive, &coding->scale, channels);
    archive_floats(archive, &coding->offset, channels);
  } else {
    archive_floats(archive, &coding->table, 256);
  }
  archive_floats(archive, &coding->factor, channels);
}

void fov_packed_convolution_archive(fov_archive *archive, void *parameters) {
  fov_packed_convolution *packed = parameters;
  fov_convolution_archive(archive, &packed->convolution, &packed->input_channels);
  fov_archive_bool(archive, &packed->integer);
  fov_archive_bool(archive, &packed->words);
  fov_archive_bool(archive, &packed->coded);
  fov_archive_bool(archive, &packed->pools);
  fov_archive_bool(archive, &packed->measured);
  archive_finish(archive, &packed->finish);
  fov_quantization_archive(archive, &packed->before_table);
  if (fov_archive_reads(archive)) {
    const fov_convolution_parameters source = {.convolution = packed->convolution,
                                               .input_channels = packed->input_channels};
    packed->depthwise = fov_convolution_is_depthwise(&source);
    if (!fov_packed_convolution_plan(packed)) {
      fov_archive_fail(archive, fov_status_overflow, "weights overflow");
    }
  }
  if (archive->status != fov_status_ok) return;
  const size_t channels = fov_packed_channels(packed);
  fov_archive_block_in_place(archive, &packed->weights, packed->weights_size, 1);
  archive_floats(archive, &packed->bias, channels);
  if (packed->integer) archive_floats(archive, &packed->weight_scale, channels);
  if (packed->coded) archive_coding(archive, packed);
  if (packed->finish.has_table) {
    const void *table = packed->table;
    fov_archive_block_in_place(archive, &table, 256, 1);
    packed->table = table;
  }
}

fov_status fov_packed_convolution_restore(void *parameters, const fov_tensor *inputs,
                                          const fov_tensor *output, fov_diagnostic *diagnostic) {
  fov_packed_convolution *packed = parameters;
  if (!packed->integer) return fov_status_ok;
  const size_t channels = fov_packed_channels(packed), panels = channels / FOV_PANEL;
  int32_t *sums = fov_allocate(channels * sizeof(int32_t) + panels);
  if (!sums) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  packed->owned = sums;
  fov_packed_sum_weights(packed, sums, (uint8_t *)(sums + channels));
  if (packed->measured) return fov_status_ok;
  const fov_quantization *result =
      packed->finish.has_table ? &packed->before_table : &output->format->quantization;
  const fov_packed_codes codes = {
      .input = inputs[0].format->quantization,
      .output = output->type == fov_data_type_float32 ? NULL : result,
      .residual = packed->finish.has_residual ? &inputs[1].format->quantization : NULL,
      .to_words = output->type == fov_data_type_int16,
  };
  return fov_packed_convolution_prepare(packed, codes, diagnostic);
}

// Fovea - a scale and a bias per channel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_op_channel_affine.h"

#include "base/fov_alloc.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// A copy of `values`; without them, an array of `absent`.
static float *copy_or_fill(size_t count, const float *values, float absent) {
  float *copy = fov_allocate_array(count, sizeof(float));
  if (!copy) return NULL;
  for (size_t i = 0; i < count; i++) copy[i] = values ? values[i] : absent;
  return copy;
}

fov_status fov_channel_affine_create(size_t channels, const float *scale, const float *bias,
                                     fov_channel_affine *out_parameters) {
  *out_parameters = (fov_channel_affine){0};
  if (channels == 0) return fov_status_invalid_argument;
  fov_channel_affine created = {
      .channels = channels,
      .scale = copy_or_fill(channels, scale, 1.0f),
      .bias = copy_or_fill(channels, bias, 0.0f),
  };
  if (!created.scale || !created.bias) {
    fov_channel_affine_release(&created);
    return fov_status_out_of_memory;
  }
  *out_parameters = created;
  return fov_status_ok;
}

void fov_channel_affine_release(fov_channel_affine *parameters) {
  fov_release(parameters->scale);
  fov_release(parameters->bias);
  *parameters = (fov_channel_affine){0};
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_channel_affine *affine = parameters;
  FOV_FORWARD(fov_shape_require_planes(&inputs[0], diagnostic));
  const size_t channels = inputs[0].dims[inputs[0].rank - 3];
  if (channels != affine->channels) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "the input has %zu channels; expected the %zu of the scale and the bias",
                    channels, affine->channels);
  }
  *out_shape = inputs[0];
  return fov_status_ok;
}

static void transform_plane(const float *in, float scale, float bias, float *out, size_t count) {
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) out[i] = in[i] * scale + bias;
}

static void run(const fov_run *run) {
  const fov_channel_affine *affine = run->parameters;
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t count = planes.rows * planes.columns;
  const float *in = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < planes.batch; n++) {
    for (size_t c = 0; c < planes.channels; c++) {
      transform_plane(in, affine->scale[c], affine->bias[c], out, count);
      in += count;
      out += count;
    }
  }
}

static size_t weight_bytes(const void *parameters) {
  return ((const fov_channel_affine *)parameters)->channels * 2 * sizeof(float);
}

static void release(void *parameters) { fov_channel_affine_release(parameters); }

static void archive(fov_archive *archive, void *parameters) {
  fov_channel_affine *affine = parameters;
  fov_archive_size(archive, &affine->channels);
  fov_archive_block_owned(archive, (void **)&affine->scale, affine->channels, sizeof(float), 0);
  fov_archive_block_owned(archive, (void **)&affine->bias, affine->channels, sizeof(float), 0);
}

const fov_operation fov_operation_channel_affine = {
    .name = "channel_affine",
    .infer_shape = infer_shape,
    .run = run,
    .weight_bytes = weight_bytes,
    .release = release,
    .archive = archive,
    .parameter_bytes = sizeof(fov_channel_affine),
    .input_count = 1,
    .in_place = true,
};

// Fovea - an image of bytes to planes of floats.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "ops/fov_operation_table.h"

// The greatest number of interleaved channels: red, green, blue, alpha.
#define FOV_PIXELS_CHANNELS 4

static size_t channel_count(const fov_shape *image) {
  return image->rank == 2 ? 1 : image->dims[2];
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_pixels *pixels = parameters;
  char text[FOV_SHAPE_TEXT];
  if (inputs[0].rank != 2 && inputs[0].rank != 3) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "the image is %s; expected [rows, columns] or [rows, columns, channels]",
                    fov_shape_describe(&inputs[0], text));
  }
  const size_t channels = channel_count(&inputs[0]);
  if (channels > FOV_PIXELS_CHANNELS) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "the image has %zu channels; expected 1 to %d", channels, FOV_PIXELS_CHANNELS);
  }
  if (!isfinite(pixels->scale)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "the pixel scale is %g; expected a finite number", (double)pixels->scale);
  }
  for (size_t c = 0; c < channels; c++) {
    if (!isfinite(pixels->bias[c])) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "the pixel bias of plane %zu is %g; expected a finite number", c,
                      (double)pixels->bias[c]);
    }
  }
  fov_shape result = {.rank = 0};
  result.dims[result.rank++] = 1;
  if (pixels->rank_five) result.dims[result.rank++] = 1;
  result.dims[result.rank++] = channels;
  result.dims[result.rank++] = inputs[0].dims[0];
  result.dims[result.rank++] = inputs[0].dims[1];
  FOV_FORWARD(fov_shape_validate(&result, diagnostic));
  *out_shape = result;
  return fov_status_ok;
}

// `step` is a constant in every call, so that each call is inlined as a loop of its own.
static inline void scale_plane(const uint8_t *restrict source, size_t step, float scale, float bias,
                               float *restrict plane, size_t count) {
  for (size_t i = 0; i < count; i++) plane[i] = (float)source[i * step] * scale + bias;
}

static void run(const fov_run *run) {
  const fov_pixels *pixels = run->parameters;
  const fov_shape *image = run->inputs[0].shape;
  const size_t channels = channel_count(image);
  const size_t count = image->dims[0] * image->dims[1];
  for (size_t c = 0; c < channels; c++) {
    const size_t first = pixels->reverse_channels ? channels - 1 - c : c;
    const uint8_t *source = (const uint8_t *)run->inputs[0].data + first;
    float *plane = fov_run_output(run) + c * count;
    const float bias = pixels->bias[c];
    switch (channels) {
      case 1: scale_plane(source, 1, pixels->scale, bias, plane, count); break;
      case 2: scale_plane(source, 2, pixels->scale, bias, plane, count); break;
      case 3: scale_plane(source, 3, pixels->scale, bias, plane, count); break;
      default: scale_plane(source, 4, pixels->scale, bias, plane, count); break;
    }
  }
}

void fov_pixels_archive(fov_archive *archive, fov_pixels *pixels) {
  fov_archive_f32(archive, &pixels->scale);
  for (size_t c = 0; c < FOV_PIXELS_CHANNELS; c++) fov_archive_f32(archive, &pixels->bias[c]);
  fov_archive_bool(archive, &pixels->reverse_channels);
  fov_archive_bool(archive, &pixels->rank_five);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_pixels_archive(archive, parameters);
}

const fov_operation fov_operation_pixels = {
    .name = "pixels",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_pixels),
    .input_count = 1,
    .byte_input = true,
};

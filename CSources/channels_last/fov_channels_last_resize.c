// Fovea - channels-last images sampled at other sizes.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_resize_sample.h"

// Codes keep the quantization of the input: samples lie between its elements.

// MARK: nearest neighbor

static void nearest_row(const fov_run *run, size_t image, size_t row) {
  const fov_resize *resize = run->parameters;
  const fov_planes source = fov_shape_planes(run->inputs[0].shape);
  const size_t size = fov_data_type_bytes(run->output.type);
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const fov_resize_sample down = fov_resize_sample_of(resize, 0, row, source.rows);
  const uint8_t *from = fov_plane_row(&in, down.near, size);
  uint8_t *to = fov_plane_row(&out, row, size);
  for (size_t x = 0; x < resize->output[1]; x++) {
    const size_t column = fov_resize_sample_of(resize, 1, x, source.columns).near;
    memcpy(to + x * (size_t)out.pixel * size, from + column * (size_t)in.pixel * size,
           source.channels * size);
  }
}

// MARK: bilinear

// The four pixels of a sample, and how they are mixed: [row][column].
typedef struct neighbors {
  const void *at[2][2];
  float down, across;
} neighbors;

static inline float mix_four(float a, float b, float c, float d, const neighbors *n) {
  const float above = fov_resize_mix(a, b, n->across), below = fov_resize_mix(c, d, n->across);
  return fov_resize_mix(above, below, n->down);
}

static void mix_floats(const neighbors *n, float *out, size_t channels) {
  const float *a = n->at[0][0], *b = n->at[0][1], *c = n->at[1][0], *d = n->at[1][1];
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < channels; i++) {
    out[i] = mix_four(a[i], b[i], c[i], d[i], n);
  }
}

// Adding 2^23 rounds to an integer, halves to even.
static void mix_codes(const neighbors *n, uint8_t *out, size_t channels) {
  const uint8_t *a = n->at[0][0], *b = n->at[0][1], *c = n->at[1][0], *d = n->at[1][1];
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < channels; i++) {
    const float mixed = mix_four(a[i], b[i], c[i], d[i], n);
    out[i] = (uint8_t)(int32_t)(mixed + 8388608.0f - 8388608.0f);
  }
}

static void bilinear_row(const fov_run *run, size_t image, size_t row) {
  const fov_resize *resize = run->parameters;
  const fov_planes source = fov_shape_planes(run->inputs[0].shape);
  const ptrdiff_t size = (ptrdiff_t)fov_data_type_bytes(run->output.type);
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const fov_resize_sample down = fov_resize_sample_of(resize, 0, row, source.rows);
  const uint8_t *upper = fov_plane_row(&in, down.near, (size_t)size);
  const uint8_t *lower = fov_plane_row(&in, down.far, (size_t)size);
  uint8_t *to = fov_plane_row(&out, row, (size_t)size);
  for (size_t x = 0; x < resize->output[1]; x++, to += out.pixel * size) {
    const fov_resize_sample across = fov_resize_sample_of(resize, 1, x, source.columns);
    const ptrdiff_t near = (ptrdiff_t)across.near * in.pixel * size;
    const ptrdiff_t far = (ptrdiff_t)across.far * in.pixel * size;
    const neighbors pixels = {
        {{upper + near, upper + far}, {lower + near, lower + far}}, down.fraction, across.fraction};
    if (size == 1) {
      mix_codes(&pixels, to, source.channels);
    } else {
      mix_floats(&pixels, (float *)(void *)to, source.channels);
    }
  }
}

// MARK: both

static void run_resize(const fov_run *run) {
  const bool nearest = ((const fov_resize *)run->parameters)->filter == fov_resize_nearest;
  fov_channels_last_each_row(run, nearest ? nearest_row : bilinear_row);
}

static fov_status check_resize(const void *parameters, const fov_tensor *inputs, size_t input_count,
                               const fov_tensor *output, fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 1, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_moved(&inputs[0], output, 0, diagnostic));
  return fov_channels_last_check_inferred(&fov_operation_resize, parameters, &inputs[0], output,
                                          diagnostic);
}

const fov_operation fov_operation_channels_last_resize = {
    .name = "resize",
    .run = run_resize,
    .archive = fov_resize_archive,
    .parameter_bytes = sizeof(fov_resize),
    .check = check_resize,
    .input_count = 1,
};

// Fovea - products of channels-last images of floats: gates of pixels or of channels.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"

// One of the images may have a single pixel, whose channels multiply those of every pixel.
static bool is_pixel(const fov_tensor *input) {
  const fov_planes planes = fov_shape_planes(input->shape);
  return planes.rows == 1 && planes.columns == 1;
}

static void multiply_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_plane out = fov_format_plane(&run->output, image);
  float *to = fov_plane_row(&out, row, sizeof(float));
  const float *from[2];
  ptrdiff_t step[2];
  for (size_t k = 0; k < 2; k++) {
    const bool one = is_pixel(&run->inputs[k]);
    const fov_plane in = fov_format_plane(&run->inputs[k], image);
    from[k] = fov_plane_row(&in, one ? 0 : row, sizeof(float));
    step[k] = one ? 0 : in.pixel;
  }
  for (size_t x = 0; x < planes.columns; x++) {
    const float *a = from[0], *b = from[1];
    FOV_INDEPENDENT_ITERATIONS for (size_t c = 0; c < planes.channels; c++) to[c] = a[c] * b[c];
    from[0] += step[0];
    from[1] += step[1];
    to += out.pixel;
  }
}

static void run_multiply(const fov_run *run) { fov_channels_last_each_row(run, multiply_row); }

bool fov_channels_last_can_multiply(const fov_shape *a, const fov_shape *b,
                                    const fov_shape *output) {
  const fov_shape *inputs[2] = {a, b};
  bool covers = false;
  for (size_t k = 0; k < 2; k++) {
    if (inputs[k]->rank != output->rank || output->rank < 3) return false;
    fov_shape pixel = *output;
    pixel.dims[output->rank - 2] = pixel.dims[output->rank - 1] = 1;
    const bool whole = fov_shape_equal(inputs[k], output);
    if (!whole && !fov_shape_equal(inputs[k], &pixel)) return false;
    covers = covers || whole;
  }
  return covers;
}

static fov_status check_multiply(const void *parameters, const fov_tensor *inputs,
                                 size_t input_count, const fov_tensor *output,
                                 fov_diagnostic *diagnostic) {
  (void)parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 2, output, diagnostic));
  for (size_t k = 0; k < 2; k++) {
    FOV_FORWARD(fov_channels_last_check_same_type(&inputs[k], output, diagnostic));
  }
  if (output->type == fov_data_type_float32 &&
      fov_channels_last_can_multiply(inputs[0].shape, inputs[1].shape, output->shape)) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "factors are floats: an image of the result's size, and another or a pixel");
}

const fov_operation fov_operation_channels_last_multiply = {
    .name = "multiply",
    .run = run_multiply,
    .archive = fov_binary_archive,
    .parameter_bytes = sizeof(fov_binary_function),
    .check = check_multiply,
    .input_count = 2,
};

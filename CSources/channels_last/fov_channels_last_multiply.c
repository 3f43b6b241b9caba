// Fovea - products of channels-last images: gates of pixels or of channels.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"

// One of the images may have a single pixel, whose channels multiply those of every pixel. Where
// that pixel, the gate, is floats, the other image and the result may be codes.

// MARK: floats

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

// MARK: codes

// The input that is codes, the other one being the gate; 2: neither.
static size_t find_codes(const fov_tensor *inputs) {
  size_t k = 0;
  while (k < 2 && inputs[k].type != fov_data_type_uint8) k++;
  return k;
}

// The workspace of an image: the scales of all channels, then their biases.
static float *factors_of(const fov_run *run, size_t image) {
  return (float *)run->workspace + image * 2 * fov_shape_planes(run->output.shape).channels;
}

// code = fma(code of the image, scale, bias), in steps of the result.
static void note_factors(const fov_run *run, size_t codes, size_t image) {
  const fov_quantization from = fov_format_quantization(&run->inputs[codes]);
  const fov_quantization to = fov_format_quantization(&run->output);
  const size_t channels = fov_shape_planes(run->output.shape).channels;
  const fov_plane plane = fov_format_plane(&run->inputs[1 - codes], image);
  const float *gate = plane.data, step = from.scale / to.scale;
  float *scales = factors_of(run, image), *biases = scales + channels;
  for (size_t c = 0; c < channels; c++) {
    scales[c] = gate[c] * step;
    const float shift = scales[c] * (float)fov_quantization_zero(from, c);
    biases[c] = (float)fov_quantization_zero(to, c) - shift;
  }
}

static void scale_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_plane in = fov_format_plane(&run->inputs[find_codes(run->inputs)], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  const uint8_t *from = fov_plane_row(&in, row, 1);
  uint8_t *to = fov_plane_row(&out, row, 1);
  const float *scales = factors_of(run, image), *biases = scales + planes.channels;
  for (size_t x = 0; x < planes.columns; x++) {
    run->kernels->int8->scale_channels(from + (ptrdiff_t)x * in.pixel, scales, biases,
                                       to + (ptrdiff_t)x * out.pixel, planes.channels);
  }
}

static fov_status multiply_workspace(const void *parameters, const fov_workspace_request *request,
                                     size_t *out_bytes) {
  (void)parameters;
  const fov_planes planes = fov_shape_planes(request->output);
  const bool fits = fov_size_multiply(planes.channels, 2 * sizeof(float), out_bytes) &&
                    fov_size_multiply(*out_bytes, planes.batch, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

// MARK: both

static void run_multiply(const fov_run *run) {
  if (run->output.type != fov_data_type_uint8) {
    fov_channels_last_each_row(run, multiply_row);
    return;
  }
  const size_t codes = find_codes(run->inputs), images = fov_shape_planes(run->output.shape).batch;
  for (size_t image = 0; image < images; image++) note_factors(run, codes, image);
  fov_channels_last_each_row(run, scale_row);
}

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

static bool have_types(const fov_tensor *inputs, const fov_tensor *output) {
  const size_t codes = find_codes(inputs);
  if (output->type == fov_data_type_float32) return codes == 2;
  if (codes == 2 || inputs[1 - codes].type != fov_data_type_float32) return false;
  return is_pixel(&inputs[1 - codes]) && fov_shape_equal(inputs[codes].shape, output->shape);
}

static fov_status check_multiply(const void *parameters, const fov_tensor *inputs,
                                 size_t input_count, const fov_tensor *output,
                                 fov_diagnostic *diagnostic) {
  (void)parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 2, output, diagnostic));
  if (have_types(inputs, output) &&
      fov_channels_last_can_multiply(inputs[0].shape, inputs[1].shape, output->shape)) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph,
                  "factors are an image of the result's size and type, and another or a pixel, in "
                  "floats");
}

const fov_operation fov_operation_channels_last_multiply = {
    .name = "multiply",
    .workspace = multiply_workspace,
    .run = run_multiply,
    .archive = fov_binary_archive,
    .parameter_bytes = sizeof(fov_binary_function),
    .check = check_multiply,
    .input_count = 2,
};

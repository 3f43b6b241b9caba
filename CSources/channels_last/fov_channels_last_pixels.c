// Fovea - an image of bytes as the first convolution reads it.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_pixels.h"

#include <math.h>
#include <string.h>

#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "channels_last/fov_range.h"
#include "ops/fov_operation_table.h"

fov_quantization fov_channels_last_pixels_quantization(const fov_pixels *pixels, size_t channels) {
  bool same = pixels->scale > 0.0f;
  fov_range range = {0.0f, 0.0f};
  for (size_t c = 0; c < channels; c++) {
    same = same && pixels->bias[c] == pixels->bias[0];
    for (int byte = 0; byte < 256; byte += 255) {
      const float value = (float)byte * pixels->scale + pixels->bias[c];
      range.low = fminf(range.low, value);
      range.high = fmaxf(range.high, value);
    }
  }
  const float zero = same ? -pixels->bias[0] / pixels->scale : -1.0f;
  if (same && zero >= 0.0f && zero <= 255.0f && zero == nearbyintf(zero)) {
    return (fov_quantization){.scale = pixels->scale, .zero_point = (int32_t)zero};
  }
  return fov_range_quantization(range);
}

fov_channels_last_pixels fov_channels_last_pixels_create(const fov_pixels *pixels, size_t channels,
                                                         fov_quantization quantization) {
  fov_channels_last_pixels layer = {.pixels = *pixels, .identity = true};
  for (size_t c = 0; c < channels; c++) {
    for (int byte = 0; byte < 256; byte++) {
      const float value = (float)byte * pixels->scale + pixels->bias[c];
      layer.values[c][byte] = value;
      layer.codes[c][byte] = fov_quantize(value, quantization);
      layer.identity = layer.identity && layer.codes[c][byte] == byte;
    }
  }
  return layer;
}

// Red, green, blue to four bytes a pixel. The weights of the fourth byte are zero, so that it may
// have any value. All pixels but the last are copied as four bytes.
static void copy_row_of_three(const uint8_t *restrict source, uint8_t *restrict out,
                              size_t columns) {
  for (size_t x = 0; x + 1 < columns; x++) memcpy(out + 4 * x, source + 3 * x, 4);
  memcpy(out + 4 * (columns - 1), source + 3 * (columns - 1), 3);
}

typedef uint8_t four_bytes __attribute__((vector_size(4)));
typedef float four_floats __attribute__((vector_size(16)));

// The same as floats, each pixel as one vector: two thirds of the time of three tables.
static void convert_row_of_three(const fov_pixels *pixels, const uint8_t *restrict source,
                                 float *restrict out, size_t columns) {
  const four_floats bias = {pixels->bias[0], pixels->bias[1], pixels->bias[2], 0};
  const float scale = pixels->scale;
  four_bytes bytes = {0};
  for (size_t x = 0; x + 1 < columns; x++) {
    memcpy(&bytes, source + 3 * x, sizeof bytes);
    const four_floats values = __builtin_convertvector(bytes, four_floats) * scale + bias;
    memcpy(out + 4 * x, &values, sizeof values);
  }
  memcpy(&bytes, source + 3 * (columns - 1), 3);
  const four_floats values = __builtin_convertvector(bytes, four_floats) * scale + bias;
  memcpy(out + 4 * (columns - 1), &values, sizeof values);
}

static void run_row(const fov_run *run, size_t image, size_t row) {
  const fov_channels_last_pixels *layer = run->parameters;
  const fov_shape *shape = run->inputs[0].shape;
  const size_t channels = shape->rank == 2 ? 1 : shape->dims[2];
  const size_t columns = shape->dims[1];
  const bool codes = run->output.type == fov_data_type_uint8;
  const bool reversed = layer->pixels.reverse_channels;
  const fov_plane plane = fov_format_plane(&run->output, image);
  const uint8_t *source = (const uint8_t *)run->inputs[0].data + row * columns * channels;
  uint8_t *out = fov_plane_row(&plane, row, fov_data_type_bytes(run->output.type));
  if (codes && layer->identity && channels == 3 && plane.pixel == 4 && !reversed) {
    copy_row_of_three(source, out, columns);
    return;
  }
  if (!codes && channels == 3 && plane.pixel == 4 && !reversed) {
    convert_row_of_three(&layer->pixels, source, (float *)(void *)out, columns);
    return;
  }
  for (size_t c = 0; c < channels; c++) {
    const uint8_t *from = source + (reversed ? channels - 1 - c : c);
    const size_t step = (size_t)plane.pixel;
    if (codes) {
      const uint8_t *table = layer->codes[c];
      for (size_t x = 0; x < columns; x++) out[x * step + c] = table[from[x * channels]];
    } else {
      const float *table = layer->values[c];
      float *values = (float *)(void *)out;
      for (size_t x = 0; x < columns; x++) values[x * step + c] = table[from[x * channels]];
    }
  }
}

static void run_pixels(const fov_run *run) { fov_channels_last_each_row(run, run_row); }

// MARK: compiled files

static void archive(fov_archive *archive, void *parameters) {
  fov_pixels_archive(archive, &((fov_channels_last_pixels *)parameters)->pixels);
}

static fov_status check(const void *parameters, const fov_tensor *inputs, size_t input_count,
                        const fov_tensor *output, fov_diagnostic *diagnostic) {
  if (input_count != 1 || inputs[0].type != fov_data_type_uint8 ||
      inputs[0].format->arrangement != fov_arrangement_planar) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "the input is no image");
  }
  FOV_FORWARD(fov_channels_last_check_images(NULL, 0, 0, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_one_zero(output, diagnostic));
  return fov_channels_last_check_inferred(&fov_operation_pixels,
                                          &((const fov_channels_last_pixels *)parameters)->pixels,
                                          &inputs[0], output, diagnostic);
}

static fov_status restore(void *parameters, const fov_tensor *inputs, const fov_tensor *output,
                          fov_diagnostic *diagnostic) {
  (void)inputs;
  (void)diagnostic;
  fov_channels_last_pixels *layer = parameters;
  const fov_pixels pixels = layer->pixels;
  *layer = fov_channels_last_pixels_create(&pixels, fov_shape_planes(output->shape).channels,
                                           output->type == fov_data_type_uint8
                                               ? output->format->quantization
                                               : (fov_quantization){.scale = 1.0f});
  return fov_status_ok;
}

const fov_operation fov_operation_channels_last_pixels = {
    .name = "pixels",
    .run = run_pixels,
    .archive = archive,
    .parameter_bytes = sizeof(fov_channels_last_pixels),
    .check = check,
    .restore = restore,
    .input_count = 1,
    .byte_input = true,
};

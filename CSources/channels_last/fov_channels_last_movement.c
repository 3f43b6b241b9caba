// Fovea - concatenating, slicing and padding channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "ops/fov_operation_table.h"

// MARK: concatenation along the channels

// An input that is a view of the result is in its place already. An input that occurs twice is a
// view only once.
static bool lies_in_place(const fov_run *run, size_t input, size_t channel) {
  return run->inputs[input].data == run->output.data &&
         run->inputs[input].format->channel == channel;
}

static void concat_row(const fov_run *run, size_t image, size_t row) {
  const size_t size = fov_data_type_bytes(run->output.type);
  const fov_plane out = fov_format_plane(&run->output, image);
  size_t channel = 0;
  for (size_t i = 0; i < run->input_count; i++) {
    const fov_planes planes = fov_shape_planes(run->inputs[i].shape);
    if (!lies_in_place(run, i, channel)) {
      const fov_plane in = fov_format_plane(&run->inputs[i], image);
      const uint8_t *from = fov_plane_row(&in, row, size);
      uint8_t *to = (uint8_t *)fov_plane_row(&out, row, size) + channel * size;
      for (size_t x = 0; x < planes.columns; x++) {
        memcpy(to + x * (size_t)out.pixel * size, from + x * (size_t)in.pixel * size,
               planes.channels * size);
      }
    }
    channel += planes.channels;
  }
}

static void run_concat(const fov_run *run) {
  size_t channel = 0;
  bool copies = false;
  for (size_t i = 0; i < run->input_count; i++) {
    copies = copies || !lies_in_place(run, i, channel);
    channel += fov_shape_planes(run->inputs[i].shape).channels;
  }
  if (!copies) return;
  fov_channels_last_each_row(run, concat_row);
}

static void archive_concat(fov_archive *archive, void *parameters) {
  fov_archive_size(archive, parameters);
}

static bool continues(const fov_shape *input, const fov_shape *output, size_t axis) {
  if (input->rank != output->rank) return false;
  for (size_t i = 0; i < output->rank; i++) {
    if (i != axis && input->dims[i] != output->dims[i]) return false;
  }
  return true;
}

static fov_status check_concat(const void *parameters, const fov_tensor *inputs, size_t input_count,
                               const fov_tensor *output, fov_diagnostic *diagnostic) {
  (void)parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, input_count, output, diagnostic));
  const size_t axis = output->shape->rank - 3;
  size_t channels = 0;
  for (size_t i = 0; i < input_count; i++) {
    if (!continues(inputs[i].shape, output->shape, axis)) {
      return fov_fail(diagnostic, fov_status_shape_mismatch, "input %zu is no part of the output",
                      i);
    }
    FOV_FORWARD(fov_channels_last_check_moved(&inputs[i], output, channels, diagnostic));
    channels += inputs[i].shape->dims[axis];
  }
  if (channels == output->shape->dims[axis]) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_shape_mismatch,
                  "the inputs have %zu channels, the output has %zu", channels,
                  output->shape->dims[axis]);
}

const fov_operation fov_operation_channels_last_concat = {
    .name = "concat",
    .run = run_concat,
    .archive = archive_concat,  // the axis of the planar operation
    .parameter_bytes = sizeof(size_t),
    .check = check_concat,
};

// MARK: slices of channels

// The layout pass has made the result a view of the input (layout/fov_layout_formats.c).
static void run_slice(const fov_run *run) { (void)run; }

static fov_status check_slice(const void *parameters, const fov_tensor *inputs, size_t input_count,
                              const fov_tensor *output, fov_diagnostic *diagnostic) {
  const fov_slice *slice = parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 1, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_inferred(&fov_operation_slice, slice, &inputs[0], output,
                                               diagnostic));
  const size_t begin = fov_slice_first_channel(slice, inputs[0].shape);
  if (begin == SIZE_MAX) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "a slice is not of neighboring channels");
  }
  return fov_channels_last_check_moved(output, &inputs[0], begin, diagnostic);
}

const fov_operation fov_operation_channels_last_slice = {
    .name = "slice",
    .run = run_slice,
    .archive = fov_slice_archive,
    .parameter_bytes = sizeof(fov_slice),
    .check = check_slice,
    .input_count = 1,
};

// MARK: zeros around an image

bool fov_channels_last_can_pad(const fov_padding *padding, size_t rank) {
  if (padding->mode != fov_padding_constant || padding->value != 0.0f || rank < 3) return false;
  for (size_t i = 0; i + 2 < rank; i++) {
    if (padding->before[i] != 0 || padding->after[i] != 0) return false;
  }
  return true;
}

static void pad_row(const fov_run *run, size_t image, size_t row) {
  const fov_padding *padding = run->parameters;
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const fov_planes source = fov_shape_planes(run->inputs[0].shape);
  const size_t rank = run->output.shape->rank, size = fov_data_type_bytes(run->output.type);
  const fov_plane in = fov_format_plane(&run->inputs[0], image);
  const fov_plane out = fov_format_plane(&run->output, image);
  uint8_t *to = fov_plane_row(&out, row, size);
  const size_t above = padding->before[rank - 2], left = padding->before[rank - 1];
  if (row < above || row - above >= source.rows) {
    fov_format_fill_pixels(&run->output, to, planes.columns);
    return;
  }
  const size_t pixel = (size_t)out.pixel * size;
  const uint8_t *from = fov_plane_row(&in, row - above, size);
  fov_format_fill_pixels(&run->output, to, left);
  for (size_t x = 0; x < source.columns; x++) {
    memcpy(to + (left + x) * pixel, from + x * (size_t)in.pixel * size, planes.channels * size);
  }
  const size_t end = left + source.columns;
  fov_format_fill_pixels(&run->output, to + end * pixel, planes.columns - end);
}

static void run_padding(const fov_run *run) { fov_channels_last_each_row(run, pad_row); }

static fov_status check_padding(const void *parameters, const fov_tensor *inputs,
                                size_t input_count, const fov_tensor *output,
                                fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 1, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_moved(&inputs[0], output, 0, diagnostic));
  if (!fov_channels_last_can_pad(parameters, output->shape->rank)) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "only zeros pad rows and columns here");
  }
  return fov_channels_last_check_inferred(&fov_operation_padding, parameters, &inputs[0], output,
                                          diagnostic);
}

const fov_operation fov_operation_channels_last_padding = {
    .name = "padding",
    .run = run_padding,
    .archive = fov_padding_archive,
    .parameter_bytes = sizeof(fov_padding),
    .check = check_padding,
    .input_count = 1,
};

// Fovea - concatenating and enlarging channels-last pictures.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "packed/fov_packed_operation_table.h"
#include "packed/fov_packed_rows.h"

// MARK: concatenation along the channels

// An input that is a view of the result lies where it belongs already; one that occurs twice does so
// only once.
static bool lies_in_place(const fov_run *run, size_t input, size_t channel) {
  return run->inputs[input].data == run->output.data &&
         run->inputs[input].format->channel == channel;
}

static void concat_row(const fov_run *run, size_t picture, size_t row) {
  const size_t size = fov_data_type_bytes(run->output.type);
  const fov_plane out = fov_format_plane(&run->output, picture);
  size_t channel = 0;
  for (size_t i = 0; i < run->input_count; i++) {
    const fov_planes planes = fov_shape_planes(run->inputs[i].shape);
    if (!lies_in_place(run, i, channel)) {
      const fov_plane in = fov_format_plane(&run->inputs[i], picture);
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
  const fov_planes planes = fov_shape_planes(run->output.shape);
  fov_packed_each_row(run, &planes, concat_row);
  fov_format_fill_border(&run->output);
}

const fov_operation fov_operation_packed_concat = {
    .name = "concat",
    .run = run_concat,
};

// MARK: nearest neighbour

// floor(index * step + offset), clamped to the source.
static size_t source_index(const fov_resize *resize, int axis, size_t index, size_t size) {
  const double at = floor((double)index * resize->step[axis] + resize->offset[axis]);
  if (!(at > 0.0)) return 0;
  return at >= (double)(size - 1) ? size - 1 : (size_t)at;
}

static void resize_row(const fov_run *run, size_t picture, size_t row) {
  const fov_resize *resize = run->parameters;
  const fov_planes source = fov_shape_planes(run->inputs[0].shape);
  const size_t size = fov_data_type_bytes(run->output.type);
  const fov_plane in = fov_format_plane(&run->inputs[0], picture);
  const fov_plane out = fov_format_plane(&run->output, picture);
  const uint8_t *from = fov_plane_row(&in, source_index(resize, 0, row, source.rows), size);
  uint8_t *to = fov_plane_row(&out, row, size);
  for (size_t x = 0; x < resize->output[1]; x++) {
    const size_t column = source_index(resize, 1, x, source.columns);
    memcpy(to + x * (size_t)out.pixel * size, from + column * (size_t)in.pixel * size,
           source.channels * size);
  }
}

static void run_resize(const fov_run *run) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  fov_packed_each_row(run, &planes, resize_row);
  fov_format_fill_border(&run->output);
}

const fov_operation fov_operation_packed_resize = {
    .name = "resize",
    .run = run_resize,
    .input_count = 1,
};

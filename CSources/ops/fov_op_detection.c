// Fovea - decoding detector heads: tiles, objectness, and the functions of a logit.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_op_detection.h"

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/float/fov_exponential.h"
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_loop.h"
#include "ops/fov_shape_require.h"
#include "tensor/fov_format.h"

// MARK: shapes

static size_t channels_of_anchor(const fov_detection_layout *layout) {
  return FOV_DETECTION_BOX_CHANNELS + layout->classes;
}

static fov_status check_layout(const fov_detection_layout *layout, size_t columns,
                               fov_diagnostic *diagnostic) {
  const fov_shape *output = &layout->output;
  FOV_FORWARD(fov_shape_validate(output, diagnostic));
  if (layout->classes == 0 || layout->classes > INT32_MAX || output->rank == 0 ||
      output->dims[output->rank - 1] != columns) {
    char text[FOV_SHAPE_TEXT];
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "%zu classes in an array %.100s; expected rows of %zu", layout->classes,
                    fov_shape_describe(output, text), columns);
  }
  return fov_status_ok;
}

fov_status fov_detection_infer_shape(const fov_detection_layout *layout, size_t columns,
                                     const fov_shape *inputs, size_t input_count,
                                     fov_shape *out_shape, fov_diagnostic *diagnostic) {
  size_t found = 0;
  FOV_FORWARD(check_layout(layout, columns, diagnostic));
  for (size_t i = 0; i < input_count; i++) {
    FOV_FORWARD(fov_shape_require_planes(&inputs[i], diagnostic));
    const fov_planes planes = fov_shape_planes(&inputs[i]);
    if (planes.batch != 1 || planes.channels % channels_of_anchor(layout) != 0) {
      return fov_fail(diagnostic, fov_status_shape_mismatch,
                      "head %zu has %zu images of %zu channels; expected 1 of a multiple of %zu", i,
                      planes.batch, planes.channels, channels_of_anchor(layout));
    }
    found += fov_shape_count(&inputs[i]) / channels_of_anchor(layout);
  }
  const fov_shape *output = &layout->output;
  const size_t rows = fov_shape_count_range(output, 0, output->rank - 1);
  if (found != rows) {
    return fov_fail(diagnostic, fov_status_shape_mismatch, "the heads have %zu boxes; expected %zu",
                    found, rows);
  }
  *out_shape = *output;
  return fov_status_ok;
}

void fov_detection_layout_archive(fov_archive *archive, void *parameters) {
  fov_detection_layout *layout = parameters;
  fov_archive_size(archive, &layout->classes);
  fov_archive_bool(archive, &layout->pixels_outermost);
  fov_archive_shape(archive, &layout->output);
}

// MARK: tiles

typedef struct tile_loop {
  const fov_run *run;
  const fov_detection_layout *layout;
  float floor;
  fov_detection_body body;
} tile_loop;

static size_t tiles_of(const fov_tensor *head) {
  const fov_planes planes = fov_shape_planes(head->shape);
  return fov_size_parts(planes.rows * planes.columns, FOV_DETECTION_TILE);
}

static bool is_planar(const fov_tensor *head) {
  return !head->format || head->format->arrangement == fov_arrangement_planar;
}

static void find_pixels(const fov_tensor *head, const fov_planes *planes, size_t first,
                        fov_detection_tile *tile) {
  if (is_planar(head)) {
    tile->channel = (ptrdiff_t)(planes->rows * planes->columns);
    for (size_t i = 0; i < tile->count; i++) {
      tile->pixels[i] = (const float *)head->data + first + i;
    }
    return;
  }
  const fov_plane plane = fov_format_plane(head, 0);
  size_t row = first / planes->columns, column = first % planes->columns;
  tile->channel = 1;
  for (size_t i = 0; i < tile->count; i++) {
    tile->pixels[i] =
        (const float *)plane.data + (ptrdiff_t)row * plane.row + (ptrdiff_t)column * plane.pixel;
    if (++column == planes->columns) {
      column = 0;
      row++;
    }
  }
}

static void run_tile(void *context, size_t unit, size_t thread) {
  (void)thread;
  const tile_loop *loop = context;
  const fov_run *run = loop->run;
  fov_detection_tile tile = {.floor = loop->floor};
  while (unit >= tiles_of(&run->inputs[tile.head])) {
    const fov_tensor *head = &run->inputs[tile.head++];
    tile.row += fov_shape_count(head->shape) / channels_of_anchor(loop->layout);
    unit -= tiles_of(head);
  }
  const fov_tensor *head = &run->inputs[tile.head];
  const fov_planes planes = fov_shape_planes(head->shape);
  const size_t pixels = planes.rows * planes.columns;
  const size_t first = unit * FOV_DETECTION_TILE;
  tile.anchors = planes.channels / channels_of_anchor(loop->layout);
  tile.count = fov_size_min(pixels - first, (size_t)FOV_DETECTION_TILE);
  tile.pixel_step = loop->layout->pixels_outermost ? tile.anchors : 1;
  tile.anchor_step = loop->layout->pixels_outermost ? 1 : pixels;
  tile.row += first * tile.pixel_step;
  find_pixels(head, &planes, first, &tile);
  loop->body(run, &tile);
}

// With fewer logits, waking other threads costs more than they save. With a floor, only the
// objectness counts, since scores may not be computed.
#define SEQUENTIAL_LOGITS 32768

void fov_detection_for_tiles(const fov_run *run, const fov_detection_layout *layout, float floor,
                             fov_detection_body body) {
  size_t tiles = 0;
  for (size_t i = 0; i < run->input_count; i++) tiles += tiles_of(&run->inputs[i]);
  const size_t results = fov_shape_count(run->output.shape);
  const size_t logits = floor > 0.0f ? results / layout->classes : results;
  tile_loop loop = {.run = run, .layout = layout, .floor = floor, .body = body};
  fov_parallel_for(logits < SEQUENTIAL_LOGITS ? NULL : run->pool, tiles, run_tile, &loop);
}

// MARK: elements

void fov_detection_gather(const fov_detection_tile *tile, size_t channel,
                          float out[FOV_DETECTION_TILE]) {
  const ptrdiff_t offset = (ptrdiff_t)channel * tile->channel;
  for (size_t i = 0; i < tile->count; i++) out[i] = tile->pixels[i][offset];
  for (size_t i = tile->count; i < FOV_DETECTION_TILE; i++) out[i] = 0.0f;
}

bool fov_detection_objectness(const fov_run *run, const fov_detection_tile *tile,
                              size_t first_channel, float out_objectness[FOV_DETECTION_TILE]) {
  fov_detection_gather(tile, first_channel + FOV_DETECTION_OBJECTNESS, out_objectness);
  run->kernels->float32->logistic(out_objectness, 1.0f, out_objectness, FOV_DETECTION_TILE);
  for (size_t i = 0; i < tile->count; i++) {
    if (!(out_objectness[i] < tile->floor)) return true;
  }
  return false;
}

void fov_detection_exponential(const float *x, float *out, size_t count) {
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) out[i] = fov_exponential(x[i]);
}

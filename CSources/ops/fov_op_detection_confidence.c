// Fovea - from detector heads to the scores of all boxes.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  const fov_detection_layout *layout = parameters;
  return fov_detection_infer_shape(layout, layout->classes, inputs, input_count, out_shape,
                                   diagnostic);
}

// Logits of a planar head are transposed on the stack, in blocks of this size, so that each cache
// line of pixels is read once.
#define CLASSES_AT_ONCE 128
#define PIXELS_AT_ONCE 16

// One anchor of the tile. `channel` is its first class logit, `out` its first row of results.
typedef struct anchor_scores {
  const fov_detection_tile *tile;
  size_t channel;
  size_t classes;
  const float *objectness;  // (FOV_DETECTION_TILE,)
  float floor;
  const fov_float_kernels *kernels;
  float *out;
} anchor_scores;

// Classes [begin, begin + count) of pixel i, from contiguous logits.
static void score_row(const anchor_scores *anchor, size_t i, const float *logits, size_t begin,
                      size_t count) {
  float *out = anchor->out + i * anchor->tile->pixel_step * anchor->classes + begin;
  if (anchor->objectness[i] < anchor->floor) {
    memset(out, 0, count * sizeof(float));
  } else {
    anchor->kernels->logistic(logits, anchor->objectness[i], out, count);
  }
}

static void score_channels_last(const anchor_scores *anchor) {
  for (size_t i = 0; i < anchor->tile->count; i++) {
    score_row(anchor, i, anchor->tile->pixels[i] + anchor->channel, 0, anchor->classes);
  }
}

// The same for classes [begin, begin + count) of a planar head.
static void score_planar(const anchor_scores *anchor, size_t begin, size_t count) {
  float logits[PIXELS_AT_ONCE][CLASSES_AT_ONCE];
  const fov_detection_tile *tile = anchor->tile;
  for (size_t first = 0; first < tile->count; first += PIXELS_AT_ONCE) {
    const size_t pixels = fov_size_min(tile->count - first, PIXELS_AT_ONCE);
    const float *source =
        tile->pixels[first] + (ptrdiff_t)(anchor->channel + begin) * tile->channel;
    for (size_t c = 0; c < count; c++, source += tile->channel) {
      for (size_t i = 0; i < pixels; i++) logits[i][c] = source[i];
    }
    for (size_t i = 0; i < pixels; i++) score_row(anchor, first + i, logits[i], begin, count);
  }
}

static void clear_rows(const anchor_scores *anchor) {
  const size_t step = anchor->tile->pixel_step * anchor->classes;
  for (size_t i = 0; i < anchor->tile->count; i++) {
    memset(anchor->out + i * step, 0, anchor->classes * sizeof(float));
  }
}

static void run_tile(const fov_run *run, const fov_detection_tile *tile) {
  const fov_detection_layout *layout = run->parameters;
  float objectness[FOV_DETECTION_TILE];
  for (size_t a = 0; a < tile->anchors; a++) {
    const size_t channel = a * (FOV_DETECTION_BOX_CHANNELS + layout->classes);
    const anchor_scores anchor = {
        .tile = tile,
        .channel = channel + FOV_DETECTION_BOX_CHANNELS,
        .classes = layout->classes,
        .objectness = objectness,
        .floor = tile->floor,
        .kernels = run->kernels->float32,
        .out = fov_run_output(run) + (tile->row + a * tile->anchor_step) * layout->classes,
    };
    if (!fov_detection_objectness(run, tile, channel, objectness)) {
      clear_rows(&anchor);
      continue;
    }
    if (tile->channel == 1) {
      score_channels_last(&anchor);
      continue;
    }
    for (size_t begin = 0; begin < layout->classes; begin += CLASSES_AT_ONCE) {
      score_planar(&anchor, begin, fov_size_min(layout->classes - begin, CLASSES_AT_ONCE));
    }
  }
}

static void decode(const fov_run *run, float confidence_floor) {
  fov_detection_for_tiles(run, run->parameters, confidence_floor, run_tile);
}

const fov_operation fov_operation_detection_confidence = {
    .name = "detection_confidence",
    .infer_shape = infer_shape,
    .decode = decode,
    .archive = fov_detection_layout_archive,
    .parameter_bytes = sizeof(fov_detection_layout),
    .any_arrangement = true,
};

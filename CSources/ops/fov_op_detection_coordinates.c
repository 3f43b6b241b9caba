// Fovea - from detector heads to the boxes themselves.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"

static void release(void *parameters) {
  fov_detection_coordinates *coordinates = parameters;
  fov_release(coordinates->center_scales);
  fov_release(coordinates->terms);
  coordinates->center_scales = coordinates->terms = NULL;
}

fov_status fov_detection_coordinates_create(const fov_detection_layout *layout, size_t head_count,
                                            size_t row_count,
                                            fov_detection_coordinates *out_parameters) {
  *out_parameters = (fov_detection_coordinates){
      .layout = *layout,
      .head_count = head_count,
      .row_count = row_count,
      .center_scales = fov_allocate_array(head_count, 2 * sizeof(float)),
      .terms = fov_allocate_array(row_count, 4 * sizeof(float)),
  };
  if (out_parameters->center_scales && out_parameters->terms) return fov_status_ok;
  release(out_parameters);
  return fov_status_out_of_memory;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  const fov_detection_coordinates *coordinates = parameters;
  FOV_FORWARD(fov_detection_infer_shape(&coordinates->layout, 4, inputs, input_count, out_shape,
                                        diagnostic));
  if (coordinates->head_count == input_count &&
      coordinates->row_count == fov_shape_count_range(out_shape, 0, out_shape->rank - 1)) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_shape_mismatch,
                  "scales of %zu heads and terms of %zu boxes; expected %zu heads",
                  coordinates->head_count, coordinates->row_count, input_count);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_detection_coordinates *coordinates = parameters;
  fov_detection_layout_archive(archive, &coordinates->layout);
  FOV_ARCHIVE_ENUM(archive, coordinates->size, fov_detection_size_squared_sigmoid);
  fov_archive_size(archive, &coordinates->head_count);
  fov_archive_size(archive, &coordinates->row_count);
  fov_archive_block_owned(archive, (void **)&coordinates->center_scales, coordinates->head_count,
                          2 * sizeof(float), 0);
  fov_archive_block_owned(archive, (void **)&coordinates->terms, coordinates->row_count,
                          4 * sizeof(float), 0);
}

static size_t weight_bytes(const void *parameters) {
  const fov_detection_coordinates *coordinates = parameters;
  return (coordinates->head_count * 2 + coordinates->row_count * 4) * sizeof(float);
}

#define TILE FOV_DETECTION_TILE

// values: (4, TILE): x, y, w and h of one anchor, before scales and offsets.
static void decode_anchor(const fov_run *run, const fov_detection_tile *tile, size_t channel,
                          float values[4 * TILE]) {
  const fov_detection_coordinates *coordinates = run->parameters;
  const fov_float_kernels *kernels = run->kernels->float32;
  for (size_t k = 0; k < 4; k++) fov_detection_gather(tile, channel + k, values + k * TILE);
  if (coordinates->size == fov_detection_size_exponential) {
    kernels->logistic(values, 1.0f, values, 2 * TILE);
    fov_detection_exponential(values + 2 * TILE, values + 2 * TILE, 2 * TILE);
  } else {
    kernels->logistic(values, 1.0f, values, 4 * TILE);
    for (size_t i = 2 * TILE; i < 4 * TILE; i++) values[i] *= values[i];
  }
}

static void run_tile(const fov_run *run, const fov_detection_tile *tile) {
  const fov_detection_coordinates *coordinates = run->parameters;
  const float *scale = coordinates->center_scales + 2 * tile->head;
  const bool has_floor = tile->floor > 0.0f;
  float objectness[TILE], values[4 * TILE];
  for (size_t a = 0; a < tile->anchors; a++) {
    const size_t channel = a * (FOV_DETECTION_BOX_CHANNELS + coordinates->layout.classes);
    const bool any = !has_floor || fov_detection_objectness(run, tile, channel, objectness);
    if (any) decode_anchor(run, tile, channel, values);
    for (size_t i = 0; i < tile->count; i++) {
      const size_t row = tile->row + a * tile->anchor_step + i * tile->pixel_step;
      const float *terms = coordinates->terms + 4 * row;
      float *out = fov_run_output(run) + 4 * row;
      if (has_floor && objectness[i] < tile->floor) {
        memset(out, 0, 4 * sizeof(float));
        continue;
      }
      out[0] = values[i] * scale[0] + terms[0];
      out[1] = values[TILE + i] * scale[1] + terms[1];
      out[2] = values[2 * TILE + i] * terms[2];
      out[3] = values[3 * TILE + i] * terms[3];
    }
  }
}

static void decode(const fov_run *run, float confidence_floor) {
  const fov_detection_coordinates *coordinates = run->parameters;
  fov_detection_for_tiles(run, &coordinates->layout, confidence_floor, run_tile);
}

const fov_operation fov_operation_detection_coordinates = {
    .name = "detection_coordinates",
    .infer_shape = infer_shape,
    .decode = decode,
    .weight_bytes = weight_bytes,
    .release = release,
    .archive = archive,
    .parameter_bytes = sizeof(fov_detection_coordinates),
    .any_arrangement = true,
};

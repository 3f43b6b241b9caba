// Fovea - running the decoding of detector heads by itself, for tests.
// SPDX-License-Identifier: Apache-2.0
#include "detection_probe.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/fov_kernel_set.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"
#include "tensor/fov_format.h"

// A head with channels last: 3 foreign channels in front of each pixel's own, 2 behind, and a
// border.
static float *make_channels_last(const float *planar, const fov_shape *shape,
                                 const fov_format *format) {
  size_t bytes;
  if (!fov_format_bytes(format, shape, fov_data_type_float32, &bytes)) return NULL;
  float *data = malloc(bytes);
  if (!data) return NULL;
  for (size_t i = 0; i < bytes / sizeof(float); i++) data[i] = NAN;
  const fov_tensor tensor = {
      .data = data, .shape = shape, .type = fov_data_type_float32, .format = format};
  const fov_plane plane = fov_format_plane(&tensor, 0);
  const fov_planes planes = fov_shape_planes(shape);
  for (size_t y = 0; y < planes.rows; y++) {
    for (size_t x = 0; x < planes.columns; x++) {
      float *pixel = (float *)plane.data + (ptrdiff_t)y * plane.row + (ptrdiff_t)x * plane.pixel;
      for (size_t c = 0; c < planes.channels; c++) {
        pixel[c] = planar[(c * planes.rows + y) * planes.columns + x];
      }
    }
  }
  return data;
}

static void run_operation(const fov_operation *operation, const void *parameters,
                          const fov_tensor *head, const fov_shape *shape, float floor,
                          fov_pool *pool, float *output) {
  const fov_run run = {
      .parameters = parameters,
      .inputs = head,
      .input_count = 1,
      .output = {.data = output, .shape = shape, .type = fov_data_type_float32},
      .pool = pool,
      .slots = 1,
      .kernels = fov_kernel_set_find(fov_instruction_set_automatic),
  };
  operation->decode(&run, floor);
}

static bool run_both(const detection_probe *probe, const fov_tensor *head, const float *terms,
                     fov_pool *pool, float *confidence, float *coordinates) {
  const size_t count = probe->anchors * probe->rows * probe->columns;
  fov_detection_layout layout = {
      .classes = probe->classes,
      .pixels_outermost = probe->pixels_outermost,
      .output = {.rank = 2, .dims = {count, probe->classes}},
  };
  run_operation(&fov_operation_detection_confidence, &layout, head, &layout.output, probe->floor,
                pool, confidence);
  layout.output.dims[1] = 4;
  fov_detection_coordinates boxes;
  if (fov_detection_coordinates_create(&layout, 1, count, &boxes) != fov_status_ok) return false;
  boxes.size =
      probe->squared_sizes ? fov_detection_size_squared_sigmoid : fov_detection_size_exponential;
  for (size_t k = 0; k < 2; k++) boxes.center_scales[k] = probe->center_scales[k];
  for (size_t i = 0; i < 4 * count; i++) boxes.terms[i] = terms[i];
  run_operation(&fov_operation_detection_coordinates, &boxes, head, &layout.output, probe->floor,
                pool, coordinates);
  fov_operation_detection_coordinates.release(&boxes);
  return true;
}

bool detection_probe_run(const detection_probe *probe, const float *head, const float *terms,
                         float *confidence, float *coordinates) {
  const size_t channels = probe->anchors * (FOV_DETECTION_BOX_CHANNELS + probe->classes);
  const fov_shape shape = {.rank = 4, .dims = {1, channels, probe->rows, probe->columns}};
  const fov_format format = {.arrangement = fov_arrangement_channels_last,
                             .pixel = channels + 5,
                             .channel = 3,
                             .top = 1,
                             .left = 2,
                             .bottom = 1,
                             .right = 1};
  float *copy = probe->channels_last ? make_channels_last(head, &shape, &format) : NULL;
  if (probe->channels_last && !copy) return false;
  const fov_tensor tensor = {.data = copy ? copy : (float *)head,
                             .shape = &shape,
                             .type = fov_data_type_float32,
                             .format = copy ? &format : NULL};
  fov_pool *pool = NULL;
  bool done = fov_pool_create(probe->threads, &pool) == fov_status_ok;
  if (done) done = run_both(probe, &tensor, terms, pool, confidence, coordinates);
  fov_pool_destroy(pool);
  free(copy);
  return done;
}

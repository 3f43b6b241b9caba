// Fovea - the curve of a convolution, computed where its sums were just written.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_call.h"

static float *pixel_of(const fov_plane *plane, size_t row, size_t column, size_t channel) {
  return (float *)plane->data + (ptrdiff_t)row * plane->row + (ptrdiff_t)column * plane->pixel +
         (ptrdiff_t)channel;
}

void fov_channels_last_finish(const fov_channels_last_place *place, const size_t rows[2],
                              const size_t columns[2], const size_t panels[2]) {
  const fov_channels_last_convolution *layer = place->layer;
  const fov_fused_activation *activation = &layer->activation;
  if (activation->curve == fov_float_curve_none) return;
  const size_t outputs =
      layer->weights.depthwise ? place->result.channels : layer->weights.group_outputs;
  const size_t first = panels[0] * FOV_PANEL, last = fov_size_min(outputs, panels[1] * FOV_PANEL);
  const size_t channel = place->group * layer->weights.group_outputs + first;
  const fov_plane *output = &place->at.output, *residual = &place->at.residual;
  fov_float_finish finish = {
      .curve = activation->curve,
      .alpha = activation->alpha,
      .least = activation->least,
      .pixel = output->pixel,
      .residual_pixel = residual->pixel,
      .pixels = columns[1] - columns[0],
      .channels = last - first,
  };
  for (size_t row = rows[0]; row < rows[1]; row++) {
    finish.results = pixel_of(output, row, columns[0], channel);
    finish.sums = finish.results;
    if (activation->has_residual) {
      finish.residual = pixel_of(residual, row, columns[0], channel);
    }
    place->run->kernels->float32->finish(&finish);
  }
}

// Fovea - the curve or the table of a convolution, computed where its sums were just written.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_call.h"

// Some channels of some pixels of a row.
typedef struct block {
  size_t row, column, pixels, channel, channels;
} block;

static ptrdiff_t element_of(const fov_plane *plane, const block *block) {
  return (ptrdiff_t)block->row * plane->row + (ptrdiff_t)block->column * plane->pixel +
         (ptrdiff_t)block->channel;
}

static void compute_curve(const fov_channels_last_place *place, const block *block) {
  const fov_fused_activation *activation = &place->layer->activation;
  const fov_plane *output = &place->at.output, *residual = &place->at.residual;
  float *sums = (float *)output->data + element_of(output, block);
  const fov_float_finish finish = {
      .curve = activation->curve,
      .alpha = activation->alpha,
      .least = activation->least,
      .sums = sums,
      .results = sums,
      .pixel = output->pixel,
      .residual = activation->has_residual
                      ? (const float *)residual->data + element_of(residual, block)
                      : NULL,
      .residual_pixel = residual->pixel,
      .pixels = block->pixels,
      .channels = block->channels,
  };
  place->run->kernels->float32->finish(&finish);
}

static void look_up(const fov_channels_last_place *place, const block *block) {
  const fov_plane *output = &place->at.output;
  uint8_t *codes = (uint8_t *)output->data + element_of(output, block);
  const fov_look_up job = {
      .codes = codes,
      .results = codes,
      .pixel = output->pixel,
      .result_pixel = output->pixel,
      .pixels = block->pixels,
      .channels = block->channels,
      .table = place->layer->table,
  };
  place->run->kernels->look_up(&job);
}

void fov_channels_last_finish(const fov_channels_last_place *place, const size_t rows[2],
                              const size_t columns[2], const size_t panels[2]) {
  const fov_channels_last_convolution *layer = place->layer;
  if (!fov_channels_last_has_finish(layer)) return;
  const size_t outputs =
      layer->weights.depthwise ? place->result.channels : layer->weights.group_outputs;
  const size_t first = panels[0] * FOV_PANEL, last = fov_size_min(outputs, panels[1] * FOV_PANEL);
  block block = {
      .column = columns[0],
      .pixels = columns[1] - columns[0],
      .channel = place->group * layer->weights.group_outputs + first,
      .channels = last - first,
  };
  for (block.row = rows[0]; block.row < rows[1]; block.row++) {
    if (layer->activation.has_table) {
      look_up(place, &block);
    } else {
      compute_curve(place, &block);
    }
  }
}

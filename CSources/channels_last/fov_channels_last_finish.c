// Fovea - the curve or the table of a convolution, computed where its sums were just written.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_call.h"
#include "channels_last/fov_channels_last_quantizing.h"

// Where a curve makes codes, kernels write their sums as floats to memory of the slot, pixel after
// pixel. The curve is computed there, and its results become codes of the output:
//
//   sums of 32 bits -> floats -> curve -> factors and offsets -> codes of 8 bits, or integers of 16
//
// So a result is rounded once, and each channel may have its own zero point. A table would round
// twice, since it reads codes of 8 bits.

// Some channels of some pixels of a row.
typedef struct block {
  size_t row, column, pixels, channel, channels;
} block;

static ptrdiff_t element_of(const fov_plane *plane, const block *block) {
  return (ptrdiff_t)block->row * plane->row + (ptrdiff_t)block->column * plane->pixel +
         (ptrdiff_t)block->channel;
}

// The plane in which the kernel finds the first element of the block at `values`. Rows and channels
// before it do not exist, and are not touched.
static fov_plane plane_of_values(const fov_channels_last_place *place,
                                 const fov_channels_last_block *block, float *values) {
  const size_t pixel = (block->panels[1] - block->panels[0]) * FOV_PANEL;
  const size_t row = (block->columns[1] - block->columns[0]) * pixel;
  const size_t before = block->rows[0] * row + block->panels[0] * FOV_PANEL +
                        place->group * place->layer->weights.group_outputs;
  const uintptr_t address = (uintptr_t)values - before * sizeof(float);
  return (fov_plane){(void *)address, (ptrdiff_t)row, (ptrdiff_t)pixel};
}

bool fov_channels_last_values_bytes(size_t pixels, size_t panels, size_t *out_bytes) {
  size_t values;
  if (!fov_size_multiply(pixels, panels * FOV_PANEL, &values) ||
      !fov_size_multiply(values, sizeof(float), out_bytes)) {
    return false;
  }
  return fov_size_align(*out_bytes, out_bytes);
}

void fov_channels_last_redirect(fov_channels_last_place *place,
                                const fov_channels_last_block *block, float *values) {
  if (!place->layer->curves_codes) return;
  place->to_floats = true;
  place->at.output = plane_of_values(place, block, values);
}

static const float *factors_of(const fov_channels_last_place *place, const block *block) {
  return place->layer->factors ? place->layer->factors + block->channel : NULL;
}

static const float *offsets_of(const fov_channels_last_place *place, const block *block) {
  const float *factors = factors_of(place, block);
  return factors ? factors + place->layer->convolution.output_channels : NULL;
}

static void change_channels(const block *block, const float *factors, const float *offsets,
                            float *values, ptrdiff_t pixel) {
  for (size_t p = 0; p < block->pixels; p++, values += pixel) {
    for (size_t c = 0; c < block->channels; c++) values[c] = values[c] * factors[c] + offsets[c];
  }
}

// Floats of which the curve is computed in place.
static void compute_curve(const fov_channels_last_place *place, const block *block, float *sums,
                          ptrdiff_t pixel) {
  const fov_fused_activation *activation = &place->layer->activation;
  const fov_plane *residual = &place->at.residual;
  const fov_float_finish finish = {
      .curve = activation->curve,
      .alpha = activation->alpha,
      .least = activation->least,
      .sums = sums,
      .results = sums,
      .pixel = pixel,
      .residual = activation->has_residual
                      ? (const float *)residual->data + element_of(residual, block)
                      : NULL,
      .residual_pixel = residual->pixel,
      .pixels = block->pixels,
      .channels = block->channels,
  };
  place->run->kernels->float32->finish(&finish);
  const float *factors = factors_of(place, block);
  if (factors) change_channels(block, factors, offsets_of(place, block), sums, pixel);
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

static void compute_codes(const fov_channels_last_place *place, const block *block,
                          const float *values, size_t pixel) {
  const fov_tensor *output = &place->run->output;
  const fov_fused_activation *activation = &place->layer->activation;
  const fov_quantization quantization = fov_format_quantization(output);
  const fov_int8_curve codes = {
      .curve = activation->curve,
      .alpha = activation->alpha,
      .least = activation->least,
      .values = values,
      .value_pixel = pixel,
      .inverse_scale = 1.0f / quantization.scale,
      .factors = factors_of(place, block),
      .offsets = offsets_of(place, block),
      .zero_points = quantization.zero_points ? quantization.zero_points + block->channel : NULL,
      .zero_point = (float)quantization.zero_point,
      .output = (uint8_t *)place->at.output.data + element_of(&place->at.output, block),
      .output_pixel = place->at.output.pixel,
      .pixels = block->pixels,
      .channels = block->channels,
  };
  place->run->kernels->int8->curve(&codes);
}

static void compute_int16(const fov_channels_last_place *place, const block *block, float *values,
                          size_t pixel) {
  const fov_tensor *output = &place->run->output;
  compute_curve(place, block, values, (ptrdiff_t)pixel);
  const fov_quantizing row = {
      .from = values,
      .to = (int16_t *)place->at.output.data + element_of(&place->at.output, block),
      .type = output->type,
      .quantization = fov_format_quantization(output),
      .pixels = block->pixels,
      .steps = {(ptrdiff_t)pixel, place->at.output.pixel, block->channels, false},
  };
  fov_quantize_pixels(&row, place->run->kernels);
}

void fov_channels_last_finish(const fov_channels_last_place *place,
                              const fov_channels_last_block *whole, float *values) {
  const fov_channels_last_convolution *layer = place->layer;
  if (!fov_channels_last_has_finish(layer)) return;
  const size_t outputs =
      layer->weights.depthwise ? place->result.channels : layer->weights.group_outputs;
  const size_t first = whole->panels[0] * FOV_PANEL;
  const size_t last = fov_size_min(outputs, whole->panels[1] * FOV_PANEL);
  const size_t pixel = (whole->panels[1] - whole->panels[0]) * FOV_PANEL;
  block block = {
      .column = whole->columns[0],
      .pixels = whole->columns[1] - whole->columns[0],
      .channel = place->group * layer->weights.group_outputs + first,
      .channels = last - first,
  };
  for (block.row = whole->rows[0]; block.row < whole->rows[1]; block.row++) {
    if (layer->curves_codes) {
      if (place->run->output.type == fov_data_type_int16) {
        compute_int16(place, &block, values, pixel);
      } else {
        compute_codes(place, &block, values, pixel);
      }
      values += block.pixels * pixel;
    } else if (layer->activation.has_table) {
      look_up(place, &block);
    } else {
      const fov_plane *output = &place->at.output;
      compute_curve(place, &block, (float *)output->data + element_of(output, &block),
                    output->pixel);
    }
  }
}

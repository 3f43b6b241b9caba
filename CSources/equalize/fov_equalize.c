// Fovea - equalization: channels of one value that fill the range of its codes alike.
// SPDX-License-Identifier: Apache-2.0
#include "equalize/fov_equalize.h"

#include "base/fov_alloc.h"
#include "equalize/fov_equalize_state.h"
#include "ops/fov_operation_table.h"

// All channels of a value have one step. If one channel goes up to 40 and another to 0.2, the
// second has only one or two codes. But operations between convolutions are often positively
// homogeneous, f(s x) = s f(x) for s > 0: leaky ReLU, pooling, sums, concatenation. So a channel
// may be divided by s where it is written and multiplied by s where it is read:
//
//   conv, row c / s  ->  leaky ReLU  ->  conv, column c * s
//
// after M. Nagel, M. van Baalen, T. Blankevoort, M. Welling: Data-Free Quantization Through Weight
// Equalization and Bias Correction, ICCV 2019. There s follows from weights. Here it follows from
// the activations of a calibration, which lose most.
//
// Rescaled rows of weights lose nothing, since each row has a scale of its own. So has each channel
// of a depthwise convolution. Columns of a dense convolution share a scale: what activations gain,
// weights lose. For them, s is a power of the channel's amplitude with an exponent of 0 to 1
// (fov_equalize_balance.c). For other channels, s is the amplitude.

// MARK: weights

static float divisor_of(fov_equalizer *equalizer, uint32_t value, size_t channel) {
  const uint8_t exponent = equalizer->exponent[fov_equalizer_region(equalizer, value)];
  return fov_equalizer_divisor(equalizer, equalizer->first[value] + channel, exponent);
}

static fov_status scale_convolution(fov_equalizer *equalizer, const fov_graph_node *node) {
  fov_convolution_parameters *parameters = node->parameters;
  const fov_convolution *convolution = &parameters->convolution;
  const size_t groups = convolution->groups;
  const size_t positions = convolution->kernel[0] * convolution->kernel[1];
  const size_t rows = convolution->output_channels, inputs = parameters->input_channels / groups;
  FOV_FORWARD(fov_weight_store_expand(&parameters->weights));
  float *weight = fov_weight_store_mutable_floats(&parameters->weights);
  for (size_t row = 0; row < rows; row++) {
    const float divisor = divisor_of(equalizer, node->output, row);
    const size_t group = row / (rows / groups) * inputs;
    parameters->bias[row] /= divisor;
    for (size_t i = 0; i < inputs; i++) {
      const float factor = divisor_of(equalizer, node->inputs[0], group + i) / divisor;
      for (size_t position = 0; position < positions; position++) *weight++ *= factor;
    }
  }
  return fov_status_ok;
}

static fov_status apply(fov_equalizer *equalizer) {
  const fov_graph *graph = equalizer->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    if (!fov_is_convolution(graph->nodes[n].operation)) continue;
    FOV_FORWARD(scale_convolution(equalizer, &graph->nodes[n]));
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    for (size_t c = 0; c < fov_equalizer_channels(equalizer, (uint32_t)v); c++) {
      const float divisor = divisor_of(equalizer, (uint32_t)v, c);
      const size_t channel = equalizer->first[v] + c;
      fov_channel_summary *range = &equalizer->ranges[channel];
      if (equalizer->divisors) equalizer->divisors[channel] = divisor;
      range->low /= divisor;
      range->high /= divisor;
      range->mean /= divisor;
      range->variance /= divisor * divisor;
    }
  }
  return fov_status_ok;
}

static fov_status equalize(fov_equalizer *equalizer) {
  const size_t channels = equalizer->first[equalizer->graph->value_count];
  equalizer->parents = fov_allocate_array(channels, sizeof(size_t));
  equalizer->fixed = fov_allocate_array(channels, sizeof(bool));
  equalizer->dense = fov_allocate_array(channels, sizeof(bool));
  equalizer->amplitude = fov_allocate_array(channels, sizeof(float));
  equalizer->floor = fov_allocate_array(channels, sizeof(float));
  equalizer->regions = fov_allocate_array(equalizer->graph->value_count, sizeof(uint32_t));
  equalizer->exponent = fov_allocate_array(equalizer->graph->value_count, sizeof(uint8_t));
  if (!equalizer->parents || !equalizer->fixed || !equalizer->dense || !equalizer->amplitude ||
      !equalizer->floor || !equalizer->regions || !equalizer->exponent) {
    return fov_status_out_of_memory;
  }
  FOV_FORWARD(fov_equalizer_classify(equalizer));
  FOV_FORWARD(fov_equalizer_balance(equalizer));
  return apply(equalizer);
}

fov_status fov_graph_equalize(fov_graph *graph, const size_t *first, fov_channel_summary *ranges,
                              float *out_divisors, fov_diagnostic *diagnostic) {
  fov_equalizer equalizer = {
      .graph = graph, .first = first, .ranges = ranges, .divisors = out_divisors};
  FOV_FORWARD(fov_graph_users_create(graph, &equalizer.users, diagnostic));
  const fov_status status = equalize(&equalizer);
  fov_release(equalizer.parents);
  fov_release(equalizer.fixed);
  fov_release(equalizer.dense);
  fov_release(equalizer.amplitude);
  fov_release(equalizer.floor);
  fov_release(equalizer.regions);
  fov_release(equalizer.exponent);
  fov_graph_users_release(&equalizer.users);
  return status == fov_status_ok ? status
                                 : fov_fail(diagnostic, status, "no memory for equalization");
}

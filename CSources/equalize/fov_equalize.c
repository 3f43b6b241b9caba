// Fovea - equalization: channels of one value that fill the range of its codes alike.
// SPDX-License-Identifier: Apache-2.0
#include "equalize/fov_equalize.h"

#include "base/fov_alloc.h"
#include "equalize/fov_equalize_state.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_operation_table.h"

// All channels of a value have one step. If one channel goes up to 40 and another to 0.2, the
// second has only one or two codes. But operations between convolutions are often positively
// homogeneous, f(s x) = s f(x) for s > 0: leaky ReLU, pooling, sums, concatenation. So a channel
// may be divided by s where it is written and multiplied by s where it is read:
//
//   conv, row c / s  ->  leaky ReLU  ->  conv, column c * s
//
// Curves such as SiLU are not homogeneous. Behind one, a factor of the channel divides. The
// convolution multiplies by it before it rounds (fov_fused_activation.h):
//
//   conv  ->  SiLU  ->  channel c * (1 / s)  ->  conv, column c * s
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

// MARK: behind curves

// Factors and offsets of channels, divided by s. node: the linear function or the channels' own
// numbers that stand there already, or NULL.
static fov_channel_affine *affine_behind(fov_equalizer *equalizer, uint32_t value,
                                         const fov_graph_node *node) {
  const size_t channels = fov_equalizer_channels(equalizer, value);
  const bool is_affine = node && node->operation == &fov_operation_channel_affine;
  const fov_channel_affine *own = is_affine ? node->parameters : NULL;
  const fov_unary *linear = node && !is_affine ? node->parameters : NULL;
  fov_channel_affine *affine = fov_allocate(sizeof *affine);
  if (!affine || fov_channel_affine_create(channels, NULL, NULL, affine) != fov_status_ok) {
    fov_release(affine);
    return NULL;
  }
  for (size_t c = 0; c < channels; c++) {
    const float divisor = divisor_of(equalizer, value, c);
    affine->scale[c] = (own ? own->scale[c] : linear ? linear->alpha : 1.0f) / divisor;
    affine->bias[c] = (own ? own->bias[c] : linear ? linear->beta : 0.0f) / divisor;
  }
  return affine;
}

static bool is_divided(fov_equalizer *equalizer, uint32_t value) {
  for (size_t c = 0; c < fov_equalizer_channels(equalizer, value); c++) {
    if (divisor_of(equalizer, value, c) != 1.0f) return true;
  }
  return false;
}

typedef enum place { place_none, place_curve, place_behind_curve } place;

static place place_of(const fov_equalizer *equalizer, const fov_graph_node *node) {
  if (fov_graph_curved_convolution(&equalizer->users, node)) return place_curve;
  return fov_graph_followed_curve(&equalizer->users, node) ? place_behind_curve : place_none;
}

// Goes through the nodes from the last on, since an insertion moves those behind it.
static fov_status divide_at(fov_equalizer *equalizer, const place *places,
                            fov_diagnostic *diagnostic) {
  fov_graph *graph = equalizer->graph;
  for (size_t n = graph->node_count; n-- > 0;) {
    fov_graph_node *node = &graph->nodes[n];
    if (places[n] == place_none || !is_divided(equalizer, node->output)) continue;
    const bool behind = places[n] == place_behind_curve;
    fov_channel_affine *affine = affine_behind(equalizer, node->output, behind ? node : NULL);
    if (behind && !fov_graph_node_replace(node, &fov_operation_channel_affine, affine)) {
      return fov_status_out_of_memory;
    }
    if (behind) continue;
    FOV_FORWARD(
        fov_graph_insert_behind(graph, n, &fov_operation_channel_affine, affine, diagnostic));
  }
  return fov_status_ok;
}

static fov_status divide_curves(fov_equalizer *equalizer, fov_diagnostic *diagnostic) {
  const fov_graph *graph = equalizer->graph;
  place *places = fov_allocate_array(graph->node_count, sizeof(place));
  if (!places) return fov_status_out_of_memory;
  for (size_t n = 0; n < graph->node_count; n++) {
    places[n] = place_of(equalizer, &graph->nodes[n]);
  }
  const fov_status status = divide_at(equalizer, places, diagnostic);
  fov_release(places);
  return status;
}

// MARK: all

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

static fov_status equalize(fov_equalizer *equalizer, fov_diagnostic *diagnostic) {
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
  FOV_FORWARD(apply(equalizer));
  return divide_curves(equalizer, diagnostic);
}

fov_status fov_graph_equalize(fov_graph *graph, const size_t *first, fov_channel_summary *ranges,
                              float *out_divisors, fov_diagnostic *diagnostic) {
  fov_equalizer equalizer = {
      .graph = graph, .first = first, .ranges = ranges, .divisors = out_divisors};
  FOV_FORWARD(fov_graph_users_create(graph, &equalizer.users, diagnostic));
  const fov_status status = equalize(&equalizer, diagnostic);
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

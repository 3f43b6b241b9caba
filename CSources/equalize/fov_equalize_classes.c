// Fovea - equalization: which channels share one factor, and how large they get.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_fused_activation.h"
#include "channels_last/fov_range.h"
#include "equalize/fov_equalize_state.h"
#include "ops/fov_operation_table.h"

static size_t class_of(fov_equalizer *equalizer, size_t channel) {
  size_t *parents = equalizer->parents;
  while (parents[channel] != channel) {
    parents[channel] = parents[parents[channel]];
    channel = parents[channel];
  }
  return channel;
}

static void join(fov_equalizer *equalizer, size_t a, size_t b) {
  a = class_of(equalizer, a);
  b = class_of(equalizer, b);
  const size_t root = a < b ? a : b, other = a < b ? b : a;
  equalizer->parents[other] = root;
  equalizer->fixed[root] = equalizer->fixed[root] || equalizer->fixed[other];
}

uint32_t fov_equalizer_region(fov_equalizer *equalizer, uint32_t value) {
  uint32_t *regions = equalizer->regions;
  while (regions[value] != value) {
    regions[value] = regions[regions[value]];
    value = regions[value];
  }
  return value;
}

static void join_regions(fov_equalizer *equalizer, uint32_t a, uint32_t b) {
  a = fov_equalizer_region(equalizer, a);
  b = fov_equalizer_region(equalizer, b);
  equalizer->regions[a < b ? b : a] = a < b ? a : b;
}

static void fix(fov_equalizer *equalizer, uint32_t value) {
  for (size_t c = 0; c < fov_equalizer_channels(equalizer, value); c++) {
    equalizer->fixed[class_of(equalizer, equalizer->first[value] + c)] = true;
  }
}

// MARK: classes

static bool is_homogeneous(const fov_unary *unary) {
  fov_fused_activation activation;
  return fov_fused_activation_from_unary(unary, &activation) && isinf(activation.highest) &&
         (isinf(activation.lowest) || activation.lowest == 0.0f);
}

// Whether channel c of each input is channel c of the output times a number.
static bool keeps_channels(const fov_equalizer *equalizer, const fov_graph_node *node) {
  const fov_graph_value *values = equalizer->graph->values;
  const fov_shape *shape = &values[node->output].shape;
  if (node->operation == &fov_operation_unary) return is_homogeneous(node->parameters);
  if (shape->rank < 3) return false;
  if (node->operation == &fov_operation_resize) return true;
  if (node->operation == &fov_operation_pooling) {
    return ((const fov_pooling *)node->parameters)->function != fov_pooling_l2;
  }
  return node->operation == &fov_operation_binary &&
         *(const fov_binary_function *)node->parameters == fov_binary_add &&
         fov_shape_equal(&values[node->inputs[0]].shape, shape) &&
         fov_shape_equal(&values[node->inputs[1]].shape, shape);
}

static bool joins_channels(const fov_equalizer *equalizer, const fov_graph_node *node) {
  return node->operation == &fov_operation_concat &&
         *(const size_t *)node->parameters + 3 == equalizer->graph->values[node->output].shape.rank;
}

static void tie(fov_equalizer *equalizer, const fov_graph_node *node) {
  const bool concatenates = joins_channels(equalizer, node);
  size_t at = equalizer->first[node->output];
  for (size_t k = 0; k < node->input_count; k++) {
    const size_t channels = fov_equalizer_channels(equalizer, node->inputs[k]);
    const size_t input = equalizer->first[node->inputs[k]];
    join_regions(equalizer, node->inputs[k], node->output);
    for (size_t c = 0; c < channels; c++) join(equalizer, input + c, at + c);
    if (concatenates) at += channels;
  }
}

// Ties the channels of the result to as many of an input, from `begin` on.
static void tie_input(fov_equalizer *equalizer, const fov_graph_node *node, size_t k,
                      size_t begin) {
  const size_t input = equalizer->first[node->inputs[k]] + begin;
  const size_t output = equalizer->first[node->output];
  join_regions(equalizer, node->inputs[k], node->output);
  for (size_t c = 0; c < fov_equalizer_channels(equalizer, node->output); c++) {
    join(equalizer, input + c, output + c);
  }
}

static size_t sliced_from(const fov_equalizer *equalizer, const fov_graph_node *node) {
  if (node->operation != &fov_operation_slice) return SIZE_MAX;
  return fov_slice_first_channel(node->parameters,
                                 &equalizer->graph->values[node->inputs[0]].shape);
}

// The input of a product that has the shape of its result; `input_count` where there is none.
static size_t multiplied(const fov_equalizer *equalizer, const fov_graph_node *node) {
  const fov_graph_value *values = equalizer->graph->values;
  const fov_shape *shape = &values[node->output].shape;
  if (node->operation != &fov_operation_binary || shape->rank < 3 ||
      *(const fov_binary_function *)node->parameters != fov_binary_multiply) {
    return node->input_count;
  }
  size_t k = 0;
  while (k < node->input_count && !fov_shape_equal(&values[node->inputs[k]].shape, shape)) k++;
  return k;
}

static void visit(fov_equalizer *equalizer, const fov_graph_node *node) {
  const size_t image = multiplied(equalizer, node);
  const size_t begin = sliced_from(equalizer, node);
  if (begin != SIZE_MAX) {
    tie_input(equalizer, node, 0, begin);
  } else if (image < node->input_count) {
    tie_input(equalizer, node, image, 0);
    fix(equalizer, node->inputs[1 - image]);  // the other factor
  } else if (fov_graph_curved_convolution(&equalizer->users, node) ||
             fov_graph_followed_curve(&equalizer->users, node)) {
    fix(equalizer, node->inputs[0]);
  } else if (fov_is_convolution(node->operation)) {
    const fov_convolution_parameters *convolution = node->parameters;
    if (convolution->has_activation && !is_homogeneous(&convolution->activation)) {
      fix(equalizer, node->output);
    }
  } else if (keeps_channels(equalizer, node) || joins_channels(equalizer, node)) {
    tie(equalizer, node);
  } else {
    for (size_t k = 0; k < node->input_count; k++) fix(equalizer, node->inputs[k]);
    fix(equalizer, node->output);
  }
}

static void make_classes(fov_equalizer *equalizer) {
  const fov_graph *graph = equalizer->graph;
  for (size_t c = 0; c < equalizer->first[graph->value_count]; c++) equalizer->parents[c] = c;
  for (size_t v = 0; v < graph->value_count; v++) equalizer->regions[v] = (uint32_t)v;
  for (size_t n = 0; n < graph->node_count; n++) visit(equalizer, &graph->nodes[n]);
  for (size_t v = 0; v < graph->value_count; v++) {
    if (graph->values[v].kind != fov_value_result) fix(equalizer, (uint32_t)v);
  }
  for (size_t i = 0; i < graph->output_count; i++) fix(equalizer, graph->outputs[i].value);
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!fov_is_convolution(node->operation)) continue;
    if (fov_convolution_is_depthwise(node->parameters)) continue;
    for (size_t c = 0; c < fov_equalizer_channels(equalizer, node->inputs[0]); c++) {
      equalizer->dense[class_of(equalizer, equalizer->first[node->inputs[0]] + c)] = true;
    }
  }
}

// MARK: amplitudes

// If only a sum reads a convolution, the convolution adds before it rounds, and its own result is
// never codes.
static bool is_summed(const fov_equalizer *equalizer, const fov_graph_node *sum, uint32_t value) {
  const fov_graph_node *producer = fov_graph_sole_producer(&equalizer->users, value);
  return sum->operation == &fov_operation_binary && producer &&
         fov_is_convolution(producer->operation);
}

static float amplitude_of(fov_channel_summary channel) {
  const fov_range range = fov_range_of(&channel);
  return fov_range_is_known(range) ? fov_range_width(range) : 0.0f;
}

// A channel may be nearly constant on the images of the calibration, but not on others. Its
// amplitude counts as at least this part of that of the value's largest channel.
#define LEAST_PART 0.00390625f

static void gather_value(fov_equalizer *equalizer, uint32_t value) {
  const size_t begin = equalizer->first[value], end = equalizer->first[value + 1];
  float largest = 0.0f;
  for (size_t c = begin; c < end; c++) {
    largest = fmaxf(largest, amplitude_of(equalizer->ranges[c]));
  }
  for (size_t c = begin; c < end; c++) {
    const size_t class = class_of(equalizer, c);
    float *amplitude = &equalizer->amplitude[class], *floor = &equalizer->floor[class];
    *amplitude = fmaxf(*amplitude, amplitude_of(equalizer->ranges[c]));
    *floor = fmaxf(*floor, largest * LEAST_PART);
  }
}

static fov_status gather(fov_equalizer *equalizer) {
  const fov_graph *graph = equalizer->graph;
  bool *summed = fov_allocate_array(graph->value_count, sizeof(bool));
  if (!summed) return fov_status_out_of_memory;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    for (size_t k = 0; k < node->input_count; k++) {
      if (is_summed(equalizer, node, node->inputs[k])) summed[node->inputs[k]] = true;
    }
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    if (!summed[v]) gather_value(equalizer, (uint32_t)v);
  }
  fov_release(summed);
  return fov_status_ok;
}

// Channels with amplitudes far from 1 stay, since their weights could overflow.
float fov_equalizer_divisor(fov_equalizer *equalizer, size_t channel, uint8_t exponent) {
  const size_t class = class_of(equalizer, channel);
  const float amplitude = fmaxf(equalizer->amplitude[class], equalizer->floor[class]);
  if (equalizer->fixed[class] || !(amplitude > 1e-6f) || !(amplitude < 1e6f)) return 1.0f;
  if (!equalizer->dense[class] || exponent == 4) return amplitude;
  const float root = sqrtf(amplitude);
  const float half = exponent & 2 ? root : 1.0f, quarter = exponent & 1 ? sqrtf(root) : 1.0f;
  return half * quarter;
}

fov_status fov_equalizer_classify(fov_equalizer *equalizer) {
  make_classes(equalizer);
  return gather(equalizer);
}

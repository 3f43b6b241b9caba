// Fovea - the layout pass: which values are codes, and what the codes mean.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "channels_last/fov_channels_last_pixels.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "channels_last/fov_range.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// Values that a node only moves form a group. The first value of a group holds the data of the
// group.
static uint32_t group_of(const fov_layout_state *state, uint32_t value) {
  while (state->values[value].group != value) value = state->values[value].group;
  return value;
}

static void join(fov_layout_state *state, uint32_t a, uint32_t b) {
  const uint32_t first = group_of(state, a), second = group_of(state, b);
  if (first < second) {
    state->values[second].group = first;
  } else {
    state->values[first].group = second;
  }
}

bool fov_layout_only_moves(const fov_graph_node *node) {
  return node->operation == &fov_operation_pooling || node->operation == &fov_operation_concat ||
         node->operation == &fov_operation_resize || node->operation == &fov_operation_slice ||
         node->operation == &fov_operation_padding ||
         node->operation == &fov_operation_channels_last_shuffle;
}

static bool is_pixel(const fov_layout_state *state, uint32_t value) {
  const fov_planes planes = fov_shape_planes(&state->graph->values[value].shape);
  return planes.rows == 1 && planes.columns == 1;
}

bool fov_layout_gates(const fov_layout_state *state, const fov_graph_node *node,
                      size_t *out_image) {
  if (!fov_layout_multiplies(node) || !state->values[node->output].codes) return false;
  *out_image = is_pixel(state, node->inputs[0]) ? 1 : 0;
  return state->values[node->inputs[*out_image]].codes &&
         is_pixel(state, node->inputs[1 - *out_image]);
}

static void make_groups(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    state->values[v].group = (uint32_t)v;
    state->values[v].range = fov_range_empty();
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!state->nodes[n].channels_last || !fov_layout_only_moves(node)) continue;
    for (size_t k = 0; k < node->input_count; k++) join(state, node->inputs[k], node->output);
  }
}

fov_layout_value *fov_layout_group(const fov_layout_state *state, uint32_t value) {
  return &state->values[group_of(state, value)];
}

static void extend(fov_layout_state *state, uint32_t value, fov_range range) {
  fov_layout_value *first = fov_layout_group(state, value);
  if (fov_range_is_known(range)) first->range = fov_range_union(first->range, range);
}

const fov_channel_summary *fov_layout_channels(const fov_layout_state *state, uint32_t value) {
  const fov_layout_options *options = state->options;
  return options->channels ? options->channels + options->first[value] : NULL;
}

bool fov_layout_has_fixed_codes(const fov_layout_state *state) {
  return state->options->channels && !state->options->dynamic_ranges;
}

// The range of all channels of a value together; empty if codes follow the frame.
static fov_range known_range(const fov_layout_state *state, uint32_t value) {
  const fov_channel_summary *channels = fov_layout_channels(state, value);
  const size_t count = fov_range_channels(&state->graph->values[value].shape);
  fov_range range = fov_range_empty();
  for (size_t c = 0; c < count && fov_layout_has_fixed_codes(state); c++) {
    const fov_range channel = fov_range_of(&channels[c]);
    if (fov_range_is_known(channel)) range = fov_range_union(range, channel);
  }
  return range;
}

static size_t image_channels(const fov_layout_state *state, const fov_graph_node *node) {
  return fov_shape_planes(&state->graph->values[node->output].shape).channels;
}

// The range of an image of bytes is known without a calibration.
static fov_range pixel_range(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_pixels *pixels = node->parameters;
  fov_range range = {0.0f, 0.0f};
  for (size_t c = 0; c < image_channels(state, node); c++) {
    const fov_range ends = {pixels->bias[c], 255.0f * pixels->scale + pixels->bias[c]};
    range =
        fov_range_union(range, (fov_range){fminf(ends.low, ends.high), fmaxf(ends.low, ends.high)});
  }
  return range;
}

static void gather_ranges(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!state->nodes[n].channels_last) continue;
    extend(state, node->output, known_range(state, node->output));
    if (node->operation == &fov_operation_pixels) {
      extend(state, node->output, pixel_range(state, node));
    }
    if (fov_is_convolution(node->operation) && fov_layout_is_int16(state, node)) {
      state->values[node->inputs[0]].int16_readers++;
    }
  }
}

// Whether a node is faster if its inputs are codes. A convolution is that multiplies them. Another
// operation is if somebody wants its result as codes: else it would only lose by rounding.
static bool wants_codes(const fov_layout_state *state, const fov_graph_node *node) {
  if (fov_layout_only_moves(node) || fov_layout_multiplies(node) ||
      node->operation == &fov_operation_transpose) {
    return false;
  }
  if (fov_is_convolution(node->operation)) {
    return !fov_layout_is_int16(state, node) && fov_layout_is_integer(state, node);
  }
  return fov_layout_group(state, node->output)->wanted;
}

// Goes through the nodes from the last on. A group may be wanted by a node before those that write
// it, so that it does so again until nothing changes.
static void gather_wishes(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  bool changes = true;
  while (changes) {
    changes = false;
    for (size_t n = graph->node_count; n-- > 0;) {
      const fov_graph_node *node = &graph->nodes[n];
      if (!state->nodes[n].channels_last || !wants_codes(state, node)) continue;
      for (size_t k = 0; k < node->input_count; k++) {
        fov_layout_value *group = fov_layout_group(state, node->inputs[k]);
        changes = changes || !group->wanted;
        group->wanted = true;
      }
    }
  }
}

// Codes are clamped to the range of the calibration. 16-bit integers cover twice that range.
#define INT16_HEADROOM 2.0f

float fov_layout_int16_scale(const fov_layout_state *state, uint32_t value) {
  // 16-bit integers hold the steps of a file.
  if (state->values[value].given) return state->values[value].quantization.scale;
  const fov_range range = known_range(state, value);
  if (!fov_range_is_known(range)) return 0.0f;
  const float largest = fmaxf(fabsf(range.low), fabsf(range.high));
  const float scale = INT16_HEADROOM * largest / FOV_LARGEST_INT16;
  return fov_range_step_is_usable(scale) ? scale : 0.0f;
}

bool fov_layout_is_int16(const fov_layout_state *state, const fov_graph_node *node) {
  return state->nodes[node - state->graph->nodes].wants_int16 &&
         fov_layout_is_integer(state, node) &&
         fov_layout_int16_scale(state, node->inputs[0]) > 0.0f;
}

// A bottleneck widens a narrow stream, filters it, projects it back and adds it to the stream. If
// sums were codes, every bottleneck would round the whole stream, and the errors would add up. So
// the stream stays in floats, and each convolution that reads it quantizes a copy. This is cheap,
// since the stream is narrow.
static bool is_projection(const fov_layout_state *state, uint32_t value) {
  const fov_graph_node *node = state->users.producers[value];
  if (!node || !fov_is_convolution(node->operation)) return false;
  const fov_layout_node *plan = &state->nodes[node - state->graph->nodes];
  const fov_graph_value *values = state->graph->values;
  return plan->channels_last && fov_fused_activation_is_linear(&plan->activation) &&
         2 * fov_shape_planes(&values[value].shape).channels <=
             fov_shape_planes(&values[node->inputs[0]].shape).channels;
}

static void keep_streams(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!state->nodes[n].channels_last || node->operation != &fov_operation_binary ||
        fov_layout_multiplies(node)) {
      continue;
    }
    const uint32_t *inputs = node->inputs;
    if (!is_projection(state, inputs[0]) && !is_projection(state, inputs[1])) continue;
    state->values[node->output].in_stream = true;
    for (size_t k = 0; k < 2; k++) state->values[inputs[k]].in_stream = true;
  }
}

// Values that are not channels-last are quantized when a convolution reads them.
static void note_planes(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    fov_layout_value *value = &state->values[v];
    const fov_range range = known_range(state, (uint32_t)v);
    if (value->channels_last || !fov_range_is_known(range)) continue;
    value->known = true;
    value->quantization = fov_range_quantization(range);
  }
}

void fov_layout_types(fov_layout_state *state) {
  if (!state->options->integer) return;
  const fov_graph *graph = state->graph;
  if (state->has_given) {
    fov_layout_given(state);
    return;
  }
  make_groups(state);
  gather_ranges(state);
  gather_wishes(state);
  note_planes(state);
  if (state->options->float_sums) keep_streams(state);
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_layout_value *value = &state->values[node->output];
    const fov_layout_value *first = fov_layout_group(state, node->output);
    const bool pixels = node->operation == &fov_operation_pixels;
    if (!state->nodes[n].channels_last || !fov_range_is_known(first->range)) continue;
    if (!fov_layout_has_fixed_codes(state) && !pixels) continue;
    value->known = true;
    value->codes = first->wanted && !value->in_stream;
    value->quantization = pixels ? fov_channels_last_pixels_quantization(
                                       node->parameters, image_channels(state, node))
                                 : fov_range_quantization(first->range);
  }
}
